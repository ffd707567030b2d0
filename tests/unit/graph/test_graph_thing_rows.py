"""Files with a thing in each row: its columns are relations, as the user names them or puts in words."""

import json
import shlex
from pathlib import Path

import pytest

from graph_dumps import rows
from own_files import made
from rollcall import Graph, RollcallError
from rollcall.cli.main import main
from rollcall.graph import make_graph
from rollcall.graph.ingest.layouts import UnknownColumnsError

PARTS = """part_no;name;kind;supplied_by;used in;Weight (kg)
A-1;Rotor seal;seal;V-1;Falcon|Osprey;0.5
A-2;Shaft;;V-1;;2
"""
OF_PARTS = "id=part_no,label=name,types=kind,object=supplied_by,object=used in,value=Weight (kg)"
MAKERS = "Maker,Born in,Kind\nAda Holm,Lund,smith\nPer Lind,Malmö,\n"


def test_a_table_with_one_thing_a_row_is_read_column_by_column(tmp_path: Path) -> None:
    graph = made(tmp_path, "parts.csv", PARTS, source_options={"columns": OF_PARTS})
    assert rows(graph, "facts") == [
        ("A-1", "supplied_by", "V-1"),
        ("A-2", "supplied_by", "V-1"),
        ("A-1", "used in", "Falcon"),
        ("A-1", "used in", "Osprey"),
    ]
    assert [row[:3] for row in rows(graph, "values")] == [
        ("A-1", "Weight (kg)", "0.5[Q11570]"),
        ("A-2", "Weight (kg)", "2[Q11570]"),
    ]
    assert graph.label("A-1") == "Rotor seal"
    assert graph.relation_label("supplied_by") == "supplied by"
    assert graph.manifest["sources"][0]["remark"] == ""


def test_names_find_what_is_known_by_its_name_alone_beside_what_has_a_label(tmp_path: Path) -> None:
    graph = made(tmp_path, "parts.csv", PARTS, source_options={"columns": OF_PARTS})
    for name, id_ in (("falcon", "Falcon"), ("rotor seal", "A-1")):
        assert [one.id for one in graph.find(name)] == [id_]
    assert graph.find("a-1") == []


def test_columns_that_nobody_named_are_said_to_be_left_out(tmp_path: Path) -> None:
    graph = made(tmp_path, "parts.csv", PARTS, source_options={"columns": "id=part_no,label=name"})
    assert rows(graph, "facts") == []
    remark = graph.manifest["sources"][0]["remark"]
    assert "left out the columns kind, supplied_by, used in, Weight (kg)" in remark
    assert "object=kind" in remark


def test_columns_are_named_file_by_file(tmp_path: Path) -> None:
    parts, firms = tmp_path / "parts.csv", tmp_path / "firms.json"
    parts.write_text(PARTS)
    # JSON leaves out what is unknown: no key of a relation needs to be in the first record.
    firms.write_text(
        '[{"no": "V-1", "name": "Pell"}, {"no": "V-2", "name": "Sand", "makes": ["A-2", "A-1"]}]'
    )
    columns = f"parts.csv: {OF_PARTS}\nfirms.json: id=no, label=name\nfirms.json: object=makes"
    graph = make_graph([parts, firms], tmp_path / "graph", source_options={"columns": columns}, jobs=1)
    assert ("V-2", "makes", "A-1") in rows(graph, "facts")
    assert graph.label("V-1") == "Pell"
    with pytest.raises(RollcallError, match=r"names part\.csv, and the files are parts\.csv, firms\.json"):
        make_graph([parts, firms], tmp_path / "g", source_options={"columns": "part.csv: id=no"}, jobs=1)
    with pytest.raises(RollcallError, match=r"firms\.json: has no column number"):
        columns = columns.replace("id=no,", "id=number,")
        make_graph([parts, firms], tmp_path / "g", source_options={"columns": columns}, jobs=1)


