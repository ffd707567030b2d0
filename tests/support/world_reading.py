"""Reading a generated world back without its own code, so that tests do not trust the generator.

The wikitext reader knows only the constructs a world contains; it is no parser of real pages.
"""

import bz2
import gzip
import html
import json
import os
import re
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rollcall.world import write_world

ENTITIES = 1600
UNTOLD, DECOYS = 0.15, 0.2
_NAMESPACE = "{http://www.mediawiki.org/xml/export-0.11/}"
_UNITS = {"m": "metre", "km": "kilometre", "km2": "square kilometre", "ft": "foot"}
_SHORT = {"ft": "ft", "mi": "mi", "sqmi": "sq mi", "m": "m"}
_FACTORS = {("m", "ft"): 3.28084, ("km", "mi"): 0.621371, ("km2", "sqmi"): 0.386102, ("ft", "m"): 0.3048}


@dataclass
class Page:
    title: str
    namespace: int
    redirect: str | None
    text: str


def read_entities(path: Path) -> list[dict[str, Any]]:
    """Every entity of the dump; the dump must be an array with one entity a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        assert next(lines) == "[\n"
        entities, last = [], ""
        for line in lines:
            if line == "]\n":
                break
            entities.append(json.loads(line.rstrip().removesuffix(",")))
            last = line
        assert not last.endswith(",\n"), "the last entity has no comma"
        assert lines.read() == ""
    return entities


def read_pages(path: Path) -> list[Page]:
    pages = []
    with bz2.open(path) as stream:
        for _, element in ElementTree.iterparse(stream):
            if element.tag == f"{_NAMESPACE}page":
                redirect = element.find(f"{_NAMESPACE}redirect")
                text = element.findtext(f"{_NAMESPACE}revision/{_NAMESPACE}text") or ""
                pages.append(
                    Page(
                        element.findtext(f"{_NAMESPACE}title") or "",
                        int(element.findtext(f"{_NAMESPACE}ns") or -99),
                        None if redirect is None else redirect.get("title"),
                        text,
                    )
                )
    return pages


def links(text: str) -> list[str]:
    """The targets of links to articles."""
    found = re.findall(r"\[\[([^\[\]|]*)", text)
    return [target for target in found if not target.startswith(("File:", "Category:"))]


def plain(text: str) -> str:
    """What a reader sees of the running text; tables, headings, infoboxes and references are gone."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"<ref[^>]*/>", "", text)
    text = re.sub(r"<ref[^>]*>.*?</ref>", "", text, flags=re.S)
    text = _until_still(text, r"\{\{([^{}]*)\}\}", lambda match: _template(match.group(1)))
    text = _until_still(text, r"\[\[([^\[\]]*)\]\]", lambda match: _link(match.group(1)))
    text = re.sub(r"\{\|.*?\|\}", "", text, flags=re.S)
    text = re.sub(r"^==.*==$", "", text, flags=re.M)
    text = re.sub(r"'''|''", "", text)
    return " ".join(html.unescape(text).replace("\xa0", " ").split())


def _until_still(text: str, pattern: str, replace: Any) -> str:
    while True:
        changed = re.sub(pattern, replace, text)
        if changed == text:
            return text
        text = changed


def _template(body: str) -> str:
    name, *arguments = body.split("|")
    if name in ("'s", "'"):  # as in Wikipedia, not a bare apostrophe, which would be markup
        return name.replace("'", "&#39;")
    if name == "nowrap":
        return arguments[0]
    if name == "lang":
        return arguments[1]
    if name == "convert" and len(arguments) == 4 and arguments[3] == "0":
        amount, unit, other, _ = arguments
        whole, dot, rest = amount.partition(".")
        converted = round(float(amount) * _FACTORS[unit, other])
        plural = "feet" if unit == "ft" else _UNITS[unit] + "s"
        return f"{int(whole):,}{dot}{rest} {plural} ({converted:,} {_SHORT[other]})"
    return ""


def _link(body: str) -> str:
    if body.startswith(("File:", "Category:")):
        return ""
    return body.rpartition("|")[2]


