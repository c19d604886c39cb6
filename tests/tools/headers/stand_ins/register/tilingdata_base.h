// Stand-in for the CANN header of this name; see README.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace optiling {
class TilingDef {
public:
    std::map<std::string, std::size_t> offsets;
    std::size_t GetDataSize() const { return data_size_; }
    const char* GetTilingClassName() const { return class_name_; }

protected:
    std::size_t data_size_ = 0;
    const char* class_name_ = nullptr;

    std::size_t Place(const char* name, std::size_t element, std::size_t count) {
#ifdef STAND_IN_ALIGNS_FIELDS
        data_size_ = (data_size_ + element - 1) / element * element;
#endif
        const std::size_t offset = data_size_;
        offsets[name] = offset;
        data_size_ += element * count;
        return offset;
    }
};

using Constructor = std::shared_ptr<TilingDef> (*)();

inline std::map<std::string, Constructor>& Registry() {
    static std::map<std::string, Constructor> registry;
    return registry;
}
}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(class_name)     \
    class class_name : public TilingDef {     \
    public:                                   \
        class_name() { class_name_ = #class_name; }

#define TILING_DATA_FIELD_DEF(data_type, field)                             \
public:                                                                     \
    void set_##field(data_type value) { field##_ = value; }                 \
    data_type get_##field() { return field##_; }                            \
                                                                            \
private:                                                                    \
    data_type field##_ = 0;                                                 \
    std::size_t field##_handler_ = Place(#field, sizeof(data_type), 1);     \
    std::size_t field##_offset_ = field##_handler_;                         \
    std::uint8_t field##_reserve_buf_[16] = {0}

#define TILING_DATA_FIELD_DEF_ARR(element_type, count, field)                   \
public:                                                                         \
    void set_##field(element_type* value) { field##_ = value; }                 \
                                                                                \
private:                                                                        \
    element_type* field##_ = nullptr;                                           \
    std::size_t field##_handler_ = Place(#field, sizeof(element_type), count);  \
    std::size_t field##_offset_ = field##_handler_;                             \
    std::uint8_t field##_reserve_buf_[16] = {0}

#define END_TILING_DATA_DEF }

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                                          \
    static const bool g_registered_##op_type##class_name =                                                       \
        Registry().emplace(#op_type, [] { return std::shared_ptr<TilingDef>(std::make_shared<class_name>()); }).second;
