#include "register/crash.h"

#include <setjmp.h>
#include <signal.h>

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE};
constexpr uintptr_t kFirstPage = 4096;

// Where the thread goes on after a crash, while it is in a user's function.
struct WayBack {
  sigjmp_buf place;
  int signal = 0;
  uintptr_t address = 0;
};
thread_local WayBack* way_back = nullptr;

struct sigaction before[NSIG];

void Handle(int signal, siginfo_t* info, void* context) {
  if (way_back != nullptr) {
    way_back->signal = signal;
    way_back->address = reinterpret_cast<uintptr_t>(info->si_addr);
    siglongjmp(way_back->place, 1);
  }
  // Not in a user's function: as if this handler were not there.
  const struct sigaction& old = before[signal];
  if ((old.sa_flags & SA_SIGINFO) != 0) {
    old.sa_sigaction(signal, info, context);
  } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
    old.sa_handler(signal);
  } else {
    sigaction(signal, &old, nullptr);
    raise(signal);
  }
}

void Install() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = Handle;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (const int signal : kSignals) sigaction(signal, &action, &before[signal]);
  });
}

std::string Explain(const WayBack& crash) {
  if (crash.signal == SIGFPE) return "divided by zero";
  if (crash.address < kFirstPage) {
    return "used a null pointer; check what the context gives with OP_CHECK_NULL_WITH_CONTEXT";
  }
  char address[32];
  std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(crash.address));
  return std::string("used memory that is not there, at ") + address;
}

}  // namespace

void CatchCrash(const std::function<void()>& function) {
  Install();
  WayBack here;
  WayBack* const outer = way_back;
  if (sigsetjmp(here.place, 1) != 0) {
    way_back = outer;
    throw HostError(Explain(here));
  }
  way_back = &here;
  try {
    function();
  } catch (...) {
    way_back = outer;
    throw;
  }
  way_back = outer;
}

}  // namespace host
}  // namespace pypto_twin
