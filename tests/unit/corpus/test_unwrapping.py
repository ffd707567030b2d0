"""Text whose lines are broken at a width: found out by looking, joined, and said."""

import json
import textwrap
import warnings
from pathlib import Path

import pytest

from rollcall._core.errors import RollcallWarning
from rollcall.corpus import Corpus, make_corpus
from rollcall.corpus.documents import paragraphs, unwrapped, width_of

PROSE = (
    "The Falcon Pump moves water from the lower basin to the tank on the roof. Its rotor was cast in "
    "Harrowby, and the seal comes from Pell. It has run since 2009 without a fault, which is more "
    "than anybody hoped."
)
WRAPPED = textwrap.fill(PROSE, 60)
LIST = "It needs:\n* a seal\n* a long shaft that reaches from the bearing to the\nhousing\n- oil"
TABLE = "part      price\nseal      4.10\nshaft     6.75"
CODE = "    start(pump);\n    if (full) {\n        stop(pump);\n    }"
VERSE = "The pump stands in the hall\nAnd hums its song to all\nWho come in from rain\nAnd go home again"


def read(folder: Path, files: dict[str, str], **options: object) -> tuple[Corpus, list[str]]:
    for name, content in files.items():
        (folder / name).write_text(content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RollcallWarning)
        corpus = make_corpus(
            [folder / name for name in files],
            folder / f"corpus-{len(list(folder.iterdir()))}",
            source_options=options,
            jobs=1,
        )
    return corpus, [str(warning.message) for warning in caught]


def lines(*texts: str) -> str:
    return "".join(json.dumps({"title": f"t{n}", "text": text}) + "\n" for n, text in enumerate(texts))


def text_of(corpus: Corpus, page: str) -> str:
    return "".join(sentence.text + sentence.after for sentence in corpus.sentences(page))


def test_pages_in_json_lines_are_unwrapped_and_a_warning_says_so(tmp_path: Path) -> None:
    texts = (f"{WRAPPED}\n\n{WRAPPED}", "One line.", f"{WRAPPED}\n\n{LIST}")
    corpus, told = read(tmp_path, {"docs.jsonl": lines(*texts)})
    assert text_of(corpus, "t0") == f"{PROSE}\n\n{PROSE}"
    assert [sentence.text for sentence in corpus.sentences("t0")][1].startswith(
        "Its rotor was cast in Harrowby, and"
    )
    assert text_of(corpus, "t2").endswith(
        "It needs:\n* a seal\n* a long shaft that reaches from the bearing to the housing\n- oil"
    )
    assert told == [
        "docs.jsonl: the lines of 2 pages are broken at a width and were joined to paragraphs; lists, "
        "tables, code and verse keep their lines; --option unwrap=no keeps all"
    ]
    assert corpus.manifest["sources"][0]["unwrapped"] == 2
    kept, told = read(tmp_path, {"docs.jsonl": lines(*texts)}, unwrap="no")
    assert text_of(kept, "t0") == texts[0]
    assert told == []


def test_other_files_of_pages_are_unwrapped_too(tmp_path: Path) -> None:
    array = json.dumps([{"title": "t0", "text": f"{WRAPPED}\n\n{WRAPPED}"}])
    rows = f'title,text\nt0,"{WRAPPED}\n\n{WRAPPED}"\n'
    for name, content in (("a.json", array), ("a.csv", rows)):
        corpus, _ = read(tmp_path, {name: content})
        assert text_of(corpus, "t0") == f"{PROSE}\n\n{PROSE}"


def test_links_keep_their_places(tmp_path: Path) -> None:
    start = WRAPPED.index("rotor")
    page = {"title": "t", "text": WRAPPED, "links": [{"target": "Rotor", "start": start, "end": start + 5}]}
    other = {"title": "u", "text": WRAPPED}
    corpus, _ = read(tmp_path, {"docs.jsonl": f"{json.dumps(page)}\n{json.dumps(other)}\n"})
    (link,) = corpus.links("t")
    assert (link.start, link.anchor) == (start, "rotor")
    assert text_of(corpus, "t") == PROSE


@pytest.mark.parametrize("layout", [LIST, TABLE, CODE, VERSE, "\n".join(PROSE.split(". "))])
def test_lines_that_end_on_purpose_are_no_sign_of_a_width(layout: str) -> None:
    assert width_of([layout] * 5) == 0
    assert width_of([WRAPPED] * 3) > 50


@pytest.mark.parametrize("layout", [TABLE, CODE, VERSE])
def test_tables_code_and_verse_keep_their_lines(layout: str) -> None:
    text = f"{WRAPPED}\n\n{layout}\n\n{WRAPPED}"
    assert unwrapped(text, 60) == f"{PROSE}\n\n{layout}\n\n{PROSE}"
    kept = paragraphs(text, keeps_layout=True)
    assert kept == [PROSE, *(" ".join(line.split()) for line in layout.splitlines()), PROSE]


def test_compounds_with_a_hyphen_at_the_end_of_a_line_stay_one_word() -> None:
    assert unwrapped("a fully user-\nconfigurable decoder", 20) == "a fully user-configurable decoder"
    assert (
        unwrapped("a fully user-\nconfigurable decoder", 20, in_place=True)
        == "a fully user- configurable decoder"
    )


def test_plain_text_files_are_unwrapped_and_counted(tmp_path: Path) -> None:
    corpus, told = read(tmp_path, {"a.txt": f"{WRAPPED}\n\n{VERSE}\n"})
    assert text_of(corpus, "a.txt").startswith(f"{PROSE}\n")
    assert [sentence.text for sentence in corpus.sentences("a.txt")][-4:] == VERSE.splitlines()
    assert corpus.manifest["sources"][0]["unwrapped"] == 1
    assert told == []  # such lines are usual in files of text
    kept, told = read(tmp_path, {"a.txt": WRAPPED}, unwrap="no")
    assert text_of(kept, "a.txt").count("\n") == WRAPPED.count("\n")
    assert told == []


def test_a_short_line_that_ends_inside_a_phrase_continues_with_a_name() -> None:
    broken = (
        "The rotor of the pump was designed by\nThomas Braun of the works at\nHarrowby.  It has run since.\n"
    )
    assert unwrapped(broken + WRAPPED, 60).startswith(
        "The rotor of the pump was designed by Thomas Braun of the works at Harrowby."
    )
    assert unwrapped(f"{VERSE},\nAnd then\nAnd on,\nThe end of\nEverything", 60).startswith(VERSE)
