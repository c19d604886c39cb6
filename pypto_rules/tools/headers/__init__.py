"""The headers that host and device share, written from kernel.json."""