def test_a_quoted_word_is_the_kind_of_all_rows_that_have_no_other(tmp_path: Path) -> None:
    def kinds(columns: str, content: str = MAKERS, name: str = "makers.csv") -> list[tuple[str, str]]:
        graph = made(tmp_path, name, content, source_options={"columns": columns})
        return [(row[0], row[1]) for row in rows(graph, "types")]

    both = [("Ada Holm", "artist"), ("Per Lind", "artist")]
    assert kinds('id=Maker, types="artist", object=Born in') == both
    assert kinds("id=Maker, types='artist', object=Born in") == both
    records = [{"Maker": "Ada Holm"}, {"Maker": "Per Lind"}]
    assert kinds('id=Maker, types="artist"', json.dumps(records), "makers.json") == both
    assert kinds('types="artist"', "id\tlabel\n1\tAda\n", "makers.tsv") == [("1", "artist")]
    assert kinds('id=Maker, types=Kind, types="artist"') == [("Ada Holm", "smith"), ("Per Lind", "artist")]


def test_a_graph_without_classes_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rollcall.cli.inputs import print_graph_summary

    given = "id=Maker, object=Born in"
    for columns, hint in ((given, True), (f'{given}, types="artist"', False)):
        print_graph_summary(made(tmp_path, "makers.csv", MAKERS, source_options={"columns": columns}))
        assert ("no entity has a class, so questions say thing" in capsys.readouterr().out) == hint
    few = "".join(f"{n},Maker {n},{'artist' if n == 1 else ''}\n" for n in range(30))
    print_graph_summary(made(tmp_path, "few.csv", f"id,label,types\n{few}"))
    assert "fewer than one in 10 entities has a class" in capsys.readouterr().out


def test_a_quoted_word_is_the_relation_of_all_rows(tmp_path: Path) -> None:
    columns = {"columns": 'subject=Maker, relation="was born in", object=Born in'}
    graph = made(tmp_path, "makers.csv", MAKERS, source_options=columns)
    assert rows(graph, "facts") == [("Ada Holm", "was born in", "Lund"), ("Per Lind", "was born in", "Malmö")]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("id=Makr, object=Born in", "has no column Makr, which --columns names; did you mean Maker?"),
        ("id=MAKR, object=Born in", "did you mean Maker?"),
        (
            "id=Maker, types=artist",
            'has no column artist, which .*if all rows have it, quote it: types="artist"',
        ),
        ('subject=Maker, relation="was", object=Kind, types="artist"', "nothing about a table of facts"),
        ('id=Maker, object="Lund"', "expected some of"),
    ],
)
def test_columns_that_are_misspelt_or_meant_as_words_get_a_hint(
    tmp_path: Path, columns: str, message: str
) -> None:
    with pytest.raises(RollcallError, match=message.replace("?", r"\?")):
        made(tmp_path, "makers.csv", MAKERS, source_options={"columns": columns})


@pytest.mark.parametrize(
    ("cells", "hint"),
    [
        (("Ash", "Elm", "Oak", "Ash, Elm", "Elm, Oak", "Ash, Oak"), True),
        (("Ash", "Paris, Texas", "Rome, Ohio", "Athens, Ohio"), False),
        (("Ash", "Ash|Elm", "Elm|Oak", "Oak"), False),
    ],
)
def test_several_names_in_a_cell_with_commas_are_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cells: tuple[str, ...], hint: bool
) -> None:
    from rollcall.cli.inputs import print_graph_summary

    content = "bed;grows\n" + "".join(f"Bed {n};{cell}\n" for n, cell in enumerate(cells))
    options = {"columns": "id=bed,object=grows", "commas": "keep"}
    print_graph_summary(made(tmp_path, "a.csv", content, source_options=options))
    said = capsys.readouterr().out
    assert ("look like several with commas between them, such as 'Ash, Elm'" in said) == hint


