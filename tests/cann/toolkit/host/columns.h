// The parameters of an operator on a SoC, with lists and followed parameters expanded to columns.
#ifndef STANDIN_COLUMNS_H_
#define STANDIN_COLUMNS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "pypto_twin/host/op_description.h"

namespace standin {

using Params = std::vector<pypto_twin::host::ParamDescription>;

// The general parameters, with what the SoC's configuration says in place of what they say, and its own behind them.
inline Params Merged(const Params& general, const Params& own) {
  Params merged = general;
  for (const auto& param : own) {
    const auto found = std::find_if(merged.begin(), merged.end(), [&](const auto& p) { return p.name == param.name; });
    if (found == merged.end()) {
      merged.push_back(param);
      continue;
    }
    found->param_type = param.param_type;
    if (!param.dtypes.empty()) found->dtypes = param.dtypes, found->dtype_list.clear(), found->follows.clear();
    if (!param.dtype_list.empty()) found->dtype_list = param.dtype_list, found->dtypes.clear(), found->follows.clear();
    if (!param.formats.empty()) found->formats = param.formats, found->format_list.clear();
    if (!param.format_list.empty()) found->format_list = param.format_list, found->formats.clear();
    if (!param.unknown_shape_formats.empty()) found->unknown_shape_formats = param.unknown_shape_formats;
    if (!param.value_depend.empty()) found->value_depend = param.value_depend;
    if (param.init_value) found->init_value = param.init_value;
    if (param.shape_depends_on_compute) found->shape_depends_on_compute = true;
  }
  return merged;
}

// A list that goes with every column: item (column / repeat) % count.
template <class T>
std::vector<T> Spread(const std::vector<T>& list, size_t columns, size_t repeat) {
  std::vector<T> spread;
  for (size_t i = 0; i < columns; ++i) spread.push_back(list[(i / repeat) % list.size()]);
  return spread;
}

// Columns of all parameters, inputs and outputs together: each base column with all combinations of the lists.
inline void Expand(std::vector<pypto_twin::host::ParamDescription*> params) {
  size_t base = 1, combinations = 1;
  for (const auto* p : params) {
    base = std::max({base, p->dtypes.size(), p->formats.size()});
    combinations *= std::max<size_t>(1, p->dtype_list.size()) * std::max<size_t>(1, p->format_list.size());
  }
  size_t repeat = combinations;
  for (auto* p : params) {
    const auto free = [&](auto& list, auto& values) {
      if (list.empty() || !p->follows.empty()) return;
      repeat /= list.size();
      values = Spread(list, base * combinations, repeat);
    };
    const auto parallel = [&](auto& values) {
      if (!values.empty() && combinations > 1) values = Spread(values, values.size() * combinations, combinations);
    };
    parallel(p->dtypes);
    parallel(p->formats);
    parallel(p->unknown_shape_formats);
    free(p->dtype_list, p->dtypes);
    free(p->format_list, p->formats);
  }
  for (auto* p : params) {
    const auto followed = std::find_if(params.begin(), params.end(), [&](auto* q) { return q->name == p->follows; });
    if (p->follows.empty() || followed == params.end()) continue;
    p->dtypes = (*followed)->dtypes;
    p->formats = (*followed)->formats;
    p->unknown_shape_formats = (*followed)->unknown_shape_formats;
  }
}

}  // namespace standin

#endif  // STANDIN_COLUMNS_H_
