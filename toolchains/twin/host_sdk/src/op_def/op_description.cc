#include "pypto_twin/host/op_description.h"

#include <utility>

namespace pypto_twin {
namespace host {
namespace {

std::vector<OpDescription>& Registered() {
  static auto* registered = new std::vector<OpDescription>;
  return *registered;
}

}  // namespace

void RegisterOpDescription(OpDescription description) { Registered().push_back(std::move(description)); }

const std::vector<OpDescription>& RegisteredOpDescriptions() { return Registered(); }

}  // namespace host
}  // namespace pypto_twin
