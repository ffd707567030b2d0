"""Lists as queries: key columns, kinds of columns, comparisons, and the relations they stand for."""

from collections import Counter

import pyarrow.parquet as pq
import pytest

from engines import ENGINE
from rollcall.corpus import make_corpus
from rollcall.corpus.lists import MEMBERSHIP, column_relation
from rollcall.graph import Graph, make_graph
from rollcall.mine.lists.columns import (
    CellFact,
    ListCell,
    ListPage,
    ListTable,
    key_column,
    list_name,
    list_pages,
    list_tables,
    read_column,
    tidy_header,
)
from rollcall.mine.lists.mine import mine_lists, relate_lists
from rollcall.mine.lists.queries import ListLimits, ListQueryOptions, draw_varied, list_queries
from rollcall.query import Query, parse_value
from rollcall.query.values import holds
from rollcall.tables.build import ListQueries, ValidatedAnswers, ValidatedQueries
from rollcall.tables.files import write_records
from rollcall.tables.table import columns as names_of_columns
from rollcall.world import write_world


def table(title, header, *rows):
    """A table in which "[x]" is a cell with a link to x."""
    cells = [
        tuple(ListCell(text.strip("[]"), (text.strip("[]"),) if text.startswith("[") else ()) for text in row)
        for row in rows
    ]
    return ListTable(title, 0, "", tuple(header), tuple(cells))


def rows(*columns):
    return list(zip(*columns, strict=True))


NAMES = [f"[Lake {name}]" for name in ("Ama", "Bor", "Cel", "Dun", "Eri", "Fen")]
PLACES = ["[Norrow]", "[Norrow]", "[Sund]", "[Norrow]", "[Sund]", "[Norrow]"]
NUMBERS = ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize(
    ("title", "header", "columns", "key"),
    [
        ("List of lakes of Norrow", ["Lake", "Region"], [NAMES, PLACES], 0),
        ("List of lakes of Norrow", ["Rank", "Region", "Lake"], [NUMBERS, PLACES, NAMES], 2),
        ("List of lakes of Norrow", ["#", "Name", "Notes"], [NUMBERS, NAMES, ["old"] * 6], 1),
        ("List of flag bearers for Norrow", ["Event year", "Season", "Flag bearer"],
         [[f"[{year}]" for year in range(1980, 1986)], ["Summer"] * 6, NAMES], 2),
        ("List of club owners", ["Club", "Owner(s)"], [[f"[FC {n}]" for n in NUMBERS], NAMES], 1),
        ("List of works by Orla Venn", ["Film", "English title"],
         [NAMES, [f"The {n} Lakes" for n in NUMBERS]], 0),
        ("List of lakes of Norrow", ["Named by", "Name"],
         [[f"[Ann {n}]" for n in NUMBERS], [f"Pool {n}" for n in "ABCDEF"]], 1),
        ("List of protected areas of Norrow", ["Name", "Area"],
         [NAMES, [f"{n},250 km (7 sq mi)" for n in NUMBERS]], 0),
        ("List of test matches", ["Date", "Score"], [[f"{n} May 1930" for n in NUMBERS], NUMBERS], None),
    ],
)  # fmt: skip
def test_the_key_column_names_what_is_listed(title, header, columns, key):
    assert key_column(table(title, header, *rows(*columns)), list_name(title)) == key


def test_the_words_of_a_lists_name():
    assert list_name("List of Baptist churches in Iowa by city").words == ("baptist", "church", "iowa")
    assert list_name("List of films by Orla Venn").words == ("film", "orla", "venn")
    assert list_name("List of cities and towns in Iowa").heads == ("city", "town")
    assert list_name("List of cities and towns in Iowa").either == {"city", "town"}
    assert not list_name("List of Bosnia and Herzegovina rivers").either
    assert list_name("List of lemur species of Iowa").words == ("lemur", "iowa")
    assert list_name("List of species").words == ("species",)
    assert list_name("List of rivers: A–C") is None
    assert list_name("Lists of rivers") is None
    assert list_name("Old provinces of the Norrow Isles").words == ("old", "province", "norrow", "isle")
    assert list_name("Provinces of Norrow").heads == ("province",)
    for title in ("Sports in Marl", "Media in Marl", "United States in 1990", "Norrows at the Marl Games"):
        assert list_name(title) is None


