"""How complete a question set is, how true it is, and what changed.

`sources` collects the answers that graph, lists, text and runs give to each question; `completeness`
estimates from them how many answers nobody has; `missing` lists the most likely ones, to be judged and
accepted.
"""
