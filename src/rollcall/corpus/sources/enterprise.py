"""Wikimedia Enterprise HTML dumps: one article per line, with HTML, Wikidata item and redirects."""

import msgspec

from rollcall.corpus.html import parse_html
from rollcall.corpus.ingest.findings import Findings, note_problems
from rollcall.corpus.ingest.json_keys import first_keys
from rollcall.corpus.ingest.wikitext_options import WikitextOptions, check_templates
from rollcall.corpus.shard import PageRecord, Shard
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.corpus.sources.json_lines import JsonEntries
from rollcall.corpus.titles import wiki_title
from rollcall.corpus.wikitext import parse_with
from rollcall.corpus.wikitext.template_rules import load_rules
from rollcall.errors import RollcallError
from rollcall.input_files.file_source import FileHead


class _Named(msgspec.Struct):
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
    redirects: list[_Named] | None = None
    templates: list[_Named] | None = None


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

    def read_record(self, record: Article, shard: Shard, findings: Findings, line: int) -> None:
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
        names = {wiki_title(named.name).rpartition(":")[2].lower() for named in record.templates or ()}
        if not names.isdisjoint(self._disambiguation) or title.endswith("(disambiguation)"):
            content.disambiguation = True
        item = record.main_entity.identifier if record.main_entity else None
        shard.add_page(PageRecord(str(record.identifier), title, content, str(item) if item else None))
        for redirect in record.redirects or ():
            if redirect.name:
                shard.add_redirect(wiki_title(redirect.name), title)
        note_problems(findings, content, line, title)
