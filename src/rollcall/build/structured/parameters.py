"""The parameters of the pipeline for templates, clusters and set operations.

A recipe lists the kinds it asks for, so one set may have all of them. The sections of the kinds are the
miners' own options, without jobs and memory.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from rollcall.build.keys import SearchKeys
from rollcall.build.lexicon import LexiconFiles
from rollcall.build.stage import KeyMistakeError
from rollcall.mine.clusters.constraint import ClusterOptions
from rollcall.mine.options import SetOptions, TemplateOptions

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
Kind = Literal["template", "cluster", "set-operation"]


class EvidenceKeys(SearchKeys, frozen=True):
    """How facts are proved by text."""

    use: bool = True
    """Whether facts are proved by text; without it no corpus is needed."""
    per_fact: Positive = 1
    """How many sentences are kept for each fact, best first."""
    validated: Share = 0.0
    """The share of a question's answers that text must prove; a kept question keeps all its answers."""


class WordingKeys(LexiconFiles, frozen=True):
    """How questions are worded."""

    sentences: Positive = 5
    """The most wordings of a query."""
    variants: Positive = 3
    """The most entity-level paraphrases of a wording of a template, including the one with the label."""


class Split(msgspec.Struct, frozen=True):
    """The sizes of the splits, in any unit; a cluster or a query with its paraphrases is in one split."""

    shares: dict[str, float] = msgspec.field(default_factory=lambda: {"train": 1.0, "test": 1.0})
    """The size of each split by its name."""


class Parameters(msgspec.Struct, frozen=True):
    """All parameters."""

    seed: Seed = 1
    """The seed of everything that is drawn at random."""
    kinds: tuple[Kind, ...] = ("template", "cluster", "set-operation")
    """The kinds of questions that the set has."""
    templates: TemplateOptions = msgspec.field(default_factory=TemplateOptions)
    clusters: ClusterOptions = msgspec.field(default_factory=ClusterOptions)
    sets: SetOptions = msgspec.field(default_factory=SetOptions)
    evidence: EvidenceKeys = EvidenceKeys()
    wording: WordingKeys = WordingKeys()
    split: Split = msgspec.field(default_factory=Split)

    def check(self) -> None:
        """Refuse values that are allowed one by one but not together."""
        if not self.kinds:
            raise KeyMistakeError(
                "kinds names no kind; there are template, cluster and set-operation", "kinds"
            )
        self.evidence.check_address()
        if (
            not self.split.shares
            or min(self.split.shares.values()) < 0
            or not sum(self.split.shares.values())
        ):
            raise KeyMistakeError(
                "split.shares needs parts with shares above 0, such as {train: 1, test: 1}",
                "split.shares",
                *(f"split.shares.{part}" for part in self.split.shares),
            )


# Clusters that lose questions: what remains must be a cluster still, so those with too few are left out.


def whole_clusters(rows: Mapping[str, dict[str, Any]], least: int) -> dict[str, dict[str, Any]]:
    """The rows, by key, without those of clusters that have too few."""
    sizes = Counter(row["cluster"] for row in rows.values() if row.get("cluster"))
    return {key: row for key, row in rows.items() if not row.get("cluster") or sizes[row["cluster"]] >= least}