GUESTS = """guest,known as,kind,invited by,came from,stays nights,paid,homepage,notes,remarks
Ada Holm,Addie,smith,Per Lind|Eva Ek,Lund,3,yes,https://a.example,,
Per Lind,Pelle,baker,Ada Holm,Malmö,1,no,https://b.example,,
Eva Ek,,baker,Ada Holm,Lund,12,yes,https://c.example,,
Bo Dahl,,smith,Per Lind,Malmö,7,no,https://d.example,,
"""


@pytest.mark.parametrize(
    ("name", "content", "proposal"),
    [
        (
            "guests.csv",
            GUESTS,
            "id=guest,label=guest,types=kind,object=known as,object=invited by,object=came from,"
            "value=stays nights,object=paid",
        ),
        (
            "parts.jsonl",
            '{"no": 3, "part": "Rotor", "aka": ["R", "r"], "maker": "Pell", "built": "May 2001"}\n'
            '{"no": 4, "part": "Shaft", "aka": [], "maker": "Sand", "built": "2002-03-01"}\n',
            'id=part,label=part,types="part",value=no,aliases=aka,object=maker,value=built',
        ),
        (
            "pumps.tsv",
            "pump id\tname\tmade by\nP1\tFalcon\tPell\nP2\tFalcon\tSand\n",
            'id=pump id,label=name,types="pump",object=made by',
        ),
        (
            "register (v2).csv",
            'No.,Ship\'s name,Launched:,"Length, ft",Home port,Last name\n'
            "R-1,Heron,1881?,120,Lund,Holm\nR-2,Petrel,2/9/1913,98,-,Lind\nR-3,Comet,May 1850,77,Lund,Ek\n",
            'id=No.,label=Ship\'s name,types="ship",value=Launched:,value=Length, ft,object=Home port,'
            "object=Last name",
        ),
        ("sums.csv", "first,second,third\n1,2,3\n4,5,9\n1,1,2\n", ""),
    ],
)
def test_columns_of_an_unknown_table_are_proposed_from_its_first_rows(
    tmp_path: Path, name: str, content: str, proposal: str
) -> None:
    with pytest.raises(UnknownColumnsError) as raised:
        made(tmp_path, name, content)
    assert raised.value.proposal == proposal
    if proposal:
        assert str(raised.value).endswith(f"--columns {shlex.quote(proposal)}")
        graph = made(tmp_path, name, content, source_options={"columns": proposal})
        assert graph.manifest["counts"]["types"] == len(content.strip().splitlines()) - name.endswith("sv")


def test_the_command_shows_a_whole_command_that_reads_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guests, makers = tmp_path / "our guests.csv", tmp_path / "makers.csv"
    guests.write_text(GUESTS)
    makers.write_text(MAKERS)
    given = ["graph", str(guests), str(makers), "--out", str(tmp_path / "graph")]
    given += ["--columns", "makers.csv:id=Maker,label=Maker,object=Born in"]
    with pytest.raises(SystemExit, match="2"):
        main(given)
    shown = capsys.readouterr().err.replace("\n", "")
    command = shlex.split(shown[shown.index("rollcall graph") :])
    assert command[1:-1] == [*given, "--columns"]
    with pytest.raises(SystemExit, match="0"):
        main(command[1:])
    assert ("Bo Dahl", "invited by", "Per Lind") in rows(Graph.open(tmp_path / "graph"), "facts")


def test_a_role_that_tables_of_entities_do_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match=r"alias=Kind says nothing about a table of entities.*aliases"):
        made(tmp_path, "makers.csv", MAKERS, source_options={"columns": "id=Maker,label=Maker,alias=Kind"})


def test_a_dash_in_place_of_a_name_is_no_entity(tmp_path: Path) -> None:
    content = "ship,home port,mark\nHeron,-,-\nPetrel,?,X-1\nComet,Lund; n/a,—\n"
    columns = "id=ship,object=home port,value=mark"
    graph = made(tmp_path, "ships.csv", content, source_options={"columns": columns})
    assert rows(graph, "facts") == [("Comet", "home port", "Lund")]
    (source,) = graph.manifest["sources"]
    assert source["skipped"] == {"dashes, question marks and n/a in place of a name": 3}
