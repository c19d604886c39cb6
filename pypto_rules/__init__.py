"""Rules, tools and the test library of pypto_rules."""
