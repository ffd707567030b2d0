"""Prints a corpus for people: an overview, or one page with its sentences, links and tables."""

from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text

from rollcall.corpus.corpus import Corpus, Page, PageLink, PageTable
from rollcall.errors import RollcallError
from rollcall.screen import Screen, styled
from rollcall.terminal import say_json

_LISTED = 20
_ROWS = 50


def show_corpus(folder: Path, name: str | None, as_json: bool) -> None:
    """Print an overview, or the page of this name."""
    with Corpus.open(folder) as corpus:
        if name is None:
            _overview(corpus, as_json)
            return
        pages = corpus.find(name)
        if not pages:
            raise RollcallError(f"no page is called {name!r}; `rollcall show {folder}` lists some")
        if len(pages) > 1:
            listed = "; ".join(f"{page.title} ({page.id})" for page in pages[:8])
            raise RollcallError(f"{name!r} names {len(pages)} pages, use an id: {listed}")
        if as_json:
            say_json(_record(corpus, pages[0]))
        else:
            _print_page(corpus, pages[0])


def _overview(corpus: Corpus, as_json: bool) -> None:
    from rollcall.cli.corpus_summary import print_summary

    if as_json:
        say_json(corpus.manifest)
        return
    print_summary(corpus)
    rows = corpus.tables.pages
    longest = rows.order_by([rows.sentences.desc(), rows.id]).limit(_LISTED).title.to_pyarrow().to_pylist()
    console = Screen()
    console.print("longest pages: " + "; ".join(longest), soft_wrap=True)


def _record(corpus: Corpus, page: Page) -> dict[str, object]:
    parts = {
        "sentences": corpus.sentences(page.id),
        "passages": corpus.passages(page.id),
        "links": corpus.links(page.id),
        "tables": corpus.page_tables(page.id),
    }
    return {**msgspec.to_builtins(page), **msgspec.to_builtins(parts)}


def _print_page(corpus: Corpus, page: Page) -> None:
    console = Screen(soft_wrap=True)
    tied = f"{page.entity} (by {page.tie})" if page.entity else "no entity"
    console.print(styled((page.title, "bold"), f"  page {page.id}, {tied}"))
    if page.disambiguation:
        console.print("lists namesakes (disambiguation)")
    links: dict[int | None, list[PageLink]] = {}
    for link in corpus.links(page.id):
        links.setdefault(link.sentence, []).append(link)
    section = ""
    for sentence in corpus.sentences(page.id):
        if sentence.section != section:
            section = sentence.section
            console.print()
            console.print(styled((f"== {section} ==", "bold")))
        text = _with_links(sentence.text, sentence.start, links.get(sentence.number, []))
        console.print(styled((f"{sentence.number:>4}", "dim"), "  ").append_text(text))
    passages = corpus.passages(page.id)
    spans = ", ".join(f"{passage.first}–{passage.last} ({passage.words} words)" for passage in passages)
    if passages:
        console.print()
        console.print(f"passages: sentences {spans}")
    _print_links(console, [link for found in links.values() for link in found])
    for table in corpus.page_tables(page.id):
        _print_table(console, table)


def _with_links(text: str, start: int, links: list[PageLink]) -> Text:
    """A sentence with its anchors underlined."""
    parts: list[str | tuple[str, str]] = []
    position = 0
    for link in links:
        if link.start is None or link.end is None or link.start - start < position:
            continue
        first, last = link.start - start, min(link.end - start, len(text))
        parts += [text[position:first], (text[first:last], "underline")]
        position = last
    return styled(*parts, text[position:])


def _print_links(console: Screen, links: list[PageLink]) -> None:
    if not links:
        return
    console.print()
    console.print(styled(("links", "bold")))
    for link in links:
        place = "   –" if link.sentence is None else f"{link.sentence:>4}"
        shown = f"{link.anchor} → {link.target}" if link.anchor not in (None, link.target) else link.target
        console.print(styled((place, "dim"), f"  {shown}" + (f"  {link.entity}" if link.entity else "")))


def _print_table(console: Screen, table: PageTable) -> None:
    named = " · ".join(part for part in (table.section, table.caption) if part)
    console.print()
    console.print(styled((f"table {table.number}", "bold"), f" {named}"))
    width = max([len(table.header), *(len(row) for row in table.rows)], default=0)
    shown = Table(show_header=bool(table.header))
    for column in range(width):
        shown.add_column(table.header[column] if table.header else "")
    for row in table.rows[:_ROWS]:
        shown.add_row(*(cell.text for cell in row))
    console.print(shown)
    if len(table.rows) > _ROWS:
        console.print(f"… and {len(table.rows) - _ROWS} more rows")
