// A header that analysis tests name; nothing here compiles it.
