"""The stage that words the drawn queries, and drops questions with equal texts.

Input: `chosen`, and the validated queries. Output: `worded`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from rollcall.build.ends import lexicon_note, realiser_for
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
        queries = {row["key"]: query_of_row(row) for row in chosen}
        asked = sorted({relation for query in queries.values() for relation in query.relations})
        notes = lexicon_note(graph, lexicon, asked)
        hashes, answers = _known_answers(
            [work.table(source, "validated") for source in sources], set(queries)
        )
        realiser = realiser_for(
            graph,
            lexicon,
            list(queries.values()),
            chain(*answers.values()),
            inputs,
            work,
            tell_namesakes_apart=True,
        )
        seen: set[str] = set()
        for row in chosen:
            query = queries[row["key"]]
            if query.text in seen:
                repeated += 1
                continue
            seen.add(query.text)
            said = realiser.ask(query, answers.get(row["key"], ()))
            if said is None:
                alike += 1
                continue
            rows[row["key"]] = {
                "key": row["key"],
                "id": query.id,
                "query": query.text,
                "question": said.question,
                "wordings": list(said.alternatives),
            }
            splits[row["key"]] = row["split"]
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
        Filter("no sensible question"): alike,
        **found.removed,
    }
    counts = {"share their answers with another": len(found.same_answers)} if found.same_answers else {}
    return filtered(len(kept), removed, notes=notes, counts=counts)


def _known_answers(tables: Sequence[Path], keys: set[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """One hash for the answers of each question, and those answers that are entities."""
    hashes: dict[str, str] = {}
    entities: dict[str, list[str]] = {}
    for table in tables:
        for key, group in groupby(_validated(table, keys), lambda row: str(row["key"])):
            answers = [(str(row["answer"]), bool(row["literal"])) for row in group]
            hashes[key] = answer_hash(f"{literal}{answer}" for answer, literal in answers)
            entities[key] = [answer for answer, literal in answers if not literal]
    return hashes, entities


def _validated(table: Path, keys: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The validated answers of some questions; the table is sorted by key."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(keys), pa.string())
    for batch in batches(Answers, table):
        rows = batch.filter(pc.is_in(batch.column("key"), value_set=wanted))
        yield from rows.to_pylist()
