"""Clusters of related questions, as in RoMQA: constraints that share answers, and queries that vary them.

Input: a graph. `mine` draws clusters with `sample` (constraints), `logical` (queries) and `candidates` (the
closed setting). Output: the tables that `writing` writes: `queries`, `constraints`, `answers`, `proofs`,
`candidates`, `candidate_facts` and `facts`.
"""
