"""What tasks make their items from: a question set, and the runs, corpus, graph and other sets given with
it.

Only the set is always there; a task that needs more declares it, and the error says how to give it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rollcall.configurable import Need
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.run import Passage, Run

Search = Callable[[str, int], list[Passage]]
"""Finds the best passages of a corpus for a text."""

NEEDS = {
    "corpus": Need("a corpus", "--corpus", "corpus="),
    "graph": Need("a graph", "--graph", "graph="),
    "runs": Need("one run or more", "--run", "runs="),
    "others": Need("another question set to compare with", "--beside", "beside="),
}
"""Everything that tasks may need."""


@dataclass(frozen=True)
class Material:
    """A question set and what belongs to it."""

    questions: QuestionSet
    name: str = "set"
    """What the set is called where sets are compared."""
    runs: Sequence[Run] = ()
    corpus: Corpus | None = None
    graph: Graph | None = None
    others: Mapping[str, QuestionSet] = field(default_factory=dict)
    """Sets that this one is compared with, by name."""
    search: Search | None = None
    """Search over the corpus, if an index of it is there."""

    def has(self, need: str) -> bool:
        """Whether something that a task may need was given."""
        given = {"corpus": self.corpus, "graph": self.graph, "runs": self.runs, "others": self.others}
        return bool(given[need]) if need in ("runs", "others") else given[need] is not None
