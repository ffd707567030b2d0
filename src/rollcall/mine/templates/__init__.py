"""Graph-shaped queries with given characteristics, as in GraphQuestions.

Input: a graph, and a corpus if there is one. `mine` runs attempts in rounds: `sketch` grows a template,
`ground` decides which nodes are named, `attempt` adds a function and minimises the query, and quotas choose
the set. Output: the tables `queries`, `answers`, `proofs` and `facts`, written by `writing`.
"""
