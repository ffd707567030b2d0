"""The stage that words the drawn queries, and drops questions with equal texts.

Input: `chosen`, and the validated queries. Output: `worded`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rollcall.build.ends import class_names, lexicon_note, relation_ends
from rollcall.build.inputs import Inputs
from rollcall.build.lexicon import build_lexicon
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.stage import Outcome, Work, filtered
from rollcall.filter import Filter
from rollcall.graph import Graph
from rollcall.questions.duplicates import Worded, answer_hash, distinct
from rollcall.tables.build import ChosenQueries, WordedQueries
from rollcall.tables.mining import Answers
from rollcall.tables.reader import batches, records
from rollcall.tables.writer import write_records
from rollcall.wording import Realiser


def word(parameters: Parameters, inputs: Inputs, sources: Sequence[str], work: Work) -> Outcome:
    """Write `worded`: for each kept question its id, query, wordings, and the questions with the same
    answers.
    """
    from rollcall.mine.graph_queries import query_of_row

    rows: dict[str, dict[str, Any]] = {}
    splits: dict[str, str] = {}
    repeated = alike = 0
    with Graph.open(inputs.graph) as graph:
        lexicon = build_lexicon(parameters.wording)
        chosen = list(records(ChosenQueries, work.table("sample", "chosen")))
        asked = sorted({edge.relation for row in chosen for edge in query_of_row(row).edges})
        ends = relation_ends(graph, lexicon, asked, inputs, work)
        classes = {row["class"] for row in chosen if row["class"]}
        names = class_names(graph, classes, inputs, work)
        realiser = Realiser(graph, lexicon, ends=ends, class_names=names, tell_namesakes_apart=True)
        notes = lexicon_note(graph, lexicon, asked)
        seen: set[str] = set()
        for row in chosen:
            query = query_of_row(row)
            if query.text in seen:
                repeated += 1
                continue
            seen.add(query.text)
            if realiser.would_confuse(query):
                alike += 1
                continue
            said = realiser.word(query)
            rows[row["key"]] = {
                "key": row["key"],
                "id": query.id,
                "query": query.text,
                "question": said.question,
                "wordings": list(said.alternatives),
            }
            splits[row["key"]] = row["split"]
    hashes = _answer_hashes([work.table(source, "validated") for source in sources], set(rows))
    found = distinct(
        Worded(key, row["question"], splits[key], hashes[key]) for key, row in sorted(rows.items())
    )
    kept = [
        {**rows[key], "same_answers": [rows[other]["id"] for other in found.same_answers.get(key, ())]}
        for key in sorted(found.kept)
    ]
    write_records(WordedQueries, work.out("worded"), kept)
    removed = {
        Filter("the same query as another"): repeated,
        Filter("two relations or entities with the same words"): alike,
        **found.removed,
    }
    counts = {"share their answers with another": len(found.same_answers)} if found.same_answers else {}
    return filtered(len(kept), removed, notes=notes, counts=counts)


def _answer_hashes(tables: Sequence[Path], keys: set[str]) -> dict[str, str]:
    """One hash for the answers of each question."""
    return {
        key: answer_hash(f"{row['literal']}{row['answer']}" for row in answers)
        for table in tables
        for key, answers in groupby(_validated(table, keys), lambda row: str(row["key"]))
    }


def _validated(table: Path, keys: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The validated answers of some questions; the table is sorted by key."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(keys), pa.string())
    for batch in batches(Answers, table):
        rows = batch.filter(pc.is_in(batch.column("key"), value_set=wanted))
        yield from rows.to_pylist()
