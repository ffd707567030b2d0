"""Relations are asked about if they can be worded; values are compared if they measure something."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.graph.evaluate import answer_terms
from rollcall.mine.attempts import is_about_lists
from rollcall.mine.relations import AskableRelations, askable_relations, can_name_class
from rollcall.query import Query, parse_value
from rollcall.wording import Lexicon


def chosen(
    folder: Path, facts: Iterable[tuple[str, str, str]], values: Iterable[tuple[str, str, str]] = ()
) -> AskableRelations:
    typed = [(subject, relation, parse_value(value)) for subject, relation, value in values]
    write_graph(folder / "graph", facts=list(facts), values=typed)
    with Graph.open(folder / "graph") as graph:
        return askable_relations(graph, ())


def test_ids_without_labels_are_asked_about_if_the_lexicon_knows_them(tmp_path: Path) -> None:
    found = chosen(tmp_path, [("Q1", "P57", "Q2"), ("Q1", "P99999", "Q2"), ("Q1", "P279", "Q3")])
    assert set(found.numbers) == {"P57"}


def test_ids_of_a_users_entry_are_asked_about(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("X7: {label: keeper}\n")
    write_graph(tmp_path / "graph", facts=[("Q1", "X7", "Q2")])
    with Graph.open(tmp_path / "graph") as graph:
        found = askable_relations(graph, (), Lexicon.load(tmp_path / "mine.yaml"))
        assert set(found.numbers) == {"X7"}
        with pytest.raises(RollcallError, match="rollcall lexicon"):
            askable_relations(graph, ())


def test_values_that_only_look_like_measures_are_not_compared(tmp_path: Path) -> None:
    rows = [(f"e{table}-{row}", row) for table in range(4) for row in range(1, 13)]
    values = [
        line
        for n, (name, row) in enumerate(rows)
        for line in (
            (name, "standing", f"{row}"),  # a rank, by its values alone
            (name, "weight", f"{n * n % 97 + 20}"),
            (name, "wins", f"{max(0, n % 12 - 7)}"),  # small counts are the most frequent
            (name, "membership id", f"{n * 131 + 7000}"),
            (name, "site latitude", f"{n + 0.25}"),
            (name, "launched", f"@{1900 + n}"),
        )
    ]
    facts = [(f"e0-{row}", "followed by", f"e1-{row}") for row in range(1, 13)]
    found = chosen(tmp_path, facts, [*values, ("e3-1", "followed by", "3")])
    numbers = {number: id_ for id_, number in found.numbers.items()}
    assert {numbers[number] for number in found.compared} == {"weight", "wins", "launched"}


def test_headings_of_names_and_times_do_not_lead_to_things(tmp_path: Path) -> None:
    facts = [(f"e{n}", relation, f"t{n}") for n in range(3) for relation in ("common name", "keeper")]
    found = chosen(tmp_path, facts, [(f"e{n}", "opening year", f"@{1900 + n}") for n in range(3)])
    assert set(found.numbers) == {"keeper", "opening year"}


def test_columns_of_words_and_numbered_columns_name_no_class() -> None:
    assert [can_name_class(label) for label in ("city", "city 2", "serbian", "tower block")] == [
        True, False, False, True,
    ]  # fmt: skip


def test_lists_are_neither_answers_nor_named(tmp_path: Path) -> None:
    entities = [
        EntityRecord("e1", "List of rivers"),
        EntityRecord("e2", "Marl"),
        EntityRecord("e3", "Ostrell"),
    ]
    write_graph(tmp_path / "graph", facts=[("e1", "keeper", "e2"), ("e3", "keeper", "e2")], entities=entities)
    with Graph.open(tmp_path / "graph") as graph:

        def lists(query: str) -> bool:
            parsed = Query.parse(query)
            return is_about_lists(graph.index, parsed, answer_terms(graph.index, parsed))

        assert lists("?x keeper e2")
        assert lists("e1 keeper ?x")
        assert not lists("e3 keeper ?x")
