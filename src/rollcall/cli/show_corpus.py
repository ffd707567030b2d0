"""A corpus for people: an overview, or one page with its sentences, links and tables."""

import json
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rollcall.corpus.corpus import Corpus, Page, PageLink, PageTable
from rollcall.errors import RollcallError

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
            print(json.dumps(_record(corpus, pages[0]), ensure_ascii=False))
        else:
            _print_page(corpus, pages[0])


def _overview(corpus: Corpus, as_json: bool) -> None:
    from rollcall.cli.corpus_summary import print_summary

    if as_json:
        print(json.dumps(corpus.manifest, ensure_ascii=False))
        return
    print_summary(corpus)
    rows = corpus.tables.pages
    titles = rows.order_by([rows.sentences.desc(), rows.id]).limit(_LISTED).title.execute()
    console = Console(highlight=False)
    console.print("longest pages: " + escape("; ".join(titles)), soft_wrap=True)


def _record(corpus: Corpus, page: Page) -> dict[str, object]:
    parts = {
        "sentences": corpus.sentences(page.id),
        "passages": corpus.passages(page.id),
        "links": corpus.links(page.id),
        "tables": corpus.page_tables(page.id),
    }
    return {**msgspec.to_builtins(page), **msgspec.to_builtins(parts)}


def _print_page(corpus: Corpus, page: Page) -> None:
    console = Console(highlight=False, soft_wrap=True)
    tied = f"{page.entity} (by {page.tie})" if page.entity else "no entity"
    console.print(f"[bold]{escape(page.title)}[/bold]  page {escape(page.id)}, {escape(tied)}")
    if page.disambiguation:
        console.print("lists namesakes (disambiguation)")
    links: dict[int | None, list[PageLink]] = {}
    for link in corpus.links(page.id):
        links.setdefault(link.sentence, []).append(link)
    section = ""
    for sentence in corpus.sentences(page.id):
        if sentence.section != section:
            section = sentence.section
            console.print(f"\n[bold]== {escape(section)} ==[/bold]")
        text = _with_links(sentence.text, sentence.start, links.get(sentence.number, []))
        console.print(f"[dim]{sentence.number:>4}[/dim]  {text}")
    passages = corpus.passages(page.id)
    spans = ", ".join(f"{passage.first}–{passage.last} ({passage.words} words)" for passage in passages)
    if passages:
        console.print(f"\npassages: sentences {spans}")
    _print_links(console, [link for found in links.values() for link in found])
    for table in corpus.page_tables(page.id):
        _print_table(console, table)


def _with_links(text: str, start: int, links: list[PageLink]) -> str:
    """A sentence with its anchors underlined."""
    parts, position = [], 0
    for link in links:
        if link.start is None or link.end is None or link.start - start < position:
            continue
        first, last = link.start - start, min(link.end - start, len(text))
        parts += [escape(text[position:first]), f"[underline]{escape(text[first:last])}[/underline]"]
        position = last
    return "".join([*parts, escape(text[position:])])


def _print_links(console: Console, links: list[PageLink]) -> None:
    if not links:
        return
    console.print("\n[bold]links[/bold]")
    for link in links:
        place = "   –" if link.sentence is None else f"{link.sentence:>4}"
        shown = f"{link.anchor} → {link.target}" if link.anchor not in (None, link.target) else link.target
        console.print(
            f"[dim]{place}[/dim]  {escape(shown)}" + (f"  {escape(link.entity)}" if link.entity else "")
        )


def _print_table(console: Console, table: PageTable) -> None:
    named = " · ".join(part for part in (table.section, table.caption) if part)
    console.print(f"\n[bold]table {table.number}[/bold] {escape(named)}")
    width = max([len(table.header), *(len(row) for row in table.rows)], default=0)
    shown = Table(show_header=bool(table.header))
    for column in range(width):
        shown.add_column(escape(table.header[column]) if table.header else "")
    for row in table.rows[:_ROWS]:
        shown.add_row(*(escape(cell.text) for cell in row))
    console.print(shown)
    if len(table.rows) > _ROWS:
        console.print(f"… and {len(table.rows) - _ROWS} more rows")
