"""A kernel file that analysis tests name; nothing here runs it."""
