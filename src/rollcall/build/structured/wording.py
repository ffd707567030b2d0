"""The stage that words the mined queries, assigns them to splits, and drops questions with equal texts.

Input: `queries` and `answers` of the mining stages. Output: `worded`. The splits are drawn at random over
units: a cluster, or a query with all its paraphrases. A cluster that loses questions must keep at least two.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rollcall.build.ends import class_names, lexicon_note, relation_ends
from rollcall.build.inputs import Inputs
from rollcall.build.lexicon import build_lexicon
from rollcall.build.stage import Outcome, Work, filtered
from rollcall.build.structured.parameters import Parameters
from rollcall.errors import RollcallError
from rollcall.filter import Filter
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions.duplicates import Worded, answer_hash, distinct
from rollcall.questions.lots import lot
from rollcall.tables.build import WordedStructures
from rollcall.tables.mining import ClusterQueries, QueryAnswers, SetQueries, TemplateQueries
from rollcall.tables.reader import records
from rollcall.tables.table import Table, columns
from rollcall.tables.writer import write_records
from rollcall.wording import Realiser

_QUERIES: dict[str, type[Table]] = {
    "templates": TemplateQueries,
    "clusters": ClusterQueries,
    "sets": SetQueries,
}
"""The table of queries that each mining stage writes."""


def word(parameters: Parameters, inputs: Inputs, sources: Sequence[str], work: Work) -> Outcome:
    """Write `worded`: one row for each kept query, with its wordings, its split, and those with the same
    answers.
    """
    rows: dict[str, dict[str, Any]] = {}
    repeated = alike = 0
    with Graph.open(inputs.graph) as graph:
        lexicon = build_lexicon(parameters.wording)
        asked = sorted(
            {
                relation
                for source in sources
                for row in records(_QUERIES[source], work.table(source, "queries"))
                for relation in row["relations"]
            }
        )
        classes = {
            class_id
            for source in sources
            for row in records(_QUERIES[source], work.table(source, "queries"))
            for class_id in Query.parse(row["query"]).classes
        }
        ends = relation_ends(graph, lexicon, asked, inputs, work)
        names = class_names(graph, classes, inputs, work)
        realiser = Realiser(graph, lexicon, ends=ends, class_names=names)
        notes = lexicon_note(graph, lexicon, asked)
        for source in sources:
            for row in records(_QUERIES[source], work.table(source, "queries")):
                if row["key"] in rows:
                    repeated += 1
                    continue
                query = Query.parse(row["query"])
                if realiser.would_confuse(query):
                    alike += 1
                    continue
                said = realiser.word(query)
                other = list(said.alternatives)[: parameters.wording.sentences - 1]
                rows[row["key"]] = row | {"source": source, "question": said.question, "wordings": other}
    splits = parts(parameters, {unit(row) for row in rows.values()})
    hashes = _answer_hashes(sources, work)
    found = distinct(
        Worded(key, row["question"], splits[unit(row)], hashes.get(key, key))
        for key, row in sorted(rows.items())
    )
    kept = _whole_clusters({key: rows[key] for key in found.kept}, parameters.clusters.least_questions)
    if not kept:
        raise RollcallError("no question is left: all were worded alike; is the graph without labels?")
    _write(work, kept, splits, found.same_answers)
    removed = {
        Filter("the same query as another"): repeated,
        Filter("two relations or entities with the same words"): alike,
        **found.removed,
        Filter("left alone in a cluster"): len(found.kept) - len(kept),
    }
    counts = Counter(row["kind"] for row in kept.values())
    linked = sum(key in found.same_answers for key in kept)
    return filtered(
        len(kept), removed, notes=notes, counts={**counts, "share their answers with another": linked}
    )


def unit(row: Mapping[str, Any]) -> str:
    """The unit of a row; all rows of a unit are in one split."""
    return str(row.get("cluster") or row["key"])


def parts(parameters: Parameters, units: set[str]) -> dict[str, str]:
    """The split of each unit: units in random order, divided in proportion to the shares."""
    shares = parameters.split.shares
    total, before = sum(shares.values()), 0.0
    drawn = sorted(units, key=lambda name: lot(parameters.seed, "part", name))
    found: dict[str, str] = {}
    for part, share in shares.items():
        first, last = (round(len(drawn) * edge / total) for edge in (before, before + share))
        found.update(dict.fromkeys(drawn[first:last], part))
        before += share
    return found


def _answer_hashes(sources: Sequence[str], work: Work) -> dict[str, str]:
    """One hash for the answers of each query; the things that a count counts are not its answers."""
    answers: dict[str, list[str]] = {}
    for source in sources:
        for row in records(QueryAnswers, work.table(source, "answers")):
            answers.setdefault(row["key"], []).append(f"{row['literal']}{row['answer']}")
    return {key: answer_hash(members) for key, members in answers.items()}


def _whole_clusters(rows: dict[str, dict[str, Any]], least: int) -> dict[str, dict[str, Any]]:
    sizes = Counter(row["cluster"] for row in rows.values() if row.get("cluster"))
    return {key: row for key, row in rows.items() if not row.get("cluster") or sizes[row["cluster"]] >= least}


def _write(
    work: Work, kept: dict[str, dict[str, Any]], splits: dict[str, str], same: dict[str, list[str]]
) -> None:
    made = [
        {name: row.get(name) for name in columns(WordedStructures)}
        | {"split": splits[unit(row)], "same_answers": [k for k in same.get(key, ()) if k in kept]}
        for key, row in sorted(kept.items())
    ]
    write_records(WordedStructures, work.out("worded"), made)
