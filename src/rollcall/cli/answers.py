"""How answers are printed: one on each line for people and pipes, or as JSON."""

from typing import TYPE_CHECKING, Any

from rollcall.terminal import one_line

if TYPE_CHECKING:
    from rollcall.graph import Graph
    from rollcall.query import Value


def answer_records(graph: "Graph", answers: "frozenset[str | Value]") -> list[dict[str, Any]]:
    """Each answer with its label and aliases, or its value; sorted, independent of the hash seed."""
    records: list[dict[str, Any]] = []
    for answer in answers:
        if isinstance(answer, str):
            entity = graph.entity(answer)
            records.append({"id": answer, "label": entity.label or answer, "aliases": sorted(entity.aliases)})
        else:
            bounds = answer.bounds
            order = (bounds.dimension, bounds.low) if bounds else ("", 0.0)
            records.append({"value": answer.text, "label": str(answer), "order": order})
    records.sort(key=lambda record: (record.pop("order", ("", 0.0)), record["label"], record.get("id", "")))
    return records


def answer_line(record: dict[str, Any], *, aliases: bool = False) -> str:
    """Label and id (or canonical value) separated by a tab, followed by the aliases if they are requested."""
    cells = [record["label"], str(record.get("id", record.get("value")))]
    if aliases and record.get("aliases"):
        cells.append("; ".join(record["aliases"]))
    return "\t".join(map(one_line, cells))
