"""Chooses which questions are searched for in text, and has their facts found and judged.

A verifier reads every sentence that names both ends of a fact, so the number of facts decides how long an
audit takes. Questions are taken in an order that a hash of their ids gives, each with all its facts or not
at all: a part of a question's facts would bias every estimate. One with very many facts about one entity
(all people of a country) is passed over.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from rollcall.audit.sources.conditions import Condition
from rollcall.audit.sources.pairs import KnownPairs, NamedPairs, find_pairs
from rollcall.audit.sources.stated import StatedFacts, facts_of, find_stated
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.tables.engine import Engine
from rollcall.tables.reader import records


class SearchLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much text is searched."""

    questions: int = 2_000
    """The most questions that are searched for in text; the others count by graph, lists and runs alone."""
    facts: int = 60_000
    """The most facts that sentences are sought and judged for."""
    per_condition: int = 300
    """A question with more facts, known and possible, about one of its entities is passed over."""


class Searched(NamedTuple):
    """What text says, and for which questions it was asked."""

    questions: set[str]
    stated: StatedFacts
    wide: int
    """How many drawn questions were passed over because they have too many facts about one entity."""


def search(
    folder: Path,
    graph: Path,
    corpus: Path,
    asked: Mapping[str, Sequence[Condition]],
    make_verifier: Callable[[set[str]], Verifier],
    engine: Engine,
    limits: SearchLimits,
) -> Searched:
    """Search text for the facts of some questions; the verifier is made for their relations."""
    drawn = sorted((id_ for id_, own in asked.items() if own), key=_order)[: limits.questions]
    conditions = list(dict.fromkeys(one for id_ in drawn for one in asked[id_]))
    if not conditions:
        return Searched(set(), {}, 0)
    pairs = folder / "pairs"
    pairs.mkdir(parents=True)
    known, named = find_pairs(pairs, graph, corpus, conditions, engine)
    chosen, wide = _chosen(drawn, asked, _sizes(known, named), limits)
    wanted = {condition for id_ in chosen for condition in asked[id_]}
    stated = folder / "stated"
    stated.mkdir()
    verifier = make_verifier({condition.relation for condition in wanted})
    had, new = (
        list(facts_of(row for row in records(table, path) if _condition(row) in wanted))
        for table, path in ((KnownPairs, known), (NamedPairs, named))
    )
    return Searched(set(chosen), find_stated(stated, graph, corpus, had, new, verifier, engine), wide)


def _order(id_: str) -> bytes:
    return hashlib.blake2b(id_.encode(errors="surrogatepass"), digest_size=8).digest()


def _condition(row: Mapping[str, str]) -> Condition:
    return Condition(row["relation"], row["entity"], row["sought"])


def _sizes(known: Path, named: Path) -> Counter[Condition]:
    """The number of facts of each condition, known and possible."""
    tables = ((KnownPairs, known), (NamedPairs, named))
    return Counter(_condition(row) for table, path in tables for row in records(table, path))


def _chosen(
    drawn: Sequence[str],
    asked: Mapping[str, Sequence[Condition]],
    sizes: Mapping[Condition, int],
    limits: SearchLimits,
) -> tuple[list[str], int]:
    """The questions that fit, and how many are too wide; a fact of several questions counts once."""
    chosen: list[str] = []
    taken: set[Condition] = set()
    left, wide = limits.facts, 0
    for id_ in drawn:
        if max(sizes[condition] for condition in asked[id_]) > limits.per_condition:
            wide += 1
            continue
        new = {condition for condition in asked[id_] if condition not in taken}
        cost = sum(sizes[condition] for condition in new)
        if cost > left:
            continue
        left -= cost
        taken |= new
        chosen.append(id_)
    return chosen, wide
