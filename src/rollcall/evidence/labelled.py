"""Sentences whose truth is known: labelled triples, figures at each threshold, and the truth of a world."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.files import wrap_decompression
from rollcall.corpus import Corpus
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.names.matcher import BETWEEN, NameMatcher, forms, plain
from rollcall.evidence.names.of_ends import TopicOnPage
from rollcall.evidence.values import ValueMatcher, text_forms, wanted_value
from rollcall.query.values import Text
from rollcall.tables.corpus import Pages
from rollcall.tables.graph import Truth
from rollcall.tables.table import file_name
from rollcall.text.sentences import split

if TYPE_CHECKING:
    from rollcall.graph import Graph


# Labelled triples: sentences with a subject, relation and object, as users give them to `rollcall
# verify`. Input: a file of JSON lines. Output: `Triple` records, and candidates made from them. Names
# are found in the text in the same way as those of a graph's entities, so a triple becomes a candidate
# like any other.


class Triple(msgspec.Struct, frozen=True):
    """One line: a text and the fact it may state; `label` says whether it does."""

    text: str
    subject: str
    relation: str
    object: str
    hypothesis: str = ""
    label: bool | None = None


def read_triples(path: Path) -> list[Triple]:
    """The triples of a file of JSON lines; a bad line is an error that names it."""
    if not path.exists():
        raise RollcallError(f"{path}: no such file")
    try:
        found = list(_read(path))
    except (EOFError, OSError) as error:
        raise RollcallError(f"{path}: cannot be read to its end ({error}); is it damaged?") from None
    if not found:
        raise RollcallError(
            f"{path}: is empty; each line is a JSON object with text, subject, relation, object"
        )
    return found


def _read(path: Path) -> Iterator[Triple]:
    with wrap_decompression(path.open("rb"), path.suffix) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield msgspec.json.decode(line, type=Triple, strict=False)
            except UNREADABLE as error:
                raise RollcallError(
                    f"{path}, line {number}: {why(error)}; a triple has text, subject, relation, object, "
                    "and may have hypothesis and label (true or false)"
                ) from None


def to_candidates(triples: list[Triple], graph: "Graph | None" = None) -> list[CandidateSentence]:
    """Triples as candidates; an end that is the id or a name of an entity in the graph has all its names."""
    return [_candidate(triple, graph) for triple in triples]


def _candidate(triple: Triple, graph: "Graph | None") -> CandidateSentence:
    relation = triple.relation
    if graph is not None and graph.index.relation_number(relation) is None:
        relation = _known_relation(graph, relation)
    subject_names, object_names = _names(graph, triple.subject), _names(graph, triple.object)
    value = None if _is_entity(graph, triple.object) else wanted_value(triple.object)
    before, text = _last_sentence(triple.text, subject_names, object_names)
    wide = plain(text)
    subject_places = _topic_places(wide, subject_names) or _as_written(text, subject_names)
    object_places = _places(wide, object_names, value) or _as_written(text, object_names)
    return CandidateSentence(
        subject=triple.subject,
        relation=relation,
        object=triple.object,
        literal=value is not None,
        text=text,
        before=before,
        subject_name=subject_names[0],
        object_name=object_names[0],
        subject_places=subject_places,
        object_places=object_places,
        hypothesis=triple.hypothesis,
    )


def _known_relation(graph: "Graph", name: str) -> str:
    try:
        return graph.resolve_relation(name)
    except RollcallError:
        return name  # a relation that is not in the graph is judged by its words


def _is_entity(graph: "Graph | None", name: str) -> bool:
    return graph is not None and graph.index.entity_number(name) is not None


def _names(graph: "Graph | None", name: str) -> tuple[str, ...]:
    """The name to show, and all names by which the text may call it."""
    if graph is None:
        return (name,)
    if _is_entity(graph, name):
        record = graph.entity(name)
        return (record.label or name, *record.aliases)
    bearers = graph.find(name)
    return tuple(
        dict.fromkeys((name, *(called for one in bearers for called in (one.label, *one.aliases) if called)))
    )


def _topic_places(text: str, names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(TopicOnPage(names[0], BETWEEN.join(names), text).places(0, len(text)))


def _places(text: str, names: tuple[str, ...], value: Any) -> tuple[tuple[int, int], ...]:
    if value is not None and not isinstance(value, Text):
        values = ValueMatcher()
        values.add(value, 0)
        return tuple((found.start, found.end) for found in values.find(text))
    matcher = NameMatcher(text)
    matcher.add(text_forms(value) if isinstance(value, Text) else forms(names), 0)
    return tuple(found[:2] for found in matcher.find())


def _as_written(text: str, names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Where a text has one of the names letter by letter, such as a year at the end of a range."""
    for name in names:
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        if found := tuple(match.span() for match in re.finditer(pattern, text)):
            return found
    return ()


def _last_sentence(text: str, subjects: tuple[str, ...], objects: tuple[str, ...]) -> tuple[str, str]:
    """The last sentence of a text that names both ends, or else the object or the subject, and those before
    it.
    """
    told = text.strip()
    sentences = [told[start:end] for start, end in split(told)] or [told]

    def names(sentence: str, ends: Sequence[tuple[str, ...]]) -> bool:
        return all(any(name in sentence for name in end) for end in ends)

    for ends in ((subjects, objects), (objects,), (subjects,)):
        for number in range(len(sentences) - 1, -1, -1):
            if names(sentences[number], ends):
                return " ".join(sentences[:number]), sentences[number]
    return " ".join(sentences[:-1]), sentences[-1]


