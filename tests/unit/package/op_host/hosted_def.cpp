// A source that analysis tests name; nothing here compiles it.
