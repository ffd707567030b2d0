"""The stage that words queries, and drops questions with equal texts.

Input: the drawn queries, or all mined ones, and their answers. Output: `worded`, one row for each kept query
with its wordings, its split and the questions with the same answers.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple

from rollcall._core.errors import Filter, RollcallError
from rollcall.build.ends import lexicon_note, realiser_for
from rollcall.build.lexicon import build_lexicon
from rollcall.build.sampling import by_shares, unit, whole_clusters
from rollcall.build.stage import Inputs, Outcome, Work, filtered
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions.splits import Worded, answer_hash, distinct
from rollcall.tables.build import ChosenQueries, ValidatedAnswers, WordedQueries
from rollcall.tables.files import batches, records, write_records
from rollcall.tables.table import DeclaredTable, columns


def word_drawn(parameters: Any, inputs: Inputs, sources: Sequence[str], work: Work) -> Outcome:
    """Word the drawn queries; `sources` are the stages that validated answers."""
    rows = [*records(ChosenQueries, work.table("sample", "chosen"))]
    answers = [work.table(source, "validated") for source in sources]
    splits = {row["key"]: row["split"] for row in rows}
    words = _word(parameters, inputs, rows, answers, work, tell_namesakes_apart=True)
    return _write(words, lambda units: splits, 0, "id", work)


def word_mined(
    parameters: Any, inputs: Inputs, sources: Sequence[tuple[str, type[DeclaredTable]]], work: Work
) -> Outcome:
    """Word all queries of the mining stages and split them; `sources` are the stages and their tables."""
    rows = [
        {**row, "source": source}
        for source, table in sources
        for row in records(table, work.table(source, "queries"))
    ]
    answers = [work.table(source, "answers") for source, _table in sources]
    most = parameters.wording.sentences - 1
    words = _word(parameters, inputs, rows, answers, work, most)
    least = parameters.clusters.least_questions
    return _write(words, lambda units: by_shares(parameters, units), least, "key", work)


class _Words(NamedTuple):
    """Worded queries by key, the hash of the answers of each, and what was left out."""

    rows: dict[str, dict[str, Any]]
    hashes: dict[str, str]
    removed: dict[Filter, int]
    notes: list[str]


def _word(
    parameters: Any,
    inputs: Inputs,
    rows: Sequence[Mapping[str, Any]],
    tables: Sequence[Path],
    work: Work,
    most: int | None = None,
    *,
    tell_namesakes_apart: bool = False,
) -> _Words:
    """Word queries with at most `most` other wordings; `tables` have their answers."""
    worded: dict[str, dict[str, Any]] = {}
    seen: set[str] = set()
    repeated = unaskable = unsayable = 0
    queries = [Query.parse(row["query"]) for row in rows]
    hashes, answers = _known_answers(tables, {row["key"] for row in rows})
    with Graph.open(inputs.graph) as graph:
        lexicon = build_lexicon(parameters.wording)
        relations = sorted({relation for query in queries for relation in query.relations})
        notes = lexicon_note(graph, lexicon, relations)
        realiser = realiser_for(
            graph,
            lexicon,
            queries,
            chain(*answers.values()),
            inputs,
            work,
            tell_namesakes_apart=tell_namesakes_apart,
        )
        for row, query in zip(rows, queries, strict=True):
            if query.text in seen:
                repeated += 1
                continue
            seen.add(query.text)
            wording = realiser.ask(query, answers.get(row["key"], ()))
            if wording is None:
                unaskable += 1
                continue
            if realiser.cannot_be_said_well(query):
                unsayable += 1
                continue
            worded[row["key"]] = {
                **dict.fromkeys(columns(WordedQueries)),
                **row,
                "id": query.id,
                "question": wording.question,
                "wordings": list(wording.alternatives)[:most],
            }
    removed = {
        Filter("the same query as another"): repeated,
        Filter("no sensible question"): unaskable,
        Filter("no wording that people would use"): unsayable,
    }
    return _Words(worded, hashes, removed, notes)


def _write(
    words: _Words, split: Callable[[set[str]], Mapping[str, str]], least: int, named_by: str, work: Work
) -> Outcome:
    """Write the questions of different texts, without clusters with fewer than `least`.

    Those with the same answers are named by the column `named_by`.
    """
    rows = words.rows
    splits = split({unit(row) for row in rows.values()})
    result = distinct(
        Worded(key, row["question"], splits[unit(row)], words.hashes.get(key, key))
        for key, row in sorted(rows.items())
    )
    kept_rows = whole_clusters({key: rows[key] for key in result.kept}, least)
    if not kept_rows:
        raise RollcallError("no question is left: all were worded alike; is the graph without labels?")
    same_answers = {
        key: [other for other in result.same_answers.get(key, ()) if other in kept_rows] for key in kept_rows
    }
    worded_rows = [
        {name: row[name] for name in columns(WordedQueries)}
        | {"split": splits[unit(row)], "same_answers": [rows[other][named_by] for other in same_answers[key]]}
        for key, row in sorted(kept_rows.items())
    ]
    write_records(WordedQueries, work.out("worded"), worded_rows)
    removed = {**words.removed, **result.removed}
    removed[Filter("left alone in a cluster")] = len(result.kept) - len(kept_rows)
    counts = Counter(row["kind"] for row in kept_rows.values())
    if linked := sum(bool(others) for others in same_answers.values()):
        counts["share their answers with another"] = linked
    return filtered(len(kept_rows), removed, notes=words.notes, counts=counts)


def _known_answers(tables: Sequence[Path], keys: set[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """One hash for the answers of each query (of a count, what it counts), and those that are entities."""
    hashes: dict[str, str] = {}
    entities: dict[str, list[str]] = {}
    for table in tables:
        for key, group in groupby(_answers(table, keys), lambda row: str(row["key"])):
            answers = [(str(row["answer"]), bool(row["literal"])) for row in group]
            hashes[key] = answer_hash(f"{literal}{answer}" for answer, literal in answers)
            entities[key] = [answer for answer, literal in answers if not literal]
    return hashes, entities


def _answers(table: Path, keys: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The answers of some questions; the table is sorted by key."""
    import pyarrow as pa
    import pyarrow.compute as pc

    key_array = pa.array(sorted(keys), pa.string())
    for batch in batches(ValidatedAnswers, table):
        yield from batch.filter(pc.is_in(batch.column("key"), value_set=key_array)).to_pylist()
