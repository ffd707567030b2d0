"""Files in other encodings than UTF-8: which one it is, is told; none is guessed silently."""

from pathlib import Path

import pytest

from graph_dumps import rows
from own_files import SORTED, made, table
from rollcall import RollcallError
from rollcall._core.errors import RollcallWarning
from rollcall.graph import make_graph


@pytest.mark.parametrize(
    ("encoding", "named"), [("latin-1", "latin-1"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16-le")]
)
def test_other_encodings_are_named_and_can_be_read(tmp_path: Path, encoding: str, named: str) -> None:
    towns = "".join(f"Firm {n},town,Malmö {n}\n" for n in range(3))
    content = (table(("subject", "relation", "object"), ",") + towns).encode(encoding)
    with pytest.raises(RollcallError, match=f"not in UTF-8; read it with --encoding {named} "):
        made(tmp_path, "a.csv", content)
    facts = rows(made(tmp_path, "a.csv", content, encoding=named), "facts")
    assert set(facts) >= {*SORTED, ("Firm 2", "town", "Malmö 2")}


def test_files_of_two_encodings_can_be_read_together(tmp_path: Path) -> None:
    header, names = "subject,relation,object\n", ("Malmö", "Århus")
    for name, encoding in zip(names, ("latin-1", "utf-8"), strict=True):
        rows_ = "".join(f"Firm {n},town,{name} {n}\n" for n in range(3))
        (tmp_path / f"{encoding}.csv").write_bytes((header + rows_).encode(encoding))
    sources = [tmp_path / "latin-1.csv", tmp_path / "utf-8.csv"]
    with pytest.warns(
        RollcallWarning, match=r"utf-8.csv: is text in UTF-8, and is read as such, not as latin-1"
    ):
        graph = make_graph(sources, tmp_path / "g", jobs=1, encoding="latin-1")
    found = rows(graph, "facts")
    assert {("Firm 2", "town", f"{name} 2") for name in names} <= set(found)
    with pytest.raises(RollcallError, match="is not an encoding that Python knows"):
        make_graph(sources, tmp_path / "h", jobs=1, encoding="latin-99")


def test_quotes_of_windows_are_told_from_latin_1(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match="--encoding cp1252"):
        made(tmp_path, "a.csv", ("subject,relation,object\n" + "O’Hara,town,Malmö\n" * 3).encode("cp1252"))
    with pytest.raises(RollcallError, match="is not an encoding that Python knows"):
        made(tmp_path, "a.csv", "subject,relation,object\na,b,c\n", encoding="latin-99")


def test_one_bad_byte_in_utf8_is_a_bad_entry_and_no_other_encoding(tmp_path: Path) -> None:
    content = "subject,relation,object\nMalmö,in,Skåne\n".encode() + b"Lun\xf6d,in,x\n"
    graph = made(tmp_path, "a.csv", content)
    assert graph.manifest["sources"][0]["bad"] == {"malformed": 1}
    assert "--encoding latin-1" in graph.manifest["sources"][0]["bad_examples"][0]["reason"]
    assert rows(graph, "facts") == [("Malmö", "in", "Skåne")]
