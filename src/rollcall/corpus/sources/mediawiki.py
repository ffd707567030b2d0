"""MediaWiki's export XML: the pages of namespace 0, with redirects.

Fields are found with regular expressions instead of an XML parser: one program writes all exports in the same
way, a parser would stop at the first bad character, and this is several times faster.
"""

import re
from collections.abc import Iterator

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.corpus.html import parse_html
from rollcall.corpus.ingest import line_of
from rollcall.corpus.lists import wiki_title
from rollcall.corpus.shard import CorpusShard, PageRecord
from rollcall.corpus.source import (
    SourceFindings,
    TextSource,
    WikitextOptions,
    check_templates,
    first_keys,
    note_problems,
)
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.corpus.sources.rows import JsonEntries
from rollcall.corpus.wikitext import parse_with
from rollcall.corpus.wikitext.templates import load_rules
from rollcall.input_files.file_source import FileHead
from rollcall.input_files.input_file import explain

_TITLE = re.compile(rb"<title>([^<]*)</title>")
_NAMESPACE = re.compile(rb"<ns>\s*(-?\d+)\s*</ns>")
_ID = re.compile(rb"<id>\s*(\d+)\s*</id>")
_REDIRECT = re.compile(rb'<redirect title="([^"]*)"')
_TEXT = re.compile(rb"<text\b([^>]*?)(/?)>([^<]*)")
_MODEL = re.compile(rb"<model>\s*([^<\s]*)\s*</model>")


@TEXT_SOURCES.register("mediawiki")
class MediaWiki(TextSource):
    """MediaWiki's XML dump."""

    Options = WikitextOptions
    expects = "a MediaWiki XML dump"
    entry_end = b"</page>"
    entry_name = "page"

    def __init__(self, templates: str) -> None:
        self.templates_hash = check_templates(templates)
        self._parse = parse_with(templates)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        begins = head.content.startswith(b"<")
        return begins and (b"<mediawiki" in head.content or b"<page>" in head.content)

    def read(self, block: bytes, shard: CorpusShard, findings: SourceFindings) -> None:
        tally, lines = findings.tally, dict[str, int]()
        for start, page, whole in _pages(block):
            tally.entries += 1
            problem, reason = "unfinished page", ""
            mark = shard.mark()
            try:
                if whole:
                    problem = self._read_page(page, shard, findings, block, start, lines)
            except Exception as error:  # any error in one page affects only that page
                shard.restore(mark)
                problem, reason = "unreadable page", f": {explain(error)}"
            if problem:
                tally.add_bad(line_of(block, start, lines), problem, _title_of(page) + reason)
        tally.lines = block.count(b"\n")

    def _read_page(
        self,
        page: bytes,
        shard: CorpusShard,
        findings: SourceFindings,
        block: bytes,
        start: int,
        lines: dict[str, int],
    ) -> str:
        """Read one page; returns what is wrong with it, if it cannot be read."""
        head = page.partition(b"<revision")[0]  # a revision has an id too
        title, number, space = _TITLE.search(page), _ID.search(head), _NAMESPACE.search(page)
        if title is None or number is None:
            return "page without title" if title is None else "page without id"
        if space is not None and space[1] != b"0":
            findings.tally.skip("pages of other namespaces")
            return ""
        name = wiki_title(_unescaped(title[1]))
        if not name:
            return "page without title"
        redirect = _REDIRECT.search(page)
        if redirect:
            shard.add_redirect(name, wiki_title(_unescaped(redirect[1])))
            findings.tally.skip("redirects")
            return ""
        model = _MODEL.search(page)
        if model and model[1] != b"wikitext":
            findings.tally.skip(f"pages of {model[1].decode('utf-8', 'replace')}")
            return ""
        text, broken = _text_of(page)
        if text is None:
            return "page without text"
        content = self._parse(_unescaped(text), name)
        if broken:
            content.problems.append(broken)
        if content.redirect:
            shard.add_redirect(name, content.redirect)
            findings.tally.skip("redirects")
            return ""
        shard.add_page(PageRecord(number[1].decode(), name, content))
        note_problems(findings, content, line_of(block, start, lines) if content.problems else 0, name)
        return ""


def _pages(block: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Each page with its position, and whether it is complete."""
    start = block.find(b"<page>")
    while start >= 0:
        following = block.find(b"<page>", start + 1)
        end = block.find(b"</page>", start, following if following >= 0 else len(block))
        if end >= 0:
            yield start, block[start:end], True
        else:
            yield start, block[start : following if following >= 0 else len(block)], False
        start = following


def _text_of(page: bytes) -> tuple[bytes | None, str]:
    """The text of the newest revision, which is the last one, and the problems found in its XML."""
    texts = list(_TEXT.finditer(page))
    if not texts:
        return None, ""
    element = texts[-1]
    if element[2] or page.startswith(b"</text>", element.end()):
        return element[3], ""
    end = page.find(b"</text>", element.end())
    if end >= 0:
        return page[element.start(3) : end], "angle bracket in a text that is not escaped"
    end = page.find(b"</revision>", element.end())
    return page[element.start(3) : end if end >= 0 else len(page)], "text without its end"


def _title_of(page: bytes) -> str:
    title = _TITLE.search(page)
    return _unescaped(title[1]) if title else "a page without a title"


def _unescaped(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    if "&" in text:
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&#039;", "'")
        text = text.replace("&apos;", "'").replace("&amp;", "&")
    return text


# Wikimedia Enterprise HTML dumps: one article per line, with HTML, Wikidata item and redirects.


class _NameObject(msgspec.Struct):
    name: str = ""


class _Numbered(msgspec.Struct):
    identifier: str | int | float | None = None


class _Body(msgspec.Struct):
    html: str | None = None
    wikitext: str | None = None


class Article(msgspec.Struct):
    """The fields of an article that are read."""

    name: str
    article_body: _Body
    identifier: int | None = None
    namespace: _Numbered | None = None
    main_entity: _Numbered | None = None
    redirects: list[_NameObject] | None = None
    templates: list[_NameObject] | None = None


@TEXT_SOURCES.register("enterprise")
class EnterpriseDump(JsonEntries):
    """Wikimedia Enterprise's HTML dump: articles of namespace 0.

    If the HTML is missing, the article's wikitext is read.
    """

    Options = WikitextOptions
    expects = "a Wikimedia Enterprise HTML dump"

    decoder = msgspec.json.Decoder(Article)

    def __init__(self, templates: str) -> None:
        self.templates_hash = check_templates(templates)
        self._parse = parse_with(templates)
        self._disambiguation = load_rules().disambiguation

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return "article_body" in first_keys(head)

    def read_record(self, record: Article, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        if record.namespace and record.namespace.identifier not in (0, None):
            findings.tally.skip("pages of other namespaces")
            return
        title = wiki_title(record.name)
        if not title or record.identifier is None:
            raise RollcallError("an article without name" if not title else "an article without identifier")
        body = record.article_body
        if body.html:
            content = parse_html(body.html)
        elif body.wikitext:
            content = self._parse(body.wikitext, title)
        else:
            raise RollcallError(f"{title}: an article without body")
        names = {wiki_title(template.name).rpartition(":")[2].lower() for template in record.templates or ()}
        if not names.isdisjoint(self._disambiguation) or title.endswith("(disambiguation)"):
            content.disambiguation = True
        item = record.main_entity.identifier if record.main_entity else None
        shard.add_page(PageRecord(str(record.identifier), title, content, str(item) if item else None))
        for redirect in record.redirects or ():
            if redirect.name:
                shard.add_redirect(wiki_title(redirect.name), title)
        note_problems(findings, content, line, title)
