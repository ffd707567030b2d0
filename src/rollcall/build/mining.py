"""The stages that mine: one for every kind of question, and one that finds out what lists stand for.

- `mine`, `table_relations`: the stages. `choose`: the relations that a build asks about, and why. `check`
  refuses relations that the graph does not have.

Input: a graph or a corpus, and for kinds that start from simple queries the proved ones. Output: `queries`,
`proofs`, and `facts` for which evidence is needed; kinds whose answers need not be proved also write
`answers`.
"""

from pathlib import Path
from typing import Any, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.build.lexicon import build_lexicon, knows_graph
from rollcall.build.stage import Inputs, Outcome, Work, filtered
from rollcall.graph import Graph
from rollcall.mine.kinds import MiningContext, Proved, QuestionKind
from rollcall.mine.relations import BOOKKEEPING, EVERY_RELATION, can_be_worded
from rollcall.wording import Lexicon


def mine(parameters: Any, inputs: Inputs, kind: type[QuestionKind], start: str | None, work: Work) -> Outcome:
    """Mine the queries of a kind, from the proved simple queries of the stage `start` if there is one."""
    options: dict[str, Any] = {}
    notes: list[str] = []
    if "wording" in kind.sections:
        options["lexicon"] = build_lexicon(parameters.wording)
    if "answers" in kind.sections:
        least = parameters.answers_of(kind.place()).least
        options |= {"least": least, "most": parameters.most_in_graph}
    if kind.relations:
        choice = choose(inputs.graph, parameters, kind.relations)
        excluded = (*BOOKKEEPING, *parameters.relations.excluded)
        options |= {"relations": choice.relations, "types": choice.types, "excluded": excluded}
        options["lexicon_knows_graph"] = knows_graph(inputs.graph, parameters, Lexicon.load())
        notes.append(choice.why)
    context = MiningContext(
        inputs.graph,
        work.folder,
        work.engine,
        inputs.given_corpus,
        parameters.seed,
        show_progress=work.show_progress,
        proved=None if start is None else _proved(start, work),
        **options,
    )
    mined = kind.mine(getattr(parameters, kind.place()), context)
    return filtered(
        mined.queries, mined.removed, mined.change, notes=[*notes, *mined.notes], counts=mined.counts
    )


def _proved(start: str, work: Work) -> Proved:
    return Proved(
        queries=work.table(start, "kept"),
        answers=work.table(start, "validated"),
        groups=[work.table("simple", name) for name in ("groups", "vague_groups")],
        proofs=[work.table("simple", name) for name in ("proofs", "vague_proofs")],
        facts=work.table("simple", "facts"),
    )


def table_relations(inputs: Inputs, work: Work) -> Outcome:
    """Find the relations of the graph that lists stand for, and list the facts that the lists then state."""
    from rollcall.mine.lists.mine import relate_lists

    facts = relate_lists(
        inputs.graph,
        work.table("tables", "list_facts"),
        work.table("tables", "proofs"),
        work.folder,
        work.engine,
    )
    return Outcome(facts)


# The relations that a build asks about. The lexicon knows how to word its relations and which of them are
# worth asking about. So it is used if its relations have a large enough share of the graph's facts. For any
# other graph all relations are asked about, worded by their labels.


class RelationChoice(NamedTuple):
    """The relations of a graph that are asked about, and the reason."""

    relations: list[str] | str
    """Their ids, or `EVERY_RELATION`: mining then leaves out relations that cannot be asked
    about.
    """
    types: dict[str, list[str]]
    """The classes that split a relation, if the lexicon names some."""
    why: str


def choose(graph: Path, parameters: Any, use: str) -> RelationChoice:
    """The relations for a use, `simple` or `composition`."""
    lexicon = build_lexicon(parameters.wording)
    selection: str | list[str] = getattr(parameters.relations, use)
    with Graph.open(graph) as opened:
        rows: list[dict[str, Any]] = opened.tables.relations.to_pyarrow().to_pylist()
    rows_by_id = {row["id"]: row for row in rows}
    known_relations = [relation for relation in lexicon.relations(use) if relation in rows_by_id]
    relations, why = _choice(selection, rows_by_id, known_relations, parameters.relations.covered, use)
    types = {}
    for relation in rows_by_id if relations == EVERY_RELATION else relations:
        class_ids = list(lexicon.entry(relation, rows_by_id[relation]["label"]).types)
        if class_ids:
            types[relation] = class_ids
    return RelationChoice(relations if isinstance(relations, str) else sorted(relations), types, why)


def check(parameters: Any, inputs: Inputs) -> None:
    """Refuse a lexicon that cannot be read, and relations that the graph does not have."""
    build_lexicon(parameters.wording)
    for use in ("simple", "composition"):
        if getattr(parameters.relations, use) not in ("auto", "all"):  # every graph has these
            choose(inputs.graph, parameters, use)


def _choice(
    selection: str | list[str],
    graph_relations: dict[str, dict[str, Any]],
    known_relations: list[str],
    covered: float,
    use: str,
) -> tuple[list[str] | str, str]:
    if isinstance(selection, list):
        missing = [relation for relation in selection if relation not in graph_relations]
        if missing:
            raise RollcallError(
                f"relations.{use}: the graph has no relation {missing[0]!r}; write ids as the graph has them"
            )
        return selection, f"{len(selection)} relations, as the recipe lists them"
    facts = sum(row["facts"] for row in graph_relations.values())
    share = sum(graph_relations[relation]["facts"] for relation in known_relations) / facts if facts else 0.0
    known_part = (
        f"the lexicon knows {len(known_relations)} of the graph's {len(graph_relations)} relations "
        f"({share:.0%} of its facts)"
    )
    unlabelled = not any(can_be_worded(row["label"] or id_) for id_, row in graph_relations.items())
    if selection == "lexicon" or (
        selection == "auto" and known_relations and (share >= covered or unlabelled)
    ):
        if not known_relations:
            raise RollcallError(
                f"relations.{use}: lexicon: {known_part}; write `all`, or give entries with wording.lexicon"
            )
        return known_relations, f"{known_part}; these are asked about"
    return EVERY_RELATION, f"{known_part}; all are asked about"
