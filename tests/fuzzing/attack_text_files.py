"""Pages with a broken one in the middle, and markup nested, repeated and cut: all is read, and in time."""

import json
import random
from typing import Any

from fuzzing.mutation import ODD_TEXTS, content_of, mutated_bytes, mutated_piece, pieces
from fuzzing.target import Target
from rollcall.corpus import Chunking, CorpusShard, SourceFindings
from rollcall.corpus.html import parse_html
from rollcall.corpus.source import TextSourceContext
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.corpus.wikitext import parse
from rollcall.input_files import FileHead
from rollcall.input_files.input_file import InputFile
from rollcall.tables.corpus import SHARD_TABLES
from rollcall.tables.table import arrow, columns

WIKITEXT = """{{Infobox|a=b}} '''Orla''' (born {{birth date|1960|5|17}}) is a [[film]] maker.<ref>y</ref>
== Life == {{circa|1990|{{nowrap|[[Norrowind|N.]]}}}} {{convert|5|km|mi}}
{| class="x"
! a !! b
|-
| rowspan=2 | c || [[d]]
|}
* one
; two : three
<!-- no --> [http://x words] &amp; <nowiki>''</nowiki>"""
HTML = """<section><h2>Life</h2><p>She <a href="./Film">made</a> <b>it</b>.<sup class="reference">1</sup></p>
<table><caption>c</caption><tr><th>a</th></tr>
<tr><td rowspan="2">b</td><td><a href="./D">d</a></td></tr></table>
<ul><li>one</li></ul></section>"""
PAGE = {
    "title": "B", "text": " She made it. It was good.", "id": "b", "entity": "Q5",
    "links": [{"target": "Film", "anchor": "made", "start": 5, "end": 9}, "D"],
    "tables": [{"header": ["a"], "rows": [["x", {"text": "y", "links": ["Y"]}], [1]], "caption": "c"}],
}  # fmt: skip
TABLE = {
    "page": "B",
    "section": "s",
    "header": ["a", "b"],
    "rows": [["x", 5], [{"text": "y", "links": ["Y"]}, None]],
}
ARTICLE = {
    "name": "B", "identifier": 2, "namespace": {"identifier": 0}, "main_entity": {"identifier": "Q5"},
    "article_body": {"html": HTML, "wikitext": WIKITEXT}, "redirects": [{"name": "BB"}],
    "templates": [{"name": "x"}],
}  # fmt: skip
LINES = {"pages": PAGE, "tables": TABLE, "enterprise": ARTICLE}
XML = "<page><title>%s</title><ns>0</ns><id>%s</id><revision><id>1</id><text>%s</text></revision></page>\n"
MARKUP = [
    "{{", "}}", "{{{", "}}}", "[[", "]]", "[", "]", "|", "\n", "\n\n", "\n|", "\n{|", "\n|}", "\n|-", "\n!",
    "||", "<ref>",
    "</ref>", "<nowiki>", "<", ">", "<!--", "-->", "''", "'''", " ", "=", "\n==", "\n*", "\n;", ":",
    "[http://x ", "&", "&#1;",
    "__TOC__", "----", "a", "1", ".", "(", ")", "é", "<br>", "<span style='display:none'>", "{{convert|1|km|",
    "{{nowrap|", "{{circa|1|", "{{lang|en|", "{{birth date|", "{{#if:x|", "{{ubl|", "{{sortname|",
    "[[File:x|", "colspan=9999 |",
    "rowspan=99999 |", "?", "! ", "Dr. ", "\u202e", "\u0301", "'", '"', "%20", "#",
]  # fmt: skip
TAGS = [
    "<div>", "</div>", "<p>", "<h1>", "<h2><div>", "</h2>", "<table>", "<tr>", "<td>",
    "<td rowspan=9999 colspan=9999>",
    "</table>", "<a href='./X'>", "</a>", "<b>", "<b id=1>", "<i>", "<ul>", "<li>", "<?php x ?>",
    "<!-- x -->", "<![CDATA[", "]]>",
    "<svg>", "<math>", "<select>", "<option>", "<template>", "<script>", "x", " ", "&amp;", "&", "<", ">",
    "<caption>", "<dl><dt>",
    "<sup class=reference>", "<span style='display:none'>", "<span id=disambigbox>", "\n", "é", "</p>",
    "</", "<x-y>", "<font>",
]  # fmt: skip


def draw(chance: random.Random) -> Any:
    kind = chance.choice(["mediawiki", *LINES])
    if kind != "mediawiki":
        return {"kind": kind, "middle": pieces(mutated_piece(chance, LINES[kind]))}
    text = (
        mutated_bytes(chance, WIKITEXT.encode()) if chance.random() < 0.6 else _soup(chance, MARKUP).encode()
    )
    page = XML.encode() % (chance.choice(ODD_TEXTS).encode("utf-8", "replace"), b"2", text)
    return {"kind": kind, "middle": pieces(mutated_bytes(chance, page) if chance.random() < 0.5 else page)}


def check(case: Any) -> None:
    kind, middle = case["kind"], content_of(case["middle"])
    shard, findings = CorpusShard(0, Chunking()), SourceFindings()
    if kind == "mediawiki":
        block = (
            (XML % ("First", "1", "One.")).encode() + middle + b"\n" + (XML % ("Last", "9", "Nine.")).encode()
        )
    else:
        key = {"pages": "title", "tables": "page", "enterprise": "name"}[kind]
        own = {"pages": {"id": None}, "enterprise": {"identifier": 1}}.get(kind, {})
        first, last = (json.dumps(LINES[kind] | own | {key: title}).encode() for title in ("First", "Last"))
        block = b"\n".join([first, middle, last, b""])
    source = TEXT_SOURCES.find(kind)
    head = FileHead(InputFile("x.jsonl"), block.partition(b"\n")[0])
    source.open(source.Options(), TextSourceContext(head)).read(block, shard, findings)
    for table, rows in shard.rows.items():
        if rows:
            declared = SHARD_TABLES[table]
            arrow(declared, dict(zip(columns(declared), zip(*rows, strict=True), strict=True)))
    assert {"First", "Last"} <= {row[2] for row in shard.rows["pages"]}, "the whole pages are kept"


def _soup(chance: random.Random, parts: list[str]) -> str:
    return "".join(chance.choice(parts) for _ in range(chance.randint(1, 60)))


def draw_markup(chance: random.Random) -> Any:
    """A few parts of markup, each perhaps very often: what takes time by the square of its length shows."""
    language = chance.choice(["wikitext", "html"])
    parts = MARKUP if language == "wikitext" else TAGS
    often = chance.choice([1, 1, 3, 30, 500, 5000])
    made = []
    for _ in range(chance.randint(1, 4)):
        piece = "".join(chance.choice(parts) for _ in range(chance.choice([1, 1, 2, 3, 10])))
        made.append([piece, chance.choice([1, often])])
    return [language, made]


def check_markup(case: Any) -> None:
    language, made = case
    text = "".join(piece * times for piece, times in made)
    content = parse(text, "T") if language == "wikitext" else parse_html(text)
    shard = CorpusShard(0, Chunking("qampari") if len(text) % 2 else Chunking())
    from rollcall.corpus import PageRecord

    shard.add_page(PageRecord("1", "T", content))
    cells = sum(len(row) for table in content.tables for row in table.rows)
    assert cells <= 60_000 * max(1, len(content.tables)) + 10 * len(text), (
        "a few words do not become a million"
    )


TARGETS = [
    Target("text-files", draw, check, share=200),
    Target("markup", draw_markup, check_markup, share=60),
]
