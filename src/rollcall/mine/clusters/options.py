"""The parameters of clusters.

The defaults are those of RoMQA. Where the paper contradicts itself, the main text counts.
"""

from collections.abc import Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.mine.templates.options import UNINFORMATIVE


class ClusterOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which clusters are drawn, and which questions are made from them."""

    clusters: int = 1000
    """How many clusters are wanted."""
    least_constraints: int = 3
    """The fewest constraints of a cluster: 3 by RoMQA §2.1."""
    most_constraints: int = 10
    """The most constraints of a cluster: Appendix A draws up to ten (Appendix C avoids 7 and more: set 6)."""
    shared: int = 2
    """How many answers all constraints of a cluster have in common."""
    damping: float = 0.5
    """The exponent with which frequent propositions are removed; 0 removes none."""
    queries: int = 5
    """The most queries of one cluster."""
    draws: int = 15
    """How many times a query is drawn for a cluster; a draw that loses too many constraints or repeats
    another query gives none."""
    remove: float = 0.1
    """The probability that a question leaves out a constraint of its cluster."""
    negate: float = 0.1
    """The probability that a constraint is denied."""
    known: bool = True
    """Whether a constraint is denied only if the graph knows for every answer that it does not hold
    (`constraint.can_be_negated`). The paper takes every missing fact for a false one: set false."""
    least_in_question: int = 2
    """The fewest constraints of a question; with a single one it would be a simple question."""
    most_in_question: int = 4
    """The most constraints of a question: 4 by RoMQA §2.1 (Appendix C says 7). The number is drawn with
    equal probabilities."""
    least_answers: int = 1
    """The fewest answers of a question."""
    most_answers: int = 5000
    """A question must have fewer answers than this."""
    least_questions: int = 2
    """A cluster with fewer questions is left out."""
    candidates: int = 100
    """How many candidates a question has in the closed setting."""
    most_positive: int = 50
    """The most candidates that are answers. The paper does not give the ratio. With at most a half, naming
    all candidates has F1 0.25 on a world (0.335 in the paper)."""
    per_way: int = 20
    """The most constraints of one relation that are collected for a cluster."""
    excluded: Sequence[str] = UNINFORMATIVE
    """Labels or ids of relations that are never asked about."""
    round_size: int = 512
    """How many attempts run before what was found is looked at."""
    attempts: int = 100_000
    """The most attempts; after these the set has what was found."""

    def __post_init__(self) -> None:
        if not 1 <= self.least_in_question <= self.most_in_question:
            raise RollcallError("least_in_question must be from 1 to most_in_question")
        if not self.least_in_question <= self.least_constraints <= self.most_constraints:
            raise RollcallError("least_constraints must be from least_in_question to most_constraints")
        for name in ("remove", "negate"):
            if not 0 <= getattr(self, name) <= 1:
                raise RollcallError(f"{name} is a probability, from 0 to 1, not {getattr(self, name)}")