def test_a_page_with_a_plural_title_is_a_list_if_its_table_lists_those_things():
    lakes = table("Lakes of Norrow", ["Lake", "Region"], *rows(NAMES, PLACES))
    clubs = table("Lakes of Sund", ["Club", "Region"], *rows(NAMES, PLACES))
    listed = table("List of pools", ["Club", "Region"], *rows(NAMES, PLACES))
    assert [page.title for page in list_pages([lakes, clubs, listed], "List of")] == [
        "Lakes of Norrow",
        "List of pools",
    ]


@pytest.mark.parametrize(
    ("header", "cells", "kind", "first"),
    [
        ("Region", PLACES, "entity", ("Norrow", False)),
        ("Colour", ["red", "blue", "red[1]", "blue", "red", "red"], "text", ('"red"', True)),
        ("Opened", ["1950", "1961", "c. 1970", "1974", "", "1980"], "date", ("@1950", True)),
        ("Depth (m)", ["12", "1,204", "3", "40", "51", "6"], "number", ("12[Q11573]", True)),
        ("Notes", ["a"] * 6, None, None),
        ("Domestic long name", ["[Spanish]", "[English]", "[Spanish]"] * 2, None, None),
        ("Reign", ["[Norrow]", "[Sund]", "[Norrow]"] * 2, None, None),
        ("Award year", ["1950", "1961", "1970", "1974", "1979", "1980"], "date", ("@1950", True)),
        (
            "Known as",
            ["[the first of many rulers who came to the throne by way of a quarrel]"] * 6,
            None,
            None,
        ),
        ("Summary", ["a long sentence about the place and how it came to be"] * 6, None, None),
    ],
)
def test_kinds_of_columns(header, cells, kind, first):
    made = table("List of lakes", [header], *[[cell] for cell in cells]).column(0)
    column = read_column(header, [cell._replace(text=cell.text.replace("[1", "")) for cell in made])
    assert (column.kind if column else None) == kind
    if column:
        said = column.facts[0][0]
        assert (said.object, said.literal) == first


def test_words_mean_what_they_are_linked_to_elsewhere_in_the_column():
    cells = table("List of lakes", ["Region"], ["[Norrow]"], ["Norrow"], ["[Sund]"], ["Elsewhere"]).column(0)
    column = read_column("Region", cells)
    assert [[told.object for told in row] for row in column.facts] == [["Norrow"], ["Norrow"], ["Sund"], []]


def test_headings_lose_the_marks_of_plurals_and_footnotes():
    assert tidy_header("Location ( s ) [a]") == "Location"
    assert tidy_header("Home team/s") == "Home team"
    assert tidy_header("City , State") == "City, State"


def test_what_the_lists_name_says_is_not_asked():
    columns = {
        "State": ("entity", tuple((f"lake {n}", CellFact("Q1", False, "Norrow")) for n in range(6))),
        "Region": (
            "entity",
            tuple((f"lake {n}", CellFact(f"Q{n % 2 + 2}", False, f"part {n % 2}")) for n in range(12)),
        ),
        "Depth": (
            "number",
            tuple((f"lake {n:02}", CellFact(str(n * 10), True, str(n * 10))) for n in range(12)),
        ),
    }
    entries = tuple({member: None for _, told in columns.values() for member, _ in told})
    asked = list(list_queries(ListPage("List of lakes of Norrow", entries, columns), ListQueryOptions()))
    compositions = [one for one in asked if one.kind == "table-composition"]
    equal = [one.query.entities for one in compositions if not one.query.function]
    assert sorted(set(names) - {"List of lakes of Norrow"} for names in equal) == [{"Q2"}, {"Q3"}]
    assert {one.query.function for one in compositions if one.query.function} == {"<", ">"}


