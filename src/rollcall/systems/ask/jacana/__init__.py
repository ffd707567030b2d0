"""`jacana`: answers picked from the neighbourhood of a topic by a classifier (Yao and Van Durme 2014)."""
