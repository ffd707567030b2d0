"""Answers that a set may lack: found, ranked, judged and accepted.

`find` ranks what sources found beyond the gold by how likely it is right; `judging` hands it to people or
to a language model; `accepting` turns what was judged right into the set's extended answers, apart from its
gold.
"""

from rollcall.audit.missing.accepting import accept
from rollcall.audit.missing.candidate import MissingAnswer, read_candidates, write_candidates
from rollcall.audit.missing.find import find_missing
from rollcall.audit.missing.judging import judge_by_model, to_judge

__all__ = [
    "MissingAnswer",
    "accept",
    "find_missing",
    "judge_by_model",
    "read_candidates",
    "to_judge",
    "write_candidates",
]
