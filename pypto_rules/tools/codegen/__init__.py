"""What the code generators of all backends share: dtype columns, which variants there are, and their names."""
