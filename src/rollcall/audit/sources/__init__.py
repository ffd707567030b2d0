"""Where answers come from: the graph, lists and tables, text, and runs of systems.

`conditions` takes questions apart; `pairs` finds what text names together with their entities; `stated` has
a verifier judge it; `listed` reads the facts of lists; `evaluate` answers queries from any such facts;
`given` reads runs; and `gather` collects all of it for a set, once, for estimates and candidates alike.
"""
