"""op.json → the aclnn interface of an operator."""
