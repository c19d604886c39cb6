#include "exe_graph/node_state.h"

#include <algorithm>

namespace pypto_twin {
namespace host {
namespace {

TensorRow RowOf(const std::vector<CallParam>& params, const std::vector<size_t>& with_data) {
  TensorRow row;
  for (size_t index = 0; index < params.size(); ++index) {
    const std::vector<CallTensor>& tensors = params[index].tensors;
    row.params.emplace_back(static_cast<uint32_t>(row.tensors.size()), static_cast<uint32_t>(tensors.size()));
    const bool has_data = std::find(with_data.begin(), with_data.end(), index) != with_data.end();
    for (const CallTensor& tensor : tensors) {
      const gert::StorageFormat format(tensor.origin_format, tensor.storage_format);
      void* address = has_data ? const_cast<void*>(tensor.data) : nullptr;
      row.tensors.emplace_back(gert::StorageShape(tensor.origin_shape, tensor.storage_shape), format, gert::kOnHost,
                               tensor.dtype, address, tensor.bytes);
      row.descriptions.emplace_back(tensor.dtype, format);
    }
  }
  return row;
}

}  // namespace

NodeState::NodeState(const OpCall& call, const std::vector<size_t>& data_inputs)
    : type(call.op_type), name(call.op_type), inputs(RowOf(call.inputs, data_inputs)), outputs(RowOf(call.outputs, {})) {
  for (const CallAttr& attr : call.attrs) Store(attr);
}

AttrValue& NodeState::Keep(const AttrValue& value) { return values_.emplace_back(value); }

// Contexts hand out pointers, so every value needs a place of its own.
void NodeState::Store(const CallAttr& attr) {
  StoredAttr stored;
  stored.name = attr.name;
  AttrValue& value = Keep(attr.value);
  const auto list = [&](const void* data, size_t size) {
    stored.view = AttrView::list;
    stored.pointer = &lists_.emplace_back(data, size);
  };
  if (auto* flag = std::get_if<bool>(&value)) {
    stored.view = AttrView::bool_value;
    stored.pointer = flag;
  } else if (auto* number = std::get_if<int64_t>(&value)) {
    stored.view = AttrView::int_value;
    stored.pointer = number;
  } else if (auto* real = std::get_if<float>(&value)) {
    stored.view = AttrView::float_value;
    stored.pointer = real;
  } else if (auto* text = std::get_if<std::string>(&value)) {
    stored.view = AttrView::string;
    stored.pointer = text->c_str();
  } else if (auto* flags = std::get_if<std::vector<bool>>(&value)) {
    const std::vector<char>& bytes = bools_.emplace_back(flags->begin(), flags->end());
    list(bytes.data(), bytes.size());
  } else if (auto* numbers = std::get_if<std::vector<int64_t>>(&value)) {
    list(numbers->data(), numbers->size());
  } else if (auto* reals = std::get_if<std::vector<float>>(&value)) {
    list(reals->data(), reals->size());
  } else if (auto* rows = std::get_if<std::vector<std::vector<int64_t>>>(&value)) {
    std::vector<gert::ContinuousVector> lists;
    for (const std::vector<int64_t>& row : *rows) lists.emplace_back(row.data(), row.size());
    stored.view = AttrView::list_of_lists;
    stored.pointer = &lists_of_lists_.emplace_back(std::move(lists));
  }  // a list of strings has no form here; reading it is refused
  attrs.push_back(stored);
}

}  // namespace host
}  // namespace pypto_twin
