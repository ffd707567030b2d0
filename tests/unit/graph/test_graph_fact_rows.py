"""Files with a fact in each row: other names of columns, no header, other separators."""

import json
from pathlib import Path

import pytest

from graph_dumps import rows
from own_files import FACTS, SORTED, made, table
from rollcall import RollcallError


@pytest.mark.parametrize(
    ("name", "header", "separator"),
    [
        ("a.csv", ("head", "rel", "tail"), ","),
        ("a.tsv", ("Source", "Relationship", "Target"), "\t"),
        ("a.csv", ("s", "p", "o"), ";"),
        ("a.tsv", ("node1", "label", "node2"), "\t"),
        ("a.csv", ("from", "type", "to"), "|"),
        ("a.csv", ("subject", "relation", "object"), ";"),
        ("a.csv", ("subject", "relation", "object"), "\t"),
        ("a.tsv", ("subject", "relation", "object"), ","),
        ("a.dat", ("subject", "relation", "object"), ";"),
        ("a.tsv", None, "\t"),
        ("a.csv", None, ","),
        ("train.txt", None, "\t"),
    ],
)
def test_usual_names_and_separators_are_recognised(
    tmp_path: Path, name: str, header: tuple[str, ...] | None, separator: str
) -> None:
    graph = made(tmp_path, name, table(header, separator))
    assert rows(graph, "facts") == SORTED
    (source,) = graph.manifest["sources"]
    assert source["bad"] == {}
    guessed = header is None or "subject" not in header
    assert bool(source["remark"]) == guessed


def test_a_gephi_edge_is_named_by_its_label_and_not_by_whether_it_is_directed(tmp_path: Path) -> None:
    graph = made(tmp_path, "e.csv", "Source,Target,Type,Label,Weight\nFalcon,Nordwerk,Directed,made by,1\n")
    assert rows(graph, "facts") == [("Falcon", "made by", "Nordwerk")]


def test_columns_of_any_names_are_named_by_the_user(tmp_path: Path) -> None:
    content = table(("Device", "Verb", "Thing"), ",")
    with pytest.raises(
        RollcallError, match=r"no header\? .*--columns subject=Device,relation=Verb,object=Thing"
    ):
        made(tmp_path, "a.csv", content)
    given = "subject=device, relation=Verb, object=THING"
    graph = made(tmp_path, "a.csv", content, source_options={"columns": given})
    assert rows(graph, "facts") == SORTED
    lines = "".join(json.dumps(dict(zip(("Device", "Verb", "Thing"), f, strict=True))) + "\n" for f in FACTS)
    graph = made(tmp_path, "a.jsonl", lines, source_options={"columns": given}, formats="jsonl")
    assert rows(graph, "facts") == SORTED


def test_columns_without_a_header_are_named_in_order(tmp_path: Path) -> None:
    content = "Nordwerk,Falcon Pump,maker\nKestrel,Brass Valve,supplier\n"
    graph = made(tmp_path, "a.csv", content, source_options={"columns": "object,subject,relation"})
    assert rows(graph, "facts") == [
        ("Falcon Pump", "maker", "Nordwerk"),
        ("Brass Valve", "supplier", "Kestrel"),
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("subject=device,relation=verb,object=nothing", "has no column nothing"),
        ("subject,relation", "names 2 columns, and the first line has 3"),
        ("subject,relation=verb", "either name all columns in order"),
        ("pump=device,verb=verb", "--columns gives pump, verb; expected some of"),
    ],
)
def test_columns_that_do_not_fit_are_refused(tmp_path: Path, columns: str, message: str) -> None:
    with pytest.raises(RollcallError, match=message):
        made(tmp_path, "a.csv", table(("device", "verb", "thing"), ","), source_options={"columns": columns})


def test_a_quote_that_is_not_closed_is_told_with_its_line(tmp_path: Path) -> None:
    content = 'subject,relation,object\na,r,"two\nlines"\nb,r,"c\nd,r,e\nf,r,g'
    for end in ("", "\n"):
        (source,) = made(tmp_path, "a.csv", content + end, max_bad=1).manifest["sources"]
        (bad,) = source["bad_examples"]
        assert (source["entries"], bad["line"]) == (2, 4)
        assert bad["reason"].endswith("a quote that opens in line 4 is not closed, so the rest is one field")
    closed = made(tmp_path, "a.csv", content + '"', max_bad=1)
    assert closed.manifest["sources"][0]["bad"] == {}


def test_a_quote_that_only_the_next_one_closes_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    content = 'subject,relation,object\na,r,b\nb,r,"c\nd,r,"e"\nf,r,g\nh,r,"i ""1""\nj"\n'
    graph = made(tmp_path, "a.csv", content)
    (bad,) = graph.manifest["sources"][0]["bad_examples"]
    assert bad["reason"] == (
        "a quote that opens in line 3 is not closed, or one inside is not doubled (lines 3 to 4)"
    )
    assert rows(graph, "facts") == [("a", "r", "b"), ("f", "r", "g"), ("h", "r", 'i "1"\nj')]


def test_facts_given_again_are_counted(tmp_path: Path) -> None:
    content = "subject,relation,object,value\n" + "a,r,b,\n" * 3 + "a,height,,5 m\n" * 2
    graph = made(tmp_path, "a.csv", content)
    assert graph.manifest["repeated"] == {"facts": 2, "values": 1}
