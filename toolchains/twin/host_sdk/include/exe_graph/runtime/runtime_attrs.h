// The attributes of a call, by their place in the OpDef.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/tensor.h"
#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {

struct NodeState;

// What a pointer to an attribute may be read as.
enum class AttrView { int_value, float_value, bool_value, string, list, list_of_lists, raw };

template <class T>
struct AttrViewOf {
  static constexpr AttrView value = AttrView::raw;
};
template <>
struct AttrViewOf<int64_t> {
  static constexpr AttrView value = AttrView::int_value;
};
template <>
struct AttrViewOf<float> {
  static constexpr AttrView value = AttrView::float_value;
};
template <>
struct AttrViewOf<bool> {
  static constexpr AttrView value = AttrView::bool_value;
};
template <>
struct AttrViewOf<char> {
  static constexpr AttrView value = AttrView::string;
};
template <>
struct AttrViewOf<gert::ContinuousVector> {
  static constexpr AttrView value = AttrView::list;
};
template <class T>
struct AttrViewOf<gert::TypedContinuousVector<T>> {
  static constexpr AttrView value = AttrView::list;
};
template <>
struct AttrViewOf<gert::ContinuousVectorVector> {
  static constexpr AttrView value = AttrView::list_of_lists;
};

}  // namespace host
}  // namespace pypto_twin

namespace gert {

class PYPTO_TWIN_API RuntimeAttrs {
 public:
  explicit RuntimeAttrs(const pypto_twin::host::NodeState* node) : node_(node) {}

  size_t GetAttrNum() const;

  // Null when there is no attribute of this index. Reading it as another type than the OpDef's ends the call: HostError.
  template <class T>
  const T* GetAttrPointer(size_t index) const {
    return static_cast<const T*>(Pointer(index, pypto_twin::host::AttrViewOf<T>::value));
  }

  const int64_t* GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
  const float* GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
  const bool* GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
  const char* GetStr(size_t index) const { return GetAttrPointer<char>(index); }
  const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
  }
  const TypedContinuousVector<float>* GetListFloat(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<float>>(index);
  }
  const TypedContinuousVector<bool>* GetListBool(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<bool>>(index);
  }
  const ContinuousVectorVector* GetListListInt(size_t index) const {
    return GetAttrPointer<ContinuousVectorVector>(index);
  }
  [[noreturn]] const Tensor* GetTensor(size_t) const { pypto_twin::host::Unsupported("RuntimeAttrs::GetTensor"); }

 private:
  const void* Pointer(size_t index, pypto_twin::host::AttrView view) const;

  const pypto_twin::host::NodeState* node_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
