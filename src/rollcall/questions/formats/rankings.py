"""Rankings: the retrieved documents of each question, as TREC, MS MARCO, Pyserini and ranx write them.

Tools sort documents by score and break ties by id, the last first, as trec_eval does; they are read here in
the same order. Ours are written with scores that keep their order in these tools.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats.source import Source
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.text.nouns import counted

_TREC = 6
"""The columns of a line of a TREC run: topic, Q0, document, rank, score, tag."""
_MARCO = 3
"""The columns of a line of an MS MARCO run: topic, document, rank."""


class _RanxRow(msgspec.Struct):
    """A row of ranx's tables."""

    q_id: str
    doc_id: str
    score: float


def write_run(run: Run, path: Path) -> None:
    """The retrieved passages of a run as a ranking."""
    tag = word(Path(run.name or "rollcall").name.partition(".")[0] or "rollcall")
    with path.open("w", encoding="utf-8") as stream:
        for prediction in run:
            for rank, (passage, score) in enumerate(ranked(prediction.retrieved), 1):
                line = f"{word(prediction.id)} Q0 {word(passage)} {rank} {score!r} {tag}"
                stream.write(f"{line}\n")


def ranked(passages: Sequence[Passage]) -> list[tuple[str, float]]:
    """The ids of passages with scores that keep their order.

    Tools sort by score and break ties by id, so scores that do not fall at every rank would change the
    ranking; the ranks are then written as scores. A passage that comes twice counts once.
    """
    scores: dict[str, float | None] = {}
    for passage in passages:
        if passage.id:
            scores.setdefault(passage.id, passage.score)
    given_scores = [score for score in scores.values() if score is not None]
    falls = all(score > next_ for score, next_ in pairwise(given_scores))
    if len(given_scores) == len(scores) and falls:
        return list(zip(scores, given_scores, strict=True))
    return [(id_, float(len(scores) - rank)) for rank, id_ in enumerate(scores)]


def word(text: str) -> str:
    """An id as one word, because the columns are separated by white space."""
    if not text or any(sign.isspace() for sign in text):
        raise RollcallError(f"{text!r:.80}: TREC's files cannot have an id with white space, or an empty one")
    return text


def is_ranking(source: Source) -> bool:
    """Whether a file is a ranked run of TREC's form or of MS MARCO's, by its first line."""
    if source.shape != "table":
        return False
    columns = str(source.first).split()
    if len(columns) == _TREC:
        return columns[1].upper() == "Q0" and columns[3].isdecimal()
    return len(columns) == _MARCO and columns[2].isdecimal()


def read_ranking(source: Source) -> Run:
    """A ranked run: topics with their documents, best first, as trec_eval sorts them."""
    rankings: dict[str, list[tuple[float, str]]] = {}
    width = len(str(source.first).split())
    for number, columns in columns_of(source, width):
        topic, document = (columns[0], columns[2]) if width == _TREC else (columns[0], columns[1])
        try:
            score = float(columns[4]) if width == _TREC else -float(columns[2])
        except ValueError:
            raise RollcallError(f"{source.where}:{number}: the score is not a number") from None
        rankings.setdefault(topic, []).append((score, document))
    return ranking_run(rankings, source.where, scored=width == _TREC)


def ranking_run(rankings: dict[str, list[tuple[float, str]]], where: str, *, scored: bool = True) -> Run:
    """A run of scored documents; ties go by id, the last one first, as trec_eval sorts them."""
    predictions = [
        Prediction(
            topic,
            retrieved=[
                Passage(document, score=score if scored else None)
                for score, document in sorted(documents, reverse=True)
            ],
        )
        for topic, documents in rankings.items()
    ]
    return Run(predictions, Path(where).name)


def columns_of(source: Source, width: int) -> Iterator[tuple[int, list[str]]]:
    text = source.data.decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        columns = line.split()
        if columns and len(columns) != width:
            raise RollcallError(
                f"{source.where}:{number}: has {counted(len(columns), 'column')}, not {width}"
            )
        if columns:
            yield number, columns


def is_ranx(source: Source) -> bool:
    """Whether a file is a run of ranx: an object of scores by question and document, or a table of them."""
    if source.record.keys() >= {"q_id", "doc_id", "score"}:
        return True
    if source.shape != "object" or not isinstance(source.first, dict) or not source.first:
        return False
    ranked_ = next(iter(source.first.values()))
    return isinstance(ranked_, dict) and bool(ranked_) and all(map(_is_number, ranked_.values()))


def read_ranx(source: Source) -> Run:
    """A run of ranx."""
    rankings: dict[str, list[tuple[float, str]]] = {}
    if source.shape != "object":
        for row in source.records(_RanxRow):
            rankings.setdefault(row.q_id, []).append((row.score, row.doc_id))
        return ranking_run(rankings, source.where)
    try:
        decoded = msgspec.json.decode(source.data, type=dict[str, dict[str, float]])
    except UNREADABLE as error:
        raise RollcallError(f"{source.where}: is not a run of ranx ({why(error)})") from None
    for topic, scores in decoded.items():
        rankings[topic] = [(score, document) for document, score in scores.items()]
    return ranking_run(rankings, source.where)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
