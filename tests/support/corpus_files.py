"""Small sources of text in every format, and the graph they are about."""

import bz2
import gzip
import io
import json
import tarfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import zstandard

ENTITIES = [
    {"id": "Q1", "label": "Orm", "title": "Orm"},
    {"id": "Q2", "label": "Tal", "title": "Tal (river)"},
    {"id": "Q3", "label": "Ann Orne", "title": "Ann Orne"},
    {"id": "Q4", "label": "Vell"},
    {"id": "Q5", "label": "Mercury"},
    {"id": "Q6", "label": "Mercury"},
]
FACTS = [("Q3", "P19", "Q1"), ("Q1", "P17", "Q4"), ("Q2", "P17", "Q4"), ("Q3", "P800", "Q5")]

PAGES = [
    (
        "10",
        "Orm",
        "'''Orm''' is a city in [[Vell]]. It lies on the [[Tal (river)|Tal]].\n\n"
        "== People ==\n[[Ann Orne]] was born in Orm.",
    ),
    ("20", "Tal (river)", "The '''Tal''' is a river in [[Vell]]. It flows through [[Orm City|the city]]."),
    (
        "30",
        "Ann Orne",
        "'''Ann Orne''' was born in [[Orm]]. Her friend [[Bert Vale|Orne]] was too. [[Orm|The city]] is old.",
    ),
    ("40", "Vell", "'''Vell''' is a country. [[Orm]] is its capital."),
    ("50", "Mercury", "'''Mercury''' is unclear.<ref>never closed"),
    ("60", "Orm (disambiguation)", "'''Orm''' may be:\n* [[Orm]]\n* [[Ann Orne|Orm]]\n{{disambig}}"),
    (
        "70",
        "List of rivers",
        "{| class=wikitable\n! Name !! Length\n|-\n| [[Tal (river)|Tal]] || 12 km\n|-\n"
        "| [[Nowhere]] || 3 km\n|}",
    ),
]
REDIRECTS = [("80", "Orm City", "Orm"), ("81", "Town of Orm", "Orm City"), ("82", "A. Orne", "Ann Orne")]


def page_xml(id_: str, title: str, text: str, namespace: int = 0, redirect: str = "") -> str:
    moved = f"<redirect title={quoteattr(redirect)} />" if redirect else ""
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n    <id>{id_}</id>{moved}\n"
        f"    <revision>\n      <id>9{id_}</id>\n      <model>wikitext</model>\n"
        f'      <text bytes="1" xml:space="preserve">{escape(text)}</text>\n    </revision>\n  </page>\n'
    )


def export_xml(pages=PAGES, redirects=REDIRECTS) -> str:
    body = "".join(page_xml(*page) for page in pages)
    body += "".join(page_xml(id_, title, f"#REDIRECT [[{to}]]", redirect=to) for id_, title, to in redirects)
    body += page_xml("90", "Talk:Orm", "Nothing.", namespace=1)
    return f'<mediawiki xml:lang="en">\n  <siteinfo></siteinfo>\n{body}</mediawiki>\n'


def write_graph_sources(folder: Path) -> list[Path]:
    entities, facts = folder / "entities.jsonl", folder / "facts.tsv"
    entities.write_text("".join(json.dumps(row) + "\n" for row in ENTITIES), encoding="utf-8")
    facts.write_text(
        "subject\trelation\tobject\n" + "".join("\t".join(row) + "\n" for row in FACTS), encoding="utf-8"
    )
    return [entities, facts]


def compressed(path: Path, content: bytes) -> Path:
    """Write bytes as the suffix says; bz2 in several streams, as dumps are."""
    if path.suffix == ".bz2":
        half = len(content) // 2
        content = bz2.compress(content[:half]) + bz2.compress(content[half:])
    elif path.suffix == ".gz":
        content = gzip.compress(content)
    elif path.suffix == ".zst":
        content = zstandard.compress(content)
    path.write_bytes(content)
    return path


def enterprise_lines() -> bytes:
    html = "<p><b>Orm</b> is in <a href='./Vell'>Vell</a>. It is old.</p>"
    articles = [
        {
            "name": "Orm",
            "identifier": 10,
            "namespace": {"identifier": 0},
            "main_entity": {"identifier": "Q1"},
            "redirects": [{"name": "Orm City"}],
            "article_body": {"html": html, "wikitext": "x"},
        },
        {
            "name": "Somewhere",
            "identifier": 11,
            "namespace": {"identifier": 0},
            "main_entity": {"identifier": "Q4"},
            "templates": [{"name": "Template:Disambiguation"}],
            "article_body": {"wikitext": "A [[Orm City|town]]. {{nowrap|By wikitext.}}"},
        },
        {
            "name": "Talk:Orm",
            "identifier": 12,
            "namespace": {"identifier": 1},
            "article_body": {"html": "<p>x</p>"},
        },
    ]
    return b"".join(json.dumps(article).encode() + b"\n" for article in articles)


def tar_of(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path
