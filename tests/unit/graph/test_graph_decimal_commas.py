"""Numbers with decimal commas, as European spreadsheets write them: read where it is certain, and told."""

from pathlib import Path

import pytest

from graph_dumps import rows
from own_files import made
from rollcall.graph import Graph, make_graph


def priced(folder: Path, prices: list[str], weights: list[str] | None = None, **options: str) -> Graph:
    """A table with semicolons, a byte order mark and the line ends of spreadsheets."""
    cells = zip(prices, weights or [""] * len(prices), strict=True)
    lines = ["part;price;weight", *(f"p{n:02};{price};{weight}" for n, (price, weight) in enumerate(cells))]
    given = {"columns": "id=part, value=price, value=weight", **options}
    content = ("\ufeff" + "\r\n".join(lines) + "\r\n").encode()
    return made(folder, "parts.csv", content, source_options=given)


def told_and_read(graph: Graph, relation: str = "price") -> tuple[str, list[str]]:
    (source,) = graph.manifest["sources"]
    return source["remark"], [row[2] for row in rows(graph, "values") if row[1] == relation]


COMMAS = "read decimal commas in {} (1.234,5 is 1234.5); --option decimal=point says otherwise"
THOUSANDS = "took 1,234 for 1234 in price; --option decimal=comma takes it for 1.234"
MIXED = (
    "left 1,2 as a text in price, where other numbers are written otherwise; --option decimal=comma reads it "
    "as 1.2"
)


@pytest.mark.parametrize(
    ("prices", "remark", "read"),
    [
        (["1,2", "-10,50", "", "3", "n/a"], COMMAS.format("price"), ["1.2", "-10.5", "3", '"n/a"']),
        (["1.234,5", "1,234", "1.234"], COMMAS.format("price"), ["1234.5", "1.234", "1234"]),
        (["12,5 %", "7 %"], COMMAS.format("price"), ["12.5[Q11229]", "7[Q11229]"]),
        (["1.234.567", "1.234"], COMMAS.format("price"), ["1234567", "1234"]),
        (["1,234", "2,345"], THOUSANDS, ["1234", "2345"]),
        (
            ["1.234", "2"],
            "took 1.234 for a decimal number in price; --option decimal=comma takes it for 1234",
            ["1.234", "2"],
        ),
        (["1,234,567", "1,234"], "", ["1234567", "1234"]),
        (["1.5", "1,234"], "", ["1.5", "1234"]),
        (["1,2", "1.5"], MIXED, ['"1,2"', "1.5"]),
        (["1,2", "1,2,3"], MIXED, ['"1,2"', '"1,2,3"']),
        (["1,2"] * 9 + ["1.5"], COMMAS.format("price"), ["1.2"] * 9 + ["1.5"]),
        (["1,234"] * 10 + ["12,34"], f"{MIXED}; {THOUSANDS}", ["1234"] * 10 + ['"12,34"']),
        (["12", "x"], "", ["12", '"x"']),
    ],
)
def test_decimal_commas_of_a_table_with_semicolons_are_read_and_told(
    tmp_path: Path, prices: list[str], remark: str, read: list[str]
) -> None:
    assert told_and_read(priced(tmp_path, prices)) == (remark, read)


def test_the_other_columns_of_a_file_say_what_is_between_thousands(tmp_path: Path) -> None:
    for weight, remark, read in (
        ("1,5", COMMAS.format("price, weight"), "1.234"),
        ("1.5", "", "1234"),
        ("15", THOUSANDS, "1234"),
    ):
        assert told_and_read(priced(tmp_path, ["1,234"], [weight])) == (remark, [read])


def test_the_user_says_what_commas_are(tmp_path: Path) -> None:
    assert told_and_read(priced(tmp_path, ["1,234"], decimal="comma")) == ("", ["1.234"])
    assert told_and_read(priced(tmp_path, ["1,2"], decimal="point")) == ("", ['"1,2"'])
    quoted = 'subject,relation,value\na,height m,"1,85"\nb,height m,"2,10"\n'
    graph = made(tmp_path, "quoted.csv", quoted)
    assert told_and_read(graph, "height m") == ("", ['"1,85"', '"2,10"'])
    graph = made(tmp_path, "quoted.csv", quoted, source_options={"decimal": "comma"})
    assert told_and_read(graph, "height m") == ("", ["1.85[Q11573]", "2.1[Q11573]"])


def test_each_file_has_its_own_decimal_sign(tmp_path: Path) -> None:
    (tmp_path / "europe.csv").write_text("subject;relation;value\na;height m;1,85\nb;height m;2\n")
    (tmp_path / "us.csv").write_text('subject,relation,value\nc,height m,1.85\nd,height m,"1,850"\n')
    graph = make_graph([tmp_path / "europe.csv", tmp_path / "us.csv"], tmp_path / "graph", jobs=1)
    assert [row[2] for row in rows(graph, "values")] == [
        *("1.85[Q11573]", "2[Q11573]", "1.85[Q11573]", "1850[Q11573]"),
    ]
    assert [source["remark"] for source in graph.manifest["sources"]] == [COMMAS.format("height m"), ""]
