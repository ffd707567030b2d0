"""`rollcall corpus` and `rollcall show` as a user calls them."""

import json

import pytest

from corpus_files import compressed, export_xml, write_graph_sources
from rollcall.cli.main import main
from rollcall.graph import make_graph

GOOD = ["corpus", "{f}/pages.xml.gz", "--graph", "{f}/graph", "--out", "{f}/x"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("commands")
    make_graph(write_graph_sources(folder), folder / "graph", jobs=1)
    compressed(folder / "pages.xml.gz", export_xml().encode())
    return folder


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return ended.value.code, printed.out, printed.err


@pytest.fixture
def corpus(folder, capsys):
    out = folder / "corpus"
    if not out.exists():
        options = ("--graph", folder / "graph", "--out", out, "--jobs", 1)
        code, printed, _ = run(capsys, "corpus", folder / "pages.xml.gz", *options)
        assert code == 0
        for words in (
            "pages tied by sitelink",
            "not tied: ",
            "redirects",
            "repaired markup, pages with: 1 unclosed",
        ):
            assert words in printed
    return out


def test_an_overview_and_a_page_are_shown(corpus, capsys):
    code, printed, _ = run(capsys, "show", corpus)
    assert code == 0
    assert "longest pages" in printed
    code, _, error = run(capsys, "show", corpus, "--number", "3")
    assert (code, "--number is for graphs and question sets" in error) == (2, True)
    code, printed, _ = run(capsys, "show", corpus, "Orm")
    assert code == 0
    for words in (
        "page 10, Q1 (by sitelink)",
        "0  Orm is a city in Vell.",
        "== People ==",
        "Tal → Tal (river)  Q2",
    ):
        assert words in printed
    _, printed, _ = run(capsys, "show", corpus, "List of rivers")
    assert "│ Tal" in printed
    assert "12 km" in printed


def test_a_page_is_shown_as_json(corpus, capsys):
    code, printed, _ = run(capsys, "show", corpus, "Q3", "--json")
    page = json.loads(printed)
    assert code == 0
    assert (page["title"], len(page["sentences"]), len(page["links"])) == ("Ann Orne", 3, 3)
    assert page["passages"][0]["id"] == "30__0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["corpus", "{f}/none.xml", "--graph", "{f}/graph", "--out", "{f}/x"], "none.xml: no such file"),
        (["corpus", "{f}/pages.xml.gz", "--graph", "{f}/none", "--out", "{f}/x"], "none: no such folder"),
        (["corpus", "{f}/pages.xml.gz", "--graph", "{f}/graph", "--out", "{f}/graph"], "is an input"),
        ([*GOOD, "--passages", "lines"], "words or qampari"),
        ([*GOOD, "--templates", "{f}/no.toml"], "no.toml: no such file"),
        ([*GOOD, "--memory", "much"], "is not an amount of memory"),
        (["corpus", "{f}/pages.xml.gz", "--graph", "{f}/graph"], "--out"),
        (["show", "{f}/none"], "no such folder"),
        (["show", "{f}/pages.xml.gz"], "pages.xml.gz: is a file; `rollcall show` shows folders"),
        (["corpus", "{f}/pages.xml.gz", "--graph", "{f}/pages.xml.gz", "--out", "{f}/x"], "is a file, not"),
        (["show", "{f}"], "nothing to show"),
        (["show", "{f}/corpus", "No such page"], "no page is called"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_clear_line(corpus, folder, capsys, arguments, message):
    code, _, error = run(capsys, *(argument.format(f=folder) for argument in arguments))
    assert code == 2
    assert message in error
    assert len(error.splitlines()) == 1
