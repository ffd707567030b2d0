"""What changed: the difference between two sets, or between a set and a newer graph and corpus.

`diff` (in `verbs`) matches the questions of both sides (`matching`), compares their answers (`answers`) and
finds for every answer that came, went or was renamed the fact that did it (`causes`, from the derivations of
the answer in both graphs). A newer graph and corpus are made a set first (`projection`): what the questions
of the set would be with them. `rescoring` says how much of a change in a run's score this is.
"""
