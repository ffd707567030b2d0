"""Chooses the relations that a build asks about, and explains the choice.

The lexicon knows how to word its relations and which of them are worth asking about. So it is used if its
relations have a large enough share of the graph's facts. For any other graph all relations are asked about,
worded by their labels.
"""

from pathlib import Path
from typing import Any, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.build.expectation import acceptance_for
from rollcall.build.lexicon import build_lexicon
from rollcall.build.stage import Inputs
from rollcall.evidence.expected import Acceptance
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.graph import Graph
from rollcall.mine.relations import EVERY_RELATION, can_be_worded
from rollcall.wording import Lexicon


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


def knows_graph(graph: Path, parameters: Any, lexicon: Lexicon) -> bool:
    """Whether a lexicon knows relations that hold enough of the graph's facts."""
    with Graph.open(graph) as opened:
        rows: list[dict[str, Any]] = opened.tables.relations.to_pyarrow().to_pylist()
    known_facts: int = sum(row["facts"] for row in rows if row["id"] in lexicon)
    all_facts: int = sum(row["facts"] for row in rows)
    return 0 < known_facts >= float(parameters.relations.covered) * all_facts


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


# Which sentences are accepted: by the verifier's own thresholds, by one score, by what is expected of
# them, or by a share of facts.


def acceptance(verifier: Verifier, learned: bool, parameters: Any, graph: Path) -> Acceptance:
    """How sentences are accepted by a recipe; `learned` says whether the verifier learned from the graph.

    Such a verifier, unless it gives calibrated probabilities, takes a pair without a relation as a sign that
    the relation is not stated. That holds in graphs that are kept with care. In a graph of open-ended
    relations ("place", "home town", "based in") most pairs that it rejects by its own threshold are stated.
    """
    keys = parameters.evidence
    if keys.expectation is not None:
        return acceptance_for(keys)
    if isinstance(keys.threshold, float):
        return Acceptance(threshold=keys.threshold)
    own_thresholds = keys.threshold == "own" or not learned or verifier.prior is not None
    if own_thresholds or knows_graph(graph, parameters, build_lexicon(parameters.wording)):
        return Acceptance()
    return Acceptance(stated=keys.stated)
