"""Where answers come from: the graph, lists and tables, text, and runs of systems.

`evaluate` takes questions apart into conditions, reads the facts of lists and the answers of runs, and
answers queries from any such facts; `stated` finds what text names together with the entities of conditions
and has a verifier judge it; `gather` collects all of it for a set, once, for estimates and candidates.
"""
