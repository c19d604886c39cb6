"""The OpDef of an operator: read from its `_def.cpp`, checked, and as the other tools see it."""
