"""The parameters of templates; the defaults are those of GraphQuestions if the paper gives one."""

from collections.abc import Mapping, Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.mine.record_keeping import BOOKKEEPING
from rollcall.mine.templates.quota_check import check_quotas
from rollcall.query.query import FUNCTIONS

UNINFORMATIVE = (*sorted(BOOKKEEPING), "age", "position", "season", "type")
"""Labels of relations that say too little to ask about: headings of table columns rather than relations."""

Shares = Mapping[str, float]

PUBLISHED_QUOTAS: dict[str, dict[str, float]] = {
    "edges": {"1": 321, "2": 144, "3": 35},
    "function": {"none": 350, "count": 61, "superlative": 42, "comparative": 47},
    "answers": {"1": 332, ">1": 168},
}
"""The marginals of the paper's Table 1, without commonness, whose bins depend on the size of the graph."""


class TemplateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which templates are grown, and which queries are kept."""

    queries: int = 500
    """How many queries are wanted."""
    max_edges: int = 3
    """The most edges of a query."""
    quotas: Mapping[str, Shares] = msgspec.field(default_factory=lambda: PUBLISHED_QUOTAS)
    """For a characteristic (edges, function, answers, commonness, class) the shares of its bins, in any
    unit; a characteristic without quotas is left to chance."""
    distinct: bool = True
    """Whether all nodes of a query must be different things."""
    commonness: float = -40.0
    """The least commonness of a query, as log10; rarer queries are left out."""
    smoothing: float = 0.1
    """What each use in the graph adds to a count of mentions, when commonness is estimated."""
    most_answers: int = 100
    """The most answers of a query that does not count."""
    least_counted: int = 2
    """The least number that a counting query may give."""
    most_counted: int = 1000
    """The largest number that a counting query may give."""
    per_template: int = 1
    """The most queries that differ only in their entities."""
    redundant: float = 0.0
    """The share of queries that keep what minimising would remove."""
    excluded: Sequence[str] = UNINFORMATIVE
    """Labels or ids of relations that are never asked about."""
    least_instances: int = 5
    """An edge between classes with fewer facts starts no template."""
    class_share: float = 0.1
    """A class is named only if at least this share of its entities have it as their direct type."""
    round_size: int = 512
    """How many attempts run before what was found is looked at."""
    attempts: int = 200_000
    """The most attempts; after these the set has what was found."""

    def __post_init__(self) -> None:
        if self.queries < 1 or self.max_edges < 1 or self.round_size < 1:
            raise RollcallError("queries, max_edges and round_size must be at least 1")
        if not 0 <= self.redundant <= 1:
            raise RollcallError(f"redundant is a share of the queries, from 0 to 1, not {self.redundant}")
        functions = [*FUNCTIONS, *(name for members in FUNCTIONS.values() for name in members)]
        check_quotas(
            self.quotas,
            list(dict.fromkeys(functions)),
            max_edges=self.max_edges,
            most_answers=self.most_answers,
        )