def read_table(text: str) -> list[list[str]]:
    """The cells of the first table, spans expanded, header first."""
    match = re.search(r"\{\|(.*?)\n\|\}", text, flags=re.S)
    assert match is not None
    rows: list[list[tuple[str, int, int]]] = []
    for block in re.split(r"\n\|-\n", match.group(1))[1:]:
        cells = []
        for line in block.split("\n"):
            mark, rest = line[0], line[1:]
            for part in rest.split("!!" if mark == "!" else "||"):
                cells.append(_cell(part))
        rows.append(cells)
    return _expand(rows)


def _cell(part: str) -> tuple[str, int, int]:
    attributes = re.match(r'((?:\s*[a-z]+="[^"]*")+)\s*\|(?!\|)', part)
    rowspan = colspan = 1
    if attributes:
        part = part[attributes.end() :]
        spans = dict(re.findall(r'([a-z]+)="([^"]*)"', attributes.group(1)))
        rowspan, colspan = int(spans.get("rowspan", 1)), int(spans.get("colspan", 1))
    part = re.sub(r"\{\{dts\|(\d+)\|(\d+)\|(\d+)\|format=dmy\}\}", _sorted_date, part)
    return plain(part), rowspan, colspan


def _sorted_date(match: re.Match[str]) -> str:
    months = "January February March April May June July August September October November December"
    year, month, day = (int(group) for group in match.groups())
    return f"{day} {months.split(' ')[month - 1]} {year}"


def _expand(rows: list[list[tuple[str, int, int]]]) -> list[list[str]]:
    grid: list[list[str]] = []
    waiting: dict[int, tuple[str, int]] = {}
    for cells in rows:
        row: list[str] = []
        queue = list(cells)
        while queue or len(row) in waiting:
            column = len(row)
            if column in waiting:
                text, left = waiting.pop(column)
                row.append(text)
                if left > 1:
                    waiting[column] = (text, left - 1)
                continue
            text, rowspan, colspan = queue.pop(0)
            for _ in range(colspan):
                if rowspan > 1:
                    waiting[len(row)] = (text, rowspan - 1)
                row.append(text)
        grid.append(row)
    assert not waiting, "a row span reaches beyond the table"
    return grid


class Files:
    """The three files of a world, read when asked for."""

    def __init__(self, folder: Path):
        self.folder = folder

    @cached_property
    def entities(self) -> list[dict[str, Any]]:
        return read_entities(self.folder / "wikidata.json.gz")

    @cached_property
    def items(self) -> dict[str, dict[str, Any]]:
        return {entity["id"]: entity for entity in self.entities if entity["type"] == "item"}

    @cached_property
    def pages(self) -> dict[str, Page]:
        pages = read_pages(self.folder / "pages.xml.bz2")
        found = {page.title: page for page in pages}
        assert len(found) == len(pages), "titles are unique"
        return found

    @cached_property
    def truth(self) -> list[dict[str, Any]]:
        return pq.read_table(self.folder / "truth.parquet").to_pylist()

    def rows(self, kind: str) -> list[dict[str, Any]]:
        return [row for row in self.truth if row["kind"] == kind]

    @cached_property
    def facts(self) -> list[tuple[str, str, str]]:
        """Subject, property and entity object of all statements of the best rank."""
        found = []
        for item in self.items.values():
            for property_, claims in item["claims"].items():
                ranks = {claim["rank"] for claim in claims}
                best = "preferred" if "preferred" in ranks else "normal"
                for claim in claims:
                    value = claim["mainsnak"].get("datavalue", {}).get("value")
                    if claim["rank"] == best and isinstance(value, dict) and "id" in value:
                        found.append((item["id"], property_, value["id"]))
        return found


def label(item: dict[str, Any]) -> str:
    """The label of an item: English, or what stands in for it."""
    labels = item["labels"]
    return str(next(labels[code] for code in ("en", "en-gb", "mul") if code in labels)["value"])


@pytest.fixture(scope="session")
def shared_world(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """One world for all tests; parallel test processes share it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "world"
    try:
        folder.mkdir()
    except FileExistsError:
        while not (folder / "done").exists():
            assert not (folder / "failed").exists(), "the world could not be written by another test process"
            time.sleep(0.1)
    else:
        try:
            write_world(folder, ENTITIES, seed=7, untold=UNTOLD, decoys=DECOYS, jobs=1)
        except BaseException:
            (folder / "failed").touch()
            raise
        (folder / "done").touch()
    return Files(folder)
