"""Queries worth asking: simple, typed, intersection, composition and table queries, with what proves them."""
