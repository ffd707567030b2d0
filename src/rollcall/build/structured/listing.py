"""Lists the stages of the pipeline: what each needs, which parameters it uses, and what it reads."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from rollcall._core.errors import Filter, RollcallError
from rollcall.build.ends import lexicon_note, realiser_for
from rollcall.build.keys import Declaring
from rollcall.build.lexicon import build_lexicon
from rollcall.build.releasing import release
from rollcall.build.stage import Inputs, Outcome, Stage, Work, filtered
from rollcall.build.structured import assembling, mining
from rollcall.build.structured.parameters import Parameters, whole_clusters
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions.release import Worded, answer_hash, distinct
from rollcall.questions.splits import lot
from rollcall.tables.build import ClusterQueries, QueryAnswers, SetQueries, TemplateQueries, WordedStructures
from rollcall.tables.files import records, write_records
from rollcall.tables.table import Table, columns

# The stage that words the mined queries, assigns them to splits, and drops questions with equal texts.
# Input: `queries` and `answers` of the mining stages. Output: `worded`. The splits are drawn at random
# over units: a cluster, or a query with all its paraphrases. A cluster that loses questions must keep at
# least two.

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
        queries = [
            Query.parse(row["query"])
            for source in sources
            for row in records(_QUERIES[source], work.table(source, "queries"))
        ]
        answers = _answers(sources, work)
        named = {key: [one.id for one in some if not one.literal] for key, some in answers.items()}
        realiser = realiser_for(graph, lexicon, queries, chain(*named.values()), inputs, work)
        notes = lexicon_note(graph, lexicon, sorted({one for query in queries for one in query.relations}))
        for source in sources:
            for row in records(_QUERIES[source], work.table(source, "queries")):
                if row["key"] in rows:
                    repeated += 1
                    continue
                worded = realiser.ask(Query.parse(row["query"]), named.get(row["key"], ()))
                if worded is None:
                    alike += 1
                    continue
                other = list(worded.alternatives)[: parameters.wording.sentences - 1]
                rows[row["key"]] = row | {"source": source, "question": worded.question, "wordings": other}
    splits = parts(parameters, {unit(row) for row in rows.values()})
    hashes = {key: answer_hash(f"{a.literal}{a.id}" for a in members) for key, members in answers.items()}
    found = distinct(
        Worded(key, row["question"], splits[unit(row)], hashes.get(key, key))
        for key, row in sorted(rows.items())
    )
    kept = whole_clusters({key: rows[key] for key in found.kept}, parameters.clusters.least_questions)
    if not kept:
        raise RollcallError("no question is left: all were worded alike; is the graph without labels?")
    _write(work, kept, splits, found.same_answers)
    removed = {
        Filter("the same query as another"): repeated,
        Filter("no sensible question"): alike,
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


class _Answer(NamedTuple):
    id: str
    literal: bool


def _answers(sources: Sequence[str], work: Work) -> dict[str, list[_Answer]]:
    """The answers of each query; of a count, the things it counts."""
    answers: dict[str, list[_Answer]] = {}
    for source in sources:
        for row in records(QueryAnswers, work.table(source, "answers")):
            answers.setdefault(row["key"], []).append(_Answer(row["answer"], row["literal"]))
    return answers


def _write(
    work: Work, kept: dict[str, dict[str, Any]], splits: dict[str, str], same: dict[str, list[str]]
) -> None:
    made = [
        {name: row.get(name) for name in columns(WordedStructures)}
        | {"split": splits[unit(row)], "same_answers": [k for k in same.get(key, ()) if k in kept]}
        for key, row in sorted(kept.items())
    ]
    write_records(WordedStructures, work.out("worded"), made)


_BOTH = ("graph", "corpus")
_MINERS = {
    "template": ("templates", mining.templates, _BOTH),
    "cluster": ("clusters", mining.clusters, ("graph",)),
    "set-operation": ("sets", mining.sets, ("graph",)),
}
"""By kind of question: the stage (and section of parameters) of this name, its function, and its inputs."""


def all_stages(parameters: Parameters, inputs: Inputs, recipe: dict[str, Any]) -> list[Stage]:
    """The stages, in order."""
    declaring = Declaring(parameters, inputs)
    stages = []
    for kind in dict.fromkeys(parameters.kinds):
        name, work, reads = _MINERS[kind]
        stages.append(declaring.stage(name, work, reads=reads, sections=("seed", name, "wording")))
    sources = [stage.name for stage in stages]
    proved = ["evidence"] if parameters.evidence.use else []
    if proved:
        stages.append(
            declaring.stage(
                "evidence",
                mining.evidence,
                VERIFIERS.find(parameters.evidence.verifier),
                sources,
                needs=sources,
                reads=_BOTH,
                sections=("evidence", "wording"),
            )
        )
    return [
        *stages,
        declaring.stage(
            "word",
            word,
            sources,
            needs=sources,
            reads=_BOTH,
            sections=("seed", "wording", "split", "clusters"),
        ),
        declaring.stage(
            "assemble",
            assembling.assemble,
            recipe["name"],
            sources,
            needs=(*sources, *proved, "word"),
            reads=_BOTH,
            sections=("evidence", "wording", "clusters"),
            more={"recipe": recipe["name"]},
        ),
        declaring.stage(
            "release",
            release,
            recipe,
            needs=(*sources, *proved, "word", "assemble"),
            reads=_BOTH,
            more=recipe,
            uses_outcomes=True,
        ),
    ]
