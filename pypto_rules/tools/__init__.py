"""The tools that actions run, one package each."""
