"""The parameters of clusters.

The defaults are those of RoMQA. Where the paper contradicts itself, the main text counts.
"""

from collections.abc import Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.mine.templates.options import UNINFORMATIVE


class ClusterOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which clusters are drawn, and which questions are made from them.

    - `least_constraints` and `most_constraints` of a cluster: 3 by §2.1; 10 by Appendix A, which draws up to
      ten (Appendix C avoids 7 and more: set 6).
    - `least_in_question` and `most_in_question`: up to 4 by §2.1 (Appendix C says 7). The number is drawn
      with equal probabilities. A question with a single constraint is a simple question, so the range starts
      at 2.
    - `shared`: how many answers all constraints of a cluster have in common.
    - `known`: a constraint is negated only if the graph knows for every answer that it does not hold
      (`constraint.can_be_negated`). The paper takes every missing fact for a false one: set false.
    - `damping`: the exponent with which frequent propositions are removed; 0 removes none.
    - `queries`: the most queries of one cluster. `draws`: how many times a query is drawn for it; a draw that
      loses too many constraints or repeats another query gives none.
    - `most_answers`: a question must have fewer answers than this.
    - `candidates`: how many candidates a question has in the closed setting; at most `most_positive` of them
      are answers. The paper does not give the ratio. With at most a half, naming all candidates has F1 0.25
      on a world (0.335 in the paper).
    """

    clusters: int = 1000
    least_constraints: int = 3
    most_constraints: int = 10
    shared: int = 2
    damping: float = 0.5
    queries: int = 5
    draws: int = 15
    remove: float = 0.1
    negate: float = 0.1
    known: bool = True
    least_in_question: int = 2
    most_in_question: int = 4
    least_answers: int = 1
    most_answers: int = 5000
    least_questions: int = 2
    candidates: int = 100
    most_positive: int = 50
    per_way: int = 20
    excluded: Sequence[str] = UNINFORMATIVE
    round_size: int = 512
    attempts: int = 100_000

    def __post_init__(self) -> None:
        if not 1 <= self.least_in_question <= self.most_in_question:
            raise RollcallError("least_in_question must be from 1 to most_in_question")
        if not self.least_in_question <= self.least_constraints <= self.most_constraints:
            raise RollcallError("least_constraints must be from least_in_question to most_constraints")
        for name in ("remove", "negate"):
            if not 0 <= getattr(self, name) <= 1:
                raise RollcallError(f"{name} is a probability, from 0 to 1, not {getattr(self, name)}")
