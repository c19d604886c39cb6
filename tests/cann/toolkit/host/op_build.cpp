// Stand-in for op_build: checks its command line and environment, loads the library, writes what the facts say.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>

#include "interfaces.h"

extern char** environ;

namespace standin {
namespace {

[[noreturn]] void Fail(const std::string& text) {
  std::cerr << "stand-in op_build: " << text << std::endl;
  std::exit(1);
}

// Nothing but what the build gives may be seen: each further variable is one that leaked.
void CheckEnvironment() {
  static const std::map<std::string, std::set<std::string>> kWanted = {
      {"OPS_ACLNN_GEN", {"0", "1"}}, {"OPS_PROJECT_NAME", {"aclnn", "aclnnInner", "aclnnExc"}}, {"OPS_PROTO_SEPARATE", {"1"}},
      {"HOME", {}}, {"LC_ALL", {}}, {"LD_LIBRARY_PATH", {}}, {"OPS_PRODUCT_NAME", {}}, {"PATH", {}}};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    if (kWanted.count(name) == 0) Fail("the environment variable " + name + " is set");
  }
  for (const auto& [name, allowed] : kWanted) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') Fail("the environment variable " + name + " is not set");
    if (allowed.empty() || allowed.count(value) != 0) continue;
    Fail("the environment variable " + name + " is '" + value + "', not " +
         Joined({allowed.begin(), allowed.end()}, " or "));
  }
  const bool exclude = std::strcmp(std::getenv("OPS_PROJECT_NAME"), "aclnnExc") == 0;
  if (exclude != (std::strcmp(std::getenv("OPS_ACLNN_GEN"), "0") == 0)) Fail("OPS_ACLNN_GEN is 0 for aclnnExc and 1 for others");
  const std::string libraries = std::getenv("LD_LIBRARY_PATH");
  if (libraries[0] != '/' || libraries.find(':') != std::string::npos) Fail("LD_LIBRARY_PATH must be one absolute directory, not " + libraries);
}

void WriteAll() {
  const std::string project = std::getenv("OPS_PROJECT_NAME");
  std::set<std::string> begun;
  for (const OpDescription& op : RegisteredOpDescriptions()) {
    for (const SocDescription& soc : op.socs) {
      Write("aic-" + soc.soc + "-ops-info.ini", Section(op, soc), !begun.insert(soc.soc).second);
    }
    const std::string aclnn = project + "_" + SnakeCase(op.op_type);
    if (project == "aclnnExc") {
      Write(aclnn + ".h", "");
      Write(aclnn + ".cpp", "");
    } else {
      WriteAclnn(op, project);
    }
    WriteProto(op);
  }
}

}  // namespace
}  // namespace standin

int main(int argc, char** argv) {
  using namespace standin;  // NOLINT: a program
  if (argc != 3) Fail("expected 2 arguments, the library and the output directory, not " + std::to_string(argc - 1));
  CheckEnvironment();
  if (argv[1][0] != '/') Fail(std::string("argument 1 '") + argv[1] + "' is no absolute path");
  if (dlopen(argv[1], RTLD_NOW) == nullptr) Fail(dlerror());
  if (chdir(argv[2]) != 0) Fail(std::string("argument 2 '") + argv[2] + "' is no directory");
  if (access("aic-ascend910b-ops-info.ini", F_OK) == 0) Fail("the output directory is used already");
  WriteAll();
  return 0;
}
