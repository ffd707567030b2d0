"""Chooses the relations that joins ask about: the given ones or all, except those excluded by id or label."""

from collections.abc import Collection, Sequence

from rollcall.errors import RollcallError
from rollcall.mine.mining import graph_table
from rollcall.mine.options import EVERY_RELATION
from rollcall.mine.record_keeping import BOOKKEEPING, can_be_worded, promises_no_things
from rollcall.tables.engine import Workbench
from rollcall.tables.graph import Relations


def chosen_relations(
    bench: Workbench,
    relations: Sequence[str] | str,
    excluded: Collection[str] | None,
    *,
    to_things: bool = False,
) -> list[str]:
    """The ids of the chosen relations that the graph has; an error if there is none.

    With `to_things`, and if all relations are asked for, relations whose label asks for a name or a time are
    left out: if a table links a language under "native name", the language is not the name.
    """
    known = {row["id"]: row["label"] or row["id"] for row in bench.records(lambda: graph_table(Relations))}
    if isinstance(relations, str):
        if relations != EVERY_RELATION:
            raise RollcallError(f"relations: {relations!r} is neither a list of ids nor {EVERY_RELATION!r}")
        relations = [
            relation
            for relation, label in known.items()
            if can_be_worded(label) and not (to_things and promises_no_things(label))
        ]
        if not relations:
            raise RollcallError(
                f"none of the graph's {len(known)} relations has a label that can be worded; give labels, or "
                "name the relations to ask about by their ids"
            )
        excluded = BOOKKEEPING if excluded is None else excluded
    left_out = {name.casefold() for name in excluded or ()}
    chosen = [
        relation
        for relation in relations
        if relation in known and not {relation.casefold(), known[relation].casefold()} & left_out
    ]
    if not chosen:
        raise RollcallError(
            f"none of the {len(relations)} relations asked for is in the graph, which has {len(known)};"
            f" use its ids, or {EVERY_RELATION!r} for every relation"
        )
    return chosen
