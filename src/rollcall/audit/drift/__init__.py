"""What changed: the difference between two sets, or between a set and a newer graph and corpus.

`diff` (in `verbs`) matches the questions of both sides (`changes`), compares their answers (`projection`) and
finds for every answer that came, went or was renamed the fact that did it (`causes`, from the derivations of
the answer in both graphs). With a newer graph and corpus, `projection` first makes a set: what the questions
of the set would be with them. It also computes how much of a change in a run's score the gold explains.
"""