def test_text_need_not_state_the_day_where_years_are_compared():
    days = tuple((f"lake {n:02}", CellFact(f"@{1900 + n * 5}-05-17", True, "")) for n in range(12))
    page = ListPage("List of lakes", tuple(member for member, _ in days), {"Opened": ("date", days)})
    compared = [one for one in list_queries(page, ListQueryOptions()) if one.query.function]
    assert compared
    for one in compared:
        for member, facts in one.answers.items():
            (day,) = (fact.object for name, fact in days if name == member)
            assert facts[1][1] == day[:5]


def drawn_of(folder, kept, **limits):
    """What is drawn of compositions of one list, given as name, column and answers."""
    queries, answers = [], []
    for name, column, own in [("all", None, "abcdefgh"), *kept]:
        queries.append(
            dict.fromkeys((*names_of_columns(ValidatedQueries), *names_of_columns(ListQueries)))
            | {"key": name, "kind": "table", "title": "List of lakes", "column": column}
            | {"answers": len(own), "validated": len(own)}
        )
        answers += [{"key": name, "answer": one, "literal": False} for one in own]
    folder.mkdir(exist_ok=True)
    write_records(ListQueries, folder / "queries.parquet", queries)
    write_records(ValidatedQueries, folder / "kept.parquet", queries)
    write_records(
        ValidatedAnswers,
        folder / "validated.parquet",
        sorted(answers, key=lambda row: (row["key"], row["answer"])),
    )
    result = draw_varied(folder, folder / "queries.parquet", ListLimits(**limits), ENGINE)
    left = {row["key"] for row in read(folder / "kept.parquet")}
    assert result.queries == len(left)
    assert {row["key"] for row in read(folder / "validated.parquet")} == left
    return left


def test_the_compositions_of_a_column_that_are_kept_differ(tmp_path):
    kept = [
        ("<10", "depth", "ab"),
        ("<20", "depth", "abcd"),
        ("<25", "depth", "abcde"),
        (">25", "depth", "fgh"),
    ]
    for seed in range(5):
        left = drawn_of(tmp_path, kept, seed=seed)
        assert {"all", ">25"} < left
        assert len(left & {"<20", "<25"}) == 1, "nearly the same answers"
        assert "<10" in left, "half of the answers of <20"


