"""`sempre`: questions parsed into queries by a small grammar and a log-linear model (Berant et al. 2013)."""
