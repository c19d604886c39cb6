"""The twin's code generator: a kernel's Python AST to one C++17 source per variant."""