def test_a_list_has_few_compositions_and_every_column_its_turn(tmp_path):
    kept = [(f"{column}{n}", column, f"{column}{n}") for column in "abc" for n in range(6)]
    left = drawn_of(tmp_path, kept, per_column=4, per_list=5) - {"all"}
    assert sorted(Counter(name[0] for name in left).values()) == [1, 2, 2]
    left = drawn_of(tmp_path, kept, per_column=2, per_list=12) - {"all"}
    assert Counter(name[0] for name in left) == {"a": 2, "b": 2, "c": 2}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A small world with its graph, corpus and mined lists."""
    folder = tmp_path_factory.mktemp("lists")
    write_world(folder / "world", entities=1500, seed=3, jobs=1)
    graph = make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph", jobs=1)
    make_corpus([folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=graph.folder, jobs=1)
    mine_lists(folder / "corpus", folder / "lists", ListQueryOptions(), engine=ENGINE)
    return folder


def read(path):
    return pq.read_table(path).to_pylist()


def test_key_columns_of_a_world_are_found(world):
    truth = pq.read_table(
        world / "world" / "truth.parquet",
        columns=["page", "table", "row", "column", "object", "relation"],
        filters=[("kind", "=", "cell"), ("row", ">", 0)],
    ).to_pylist()
    keys = {
        (row["page"], row["table"]): row["column"] for row in truth if row["object"] and not row["relation"]
    }
    found = [
        (key_column(one, list_name(one.title)), keys[one.title, one.number])
        for one in list_tables(world / "corpus", "List of", 5, ENGINE, world / "spill")
    ]
    assert len(found) > 30
    assert sum(key == true for key, true in found) >= 0.98 * len(found)


def test_the_facts_of_lists_answer_their_queries(world):
    lists = world / "lists"
    graph = make_graph(
        [lists / "table_facts.parquet", lists / "table_values.parquet"], world / "list-graph", jobs=1
    )
    answers = {}
    for row in read(lists / "proofs.parquet"):
        answers.setdefault(row["key"], set()).add(row["answer"])
    queries = read(lists / "queries.parquet")
    assert {row["kind"] for row in queries} == {"table-simple", "table-composition"}
    with Graph.open(graph.folder) as opened:
        for row in queries:
            assert opened.answers(Query.parse(row["query"])) == answers[row["key"]], row["query"]
            assert row["answers"] == len(answers[row["key"]]) >= 5


def test_comparisons_leave_enough_on_both_sides(world):
    values = {}
    for row in read(world / "lists" / "table_values.parquet"):
        values.setdefault(row["relation"], {}).setdefault(row["subject"], []).append(
            parse_value(row["value"])
        )
    compared = 0
    for row in read(world / "lists" / "queries.parquet"):
        query = Query.parse(row["query"])
        if query.function in ("<", ">"):
            own = values[row["column"]]
            limit = next(edge.object.value for edge in query.edges if edge.relation != MEMBERSHIP)
            met = {
                member
                for member, several in own.items()
                if any(holds(value.bounds, query.function, limit.bounds) for value in several)
            }
            assert len(met) == row["answers"]
            assert len(own) - len(met) >= 5
            compared += 1
    assert compared > 5


def test_columns_are_relations_of_their_list(world):
    told = read(world / "lists" / "list_facts.parquet")
    titles = {row["object"] for row in told if row["relation"] == MEMBERSHIP}
    columns = {row["relation"] for row in told} - {MEMBERSHIP}
    assert columns
    assert all(
        any(relation.startswith(column_relation(title, "")) for title in titles) for relation in columns
    )


def test_without_proofs_everything_that_lists_state_is_related(world):
    """Proofs choose what queries need; an audit wants all of it."""
    lists = world / "lists"
    facts = []
    for proofs in (lists / "proofs.parquet", None):
        out = world / f"related-{proofs is None}"
        relate_lists(world / "graph", lists / "list_facts.parquet", proofs, out, engine=ENGINE)
        facts.append({tuple(row.values()) for row in read(out / "facts.parquet")})
    assert facts[0] < facts[1]


def test_lists_stand_for_relations_of_the_graph(world):
    """Directors' lists for the director's relation, their columns for those of the cells' truth."""
    out, lists = world / "related", world / "lists"
    count = relate_lists(
        world / "graph", lists / "list_facts.parquet", lists / "proofs.parquet", out, engine=ENGINE
    )
    related = read(out / "related.parquet")
    assert count == len(read(out / "facts.parquet")) > 500
    labels = {row["id"]: row["label"] for row in read(world / "graph" / "entities.parquet")}
    by_list, by_column = {}, {}
    for row in related:
        assert row["subject"] in (row["of_subject"], row["of_object"])
        other = row["of_object"] if row["of_subject"] == row["subject"] else row["of_subject"]
        if row["relation"] == MEMBERSHIP:
            by_list.setdefault(row["object"], set()).add((row["of_relation"], labels[other]))
        else:
            by_column.setdefault(row["relation"], set()).add(row["of_relation"])
            assert other == row["object"]
    assert by_list
    assert by_column
    assert all(len(found) == 1 for found in (*by_list.values(), *by_column.values()))
    for title, found in by_list.items():
        ((relation, _label),) = found
        if title.startswith("List of films directed by"):
            assert relation == "P57"
    assert {next(iter(found)) for column, found in by_column.items() if column.endswith("#Genre")} == {"P136"}
