"""The table of a kernel's variants, for people and for other programs."""
