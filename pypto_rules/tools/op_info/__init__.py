"""What the framework reads of an operator: aic-<soc>-ops-info, and the prototype of graph mode."""