# The average precision of scores on labelled sentences: how well they put true ones before false ones.


def average_precision(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float | None:
    """The mean, over the true sentences, of the precision from each one's score on; None without true ones.

    Sentences with the same score are accepted together, so the result does not depend on their order.
    """
    if not labels.any():
        return None
    _scores, places, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    true = np.bincount(places, weights=labels, minlength=len(counts))
    precision = true.cumsum() / counts.cumsum()
    return float((precision * true).sum() / true.sum())


# The expected calibration error of scores on labelled sentences: how far they are from probabilities.

BINS = 10


def calibration_error(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """The mean distance between mean score and share of true sentences.

    The scores from 0 to 1 are divided into 10 bins of equal width, of which each has its lower end and the
    last one also 1. Each bin counts as much as it has sentences.
    """
    places = np.minimum((scores * BINS).astype(np.int64), BINS - 1)
    distances = np.bincount(places, weights=scores - labels, minlength=BINS)
    return float(np.abs(distances).sum() / max(len(scores), 1))


# The figures of a verifier on labelled sentences at each threshold, or for those that it accepts itself.
# Input: scores and labels. Output: one `Row` for each threshold with precision, recall, the share of
# false sentences that is removed and the share of true ones that is lost.

THRESHOLDS = (0.002, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


class Row(msgspec.Struct, frozen=True):
    """The figures of the sentences that are kept; a share is None if its denominator is 0."""

    threshold: float | None
    """The score from which sentences are kept; None if others are."""
    kept: int
    precision: float | None
    recall: float | None
    false_removed: float | None
    true_lost: float | None


def figures_at(
    scores: NDArray[np.float64], labels: NDArray[np.bool_], thresholds: tuple[float, ...] = THRESHOLDS
) -> list[Row]:
    """One row for each threshold."""
    return [figures_of(scores >= threshold, labels, threshold) for threshold in thresholds]


def figures_of(kept: NDArray[np.bool_], labels: NDArray[np.bool_], threshold: float | None = None) -> Row:
    """The figures if these sentences are kept."""
    true, false = int(labels.sum()), int((~labels).sum())
    right = int((kept & labels).sum())
    recall = right / true if true else None
    return Row(
        threshold=threshold,
        kept=int(kept.sum()),
        precision=right / int(kept.sum()) if kept.any() else None,
        recall=recall,
        false_removed=int((~kept & ~labels).sum()) / false if false else None,
        true_lost=None if recall is None else 1 - recall,
    )


# Compares evidence with the truth of a generated world: sentences that state their fact, and decoys.

STATES, DECOY, OTHER = 2, 1, 0


class Verification(msgspec.Struct, frozen=True):
    """The figures of a verifier on sentences whose truth is known."""

    true: int
    decoys: int
    others: int
    true_lost: float
    decoys_removed: float
    others_removed: float
    kept_true: float
    """The share of kept sentences that state their fact."""
    facts: int
    """Facts with kept evidence."""
    evidence_true: float
    """The share of best pieces of evidence that state their fact."""


class WorldTruth:
    """Which sentence of a world states which fact, and which sentences only seem to."""

    def __init__(self, truth: Path, corpus: Corpus) -> None:
        from rollcall.tables.files import records

        pages = records(Pages, corpus.folder / file_name(Pages), ("id", "title"))
        page_of = {page["title"]: page["id"] for page in pages}
        self._told: set[tuple[str, str, str, str, str]] = set()
        self._decoys: set[tuple[str, str, str, str]] = set()
        for row in records(Truth, truth, ("kind", "subject", "relation", "object", "page", "sentence")):
            kind, subject, relation, object_, title, sentence = row.values()
            if not sentence:
                continue
            page = page_of.get(title, "")
            if kind == "fact":
                self._told.add((subject, relation, object_, page, sentence))
            elif kind == "decoy":
                self._decoys |= {(subject, object_, page, sentence), (object_, subject, page, sentence)}

    def state(self, subject: str, relation: str, object_: str, page: str, text: str) -> int:
        """Whether a sentence states a fact, is a decoy about its ends, or neither."""
        if (subject, relation, object_, page, text) in self._told:
            return STATES
        return DECOY if (subject, object_, page, text) in self._decoys else OTHER

    def states(self, candidates: list[CandidateSentence]) -> np.ndarray:
        """The states of candidates."""
        return np.array(
            [self.state(c.subject, c.relation, c.object, c.page, c.text) for c in candidates], int
        )


def verification(
    states: np.ndarray, scores: np.ndarray, accepted: np.ndarray, facts: np.ndarray
) -> Verification:
    """The figures of a verifier; `facts` has the number of each candidate's fact."""

    def share(of: np.ndarray) -> float:
        return float(of.mean()) if len(of) else 0.0

    kept = np.flatnonzero(accepted)
    order = kept[np.lexsort((-scores[kept], facts[kept]))]
    best = order[np.concatenate([[True], facts[order][1:] != facts[order][:-1]])] if len(order) else order
    return Verification(
        true=int((states == STATES).sum()),
        decoys=int((states == DECOY).sum()),
        others=int((states == OTHER).sum()),
        true_lost=share(~accepted[states == STATES]),
        decoys_removed=share(~accepted[states == DECOY]),
        others_removed=share(~accepted[states == OTHER]),
        kept_true=share(states[accepted] == STATES),
        facts=len(best),
        evidence_true=share(states[best] == STATES),
    )
