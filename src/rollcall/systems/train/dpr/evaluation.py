"""How well a dense retriever finds what proves answers, among the passages of all dev questions together.

This is easier than the whole corpus, but it ranks checkpoints in the same way and takes seconds. MAP is the
mean average precision of passages that prove an answer or a part of one. recall@k is the share of a
question's answers that one of the k best passages proves at least in part.
"""

from collections.abc import Iterable, Mapping, Sequence

from rollcall.systems.train.dpr.examples import key_of
from rollcall.systems.train.exercise import Exercise, LabelledPassage

_CUTS = (20, 100)


def provable(exercises: Iterable[Exercise]) -> list[Exercise]:
    """The exercises for which a passage proves something; the others do not count."""
    return [one for one in exercises if proofs_of(one)]


def pool_of(exercises: Sequence[Exercise], size: int) -> dict[str, LabelledPassage]:
    """The passages that are searched: the best of each exercise, and all that prove something."""
    found: dict[str, LabelledPassage] = {}
    for exercise in exercises:
        proving = [one for one in exercise.passages[size:] if one.proves]
        for passage in (*exercise.passages[:size], *proving, *exercise.proofs):
            found.setdefault(key_of(passage), passage)
    return found


def proofs_of(exercise: Exercise) -> dict[str, set[int]]:
    """The answers that each passage proves, by the passage's key."""
    found: dict[str, set[int]] = {}
    for passage in (*exercise.passages, *exercise.proofs):
        if passage.proves:
            found.setdefault(key_of(passage), set()).update(passage.proves)
    return found


def mean_figures(exercises: Sequence[Exercise], ranks: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """The figures from the ranks of each exercise's proofs."""
    every = [_figures(*one) for one in zip(exercises, ranks, strict=True)]
    names = ("MAP", *(f"recall@{cut}" for cut in _CUTS))
    return {name: sum(one[name] for one in every) / max(len(every), 1) for name in names}


def _figures(exercise: Exercise, ranks: Mapping[str, int]) -> dict[str, float]:
    proves = proofs_of(exercise)
    answers = set().union(*proves.values())
    found = {"MAP": sum(count / rank for count, rank in enumerate(sorted(ranks.values()), 1)) / len(proves)}
    for cut in _CUTS:
        seen = set().union(*(proves[key] for key, rank in ranks.items() if rank <= cut))
        found[f"recall@{cut}"] = len(seen) / len(answers)
    return found
