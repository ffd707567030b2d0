"""The stages of the QAMPARI pipeline: queries mined from a graph, proved by text, worded, sampled and
released.

`listing` lists the stages. `mining` writes `queries`, `proofs` and `facts`; `proving` writes `evidence`,
`kept` and `validated`; `drawing` writes `chosen`; `wording` writes `worded`; `assembling` writes
`questions.jsonl`.
"""
