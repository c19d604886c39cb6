// Texts of the stand-in's files.
#ifndef STANDIN_TEXT_H_
#define STANDIN_TEXT_H_

#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace standin {

inline std::string Joined(const std::vector<std::string>& items, const std::string& comma) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : comma) + items[i];
  return text;
}

// BNInfer → bn_infer: a word begins at a capital behind a small letter, or in front of one.
inline std::string SnakeCase(const std::string& name) {
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool capital = std::isupper(name[i]) != 0;
    const bool behind_small = i > 0 && std::isupper(name[i - 1]) == 0;
    const bool before_small = i > 0 && i + 1 < name.size() && std::islower(name[i + 1]) != 0;
    if (capital && (behind_small || before_small)) snake += '_';
    snake += static_cast<char>(std::tolower(name[i]));
  }
  return snake;
}

inline void Write(const std::string& path, const std::string& text, bool append = false) {
  std::ofstream(path, append ? std::ios::app : std::ios::trunc) << text;
}

}  // namespace standin

#endif  // STANDIN_TEXT_H_
