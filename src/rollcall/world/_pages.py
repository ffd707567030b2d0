"""Pages as in a MediaWiki export: the XML around wikitext."""

from functools import cache
from hashlib import sha1
from html import escape

from rollcall.world._article import WrittenPage
from rollcall.world._chance import key, word
from rollcall.world._sentences import EntityNames
from rollcall.world._titles import ALONE, PageTitles
from rollcall.world._vocabulary import CLASSES, CONCEPT_NUMBERS, CONCEPTS

_NAMESPACES = (
    (-2, "Media"), (-1, "Special"), (0, ""), (1, "Talk"), (2, "User"), (3, "User talk"), (4, "Wikipedia"),
    (6, "File"), (8, "MediaWiki"), (10, "Template"), (12, "Help"), (14, "Category"),
)  # fmt: skip

FOOTER = "</mediawiki>\n"


def header() -> str:
    """The beginning of the export, with its namespaces."""
    lines = [
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xsi:schemaLocation="http://www.mediawiki.org/xml/export-0.11/'
        ' http://www.mediawiki.org/xml/export-0.11.xsd" version="0.11" xml:lang="en">',
        "  <siteinfo>",
        "    <sitename>Wikipedia</sitename>",
        "    <dbname>enwiki</dbname>",
        "    <base>https://en.wikipedia.example.org/wiki/Main_Page</base>",
        "    <generator>MediaWiki 1.42.0</generator>",
        "    <case>first-letter</case>",
        "    <namespaces>",
    ]
    for number, name in _NAMESPACES:
        body = f">{name}</namespace>" if name else " />"
        lines.append(f'      <namespace key="{number}" case="first-letter"{body}')
    return "\n".join([*lines, "    </namespaces>", "  </siteinfo>", ""])


def page_xml(page: WrittenPage, page_id: int, stream: int) -> str:
    """One page with its single revision."""
    bits = word(stream, page_id)
    second = (bits >> 20) % 86400
    stamp = (
        f"20{10 + bits % 14}-{1 + (bits >> 8) % 12:02d}-{1 + (bits >> 12) % 28:02d}"
        f"T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}Z"
    )
    redirect = f'\n    <redirect title="{escape(page.redirect)}" />' if page.redirect else ""
    who = (
        f"<username>Editor {bits % 997}</username>\n        <id>{1000 + bits % 997}</id>"
        if bits % 7
        else f"<ip>192.0.2.{bits % 251}</ip>"
    )
    data = page.text.encode()
    digest = _base36(int.from_bytes(sha1(data, usedforsecurity=False).digest()))
    return (
        f"  <page>\n    <title>{escape(page.title, quote=False)}</title>\n    <ns>{page.namespace}</ns>\n"
        f"    <id>{page_id}</id>{redirect}\n    <revision>\n      <id>{100_000_000 + page_id * 3}</id>\n"
        f"      <timestamp>{stamp}</timestamp>\n      <contributor>\n        {who}\n      </contributor>\n"
        f"      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f'      <text bytes="{len(data)}" sha1="{digest}" xml:space="preserve">'
        f"{escape(page.text, quote=False)}</text>\n"
        f"      <sha1>{digest}</sha1>\n    </revision>\n  </page>\n"
    )


@cache
def _triples() -> list[str]:
    """Every sequence of three digits in base 36."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return [first + second + third for first in digits for second in digits for third in digits]


def _base36(bits: int) -> str:
    """A SHA-1 as MediaWiki writes it: 31 digits in base 36."""
    text, triples = "", _triples()
    for _ in range(11):
        bits, triple = divmod(bits, 46656)
        text = triples[triple] + text
    return text[2:]


# Pages other than articles: redirects, disambiguations, concepts, and a few in other namespaces.


def redirect(titles: PageTitles, number: int) -> WrittenPage | None:
    """The redirect from an entity's alias, if there is one."""
    if not titles.has_redirect(number):
        return None
    target = titles.title(number)
    text = f"#REDIRECT [[{target}]]\n\n{{{{R from alternative name}}}}"
    return WrittenPage(titles.redirect_alias(number), text, redirect=target)


def disambiguation(titles: PageTitles, names: EntityNames, number: int) -> WrittenPage | None:
    """The disambiguation page of homonyms, written in the block of the first of them."""
    group = titles.homonyms(number)
    if not group or group[0] != number:
        return None
    label = titles.labels.label(number)
    lines = [f"'''{label}''' may refer to:", ""]
    for member in group[:40]:
        name = names.of(member)
        noun = titles.census.kind(member).name
        article = "an" if noun[0] in "aeio" else "a"
        lines.append(f"* [[{name.title}]], {article} {noun}")
    lines += ["", "{{disambiguation}}"]
    free = all(int(titles.skeleton["level"][member]) != ALONE for member in group)
    concept = any(concept.label.lower() == label.lower() for concept in CONCEPTS)
    return WrittenPage(label if free and not concept else f"{label} (disambiguation)", "\n".join(lines))


def talk(seed: int, title: str, number: int) -> WrittenPage | None:
    """A talk page, for a few articles."""
    if word(key(seed, "talk"), number) % 40:
        return None
    text = "{{WikiProject banner shell|class=Start}}\n\n== Sources ==\nCould someone check the dates? ~~~~"
    return WrittenPage(f"Talk:{title}", text, namespace=1)


def fixed_pages(titles: PageTitles) -> list[WrittenPage]:
    """The pages that every world has: concepts, templates, categories."""
    pages = []
    for index, concept in enumerate(CONCEPTS):
        noun = CLASSES[concept.class_id].label
        article = "an" if noun[0] in "aeio" else "a"
        title = titles.title(CONCEPT_NUMBERS + index)
        also = f", also called {concept.aliases[0]}," if concept.aliases else ""
        text = (
            f"'''{concept.label[0].upper() + concept.label[1:]}'''{also} is {article} {noun}.\n\n"
            "It is known in many countries.<ref>''Almanac'', vol. 2.</ref>\n\n"
            "== References ==\n{{reflist}}\n\n"
            f"[[Category:{CLASSES[concept.class_id].plural.capitalize()}]]"
        )
        pages.append(WrittenPage(title, text))
    for name, text in (
        (
            "Template:Convert",
            "<includeonly>{{{1}}} {{{2}}}</includeonly><noinclude>Converts units.</noinclude>",
        ),
        ("Template:Reflist", "<includeonly><references /></includeonly>"),
        ("Template:Lang", "<includeonly>''{{{2}}}''</includeonly>"),
    ):
        pages.append(WrittenPage(name, text, namespace=10))
    for class_id in ("Q11424", "Q5", "Q515", "Q4022"):
        plural = CLASSES[class_id].plural.capitalize()
        pages.append(
            WrittenPage(
                f"Category:{plural}",
                f"Articles about {plural.lower()}.\n\n[[Category:Contents]]",
                namespace=14,
            )
        )
    return pages
