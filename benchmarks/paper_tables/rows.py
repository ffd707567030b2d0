"""What is trained, and what is asked with it: every row of the tables that has a network.

Trainings are in the order of their importance, so that what a short time allows is what matters most.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from paper_tables.profile import Base, Profile

PARTS = "rollcall-parts"
DPR = "dpr"
RETRIEVERS = ("bm25", "dpr")
"""Readers learn with the passages of the first, and read those of either."""
MIXES = {"qo": ("qampari",), "nqo": ("single",), "mt": ("qampari", "single")}
"""Which sets are learned: the one that is asked (QAMPARI only), single answers only, or both (multi-task)."""


class Training(NamedTuple):
    """One system that is trained."""

    name: str
    system: str
    base: Base
    examples: tuple[str, ...]
    options: Mapping[str, object] = MappingProxyType({})
    preset: str | None = None
    clusters: Literal["few", "many"] | None = None


class Asking(NamedTuple):
    """One run of a trained system; its name is that of a row."""

    name: str
    reader: str
    model: str
    """The folder below `models`."""
    examples: str
    split: str = "test"
    options: Mapping[str, object] = MappingProxyType({})


def trainings(profile: Profile) -> Iterator[Training]:
    """Everything that is trained; the parts of `rollcall` are rows of their own, too."""
    yield Training(DPR, "dpr", "encoder", ("qampari-bm25",))
    yield Training(PARTS, "rollcall", "encoder", ("qampari-bm25",))
    parts = profile.parts.split("+")
    for system in ("mention-scorer", "candidate-scorer"):
        if system not in parts:
            yield Training(system, system, "encoder", ("qampari-bm25",))
    for system in ("pig", "fid"):
        for mix, sets in sorted(MIXES.items(), key=lambda one: one[0] != "mt"):
            name = f"{system}-bm25-{mix}"
            if name != "pig-bm25-qo" or system not in parts:
                yield Training(name, system, "generator", tuple(f"{one}-bm25" for one in sets))
    yield Training("closed-book", "closed-book", "generator", ("qampari-bm25",))
    yield Training("extractive", "extractive", "encoder", ("qampari-bm25",), {"number": "set"})
    for evidence in ("none", "retrieved", "gold"):
        yield Training(
            f"classifier-{evidence}", "classifier", "encoder", ("romqa-bm25",), {"evidence": evidence}
        )
    yield Training("seq2seq-closed", "closed-book", "generator", ("romqa-bm25",))
    yield Training("seq2seq", "seq2seq", "generator", ("romqa-bm25",))
    for clusters in ("many", "few"):
        yield Training(f"seq2seq-{clusters}", "seq2seq", "generator", ("romqa-bm25",), clusters=clusters)
        yield Training(
            f"classifier-{clusters}", "classifier", "encoder", ("romqa-bm25",), {"evidence": "retrieved"},
            clusters=clusters,
        )  # fmt: skip
    for name, folder, answers in _NAMES:
        yield Training(name, "extractive", "encoder", (folder,), {"answers": answers, "number": "one"})


_NAMES = (
    ("names-single", "single-bm25", "single"),
    ("names-graph", "single-bm25", "expanded"),
    ("names-pages", "names-bm25", "expanded"),
)


def askings(training: Training, profile: Profile) -> Iterator[Asking]:
    """The runs of a training; the systems of QAMPARI's Table 9 are asked on dev, too."""
    name, system = training.name, training.system
    if name == PARTS:
        for part in profile.parts.split("+"):
            model = f"{PARTS}/parts/{part}"
            yield from _qampari("pig-bm25-qo" if part == "pig" else part, part, model)
    elif system in ("mention-scorer", "candidate-scorer", "pig", "fid", "closed-book", "extractive"):
        if "romqa-bm25" in training.examples:
            yield Asking(name, system, name, "romqa-bm25")
        elif name.startswith("names"):
            yield Asking(name, system, name, "single-bm25")
        else:
            yield from _qampari(name, system, name)
    elif system in ("classifier", "seq2seq"):
        yield Asking(name, system, name, "romqa-bm25")


def needs_dpr(training: Training, profile: Profile) -> bool:
    """Whether what is trained reads passages of the trained retriever."""
    return any(one.examples == f"qampari-{DPR}" for one in askings(training, profile))


def _qampari(name: str, system: str, model: str) -> Iterator[Asking]:
    for retriever in RETRIEVERS if system in ("pig", "fid") else ("bm25",):
        row, examples = name.replace("bm25", retriever), f"qampari-{retriever}"
        yield Asking(row, system, model, examples)
        if system in ("pig", "fid", "closed-book") and not name.endswith("-nqo"):
            yield Asking(row, system, model, examples, "dev")
    if system != "closed-book" and not name.endswith("-nqo"):
        yield Asking(f"{name}-oracle", system, model, "qampari-oracle")
        if name.endswith("-mt"):
            yield Asking(f"{name}-oracle", system, model, "qampari-oracle", "dev")
