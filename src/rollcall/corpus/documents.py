"""Documents as people write them, one file a page: text, Markdown, HTML, Word and PDF, each as HTML.

- `paragraphs`, `unwrapped`: text whose lines are broken at a width, with each paragraph in one line.
- `read_document`: a document of any of these kinds.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from importlib.util import find_spec
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall._core.files import Archive, DamagedFileError
from rollcall.input_files.input_file import foreign_encoding
from rollcall.text.words import ARTICLES, CONJUNCTIONS, FURTHER_PREPOSITIONS, PREPOSITIONS

# Text whose lines are broken at a width, as in text files, PDFs and mail: its paragraphs, each in one line.
#
# A line break inside a sentence does not end a paragraph. What tells them apart is the length of the lines,
# and how they end. Lists, tables, code and verse keep their lines.
#
# - `width_of`: the width at which the lines of some texts are broken, if they are.
# - `unwrapped`: such a text with its paragraphs in one line each, and its other lines as they are.
# - `paragraphs`: the paragraphs of a file of text, whatever its lines are.

_ENDS = (".", "!", "?", ":", ";", "。", "”", '"', ")")
_OPEN = ARTICLES | CONJUNCTIONS | PREPOSITIONS | FURTHER_PREPOSITIONS
"""After these words, and after a comma, no sentence ends."""
_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad]$")
_BULLET = re.compile(r"\s*(?:[-*+•–▪◦·]|\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
_LAID_OUT = re.compile(r"\t| {4}|.*\S(?: {3,}|\t|\s*\|\s*)\S|.*[{}]\s*$|.*\w\(.*\);\s*$")
"""Lines of tables and code: with tabs, columns, an indent or signs that prose does not have there."""
_SHORT = 0.75
"""A line shorter than this share of the usual length was ended on purpose."""
_WIDEST = 120
"""Lines above this are not broken at a width: each is a paragraph."""
_NARROWEST = 40
_FEWEST_BREAKS = 4
_FULL, _INSIDE, _CAPITALS = 0.75, 0.5, 0.8
_NEARLY = 0.85
"""Texts of one source may be broken at widths that differ by as much."""
_FEWEST_VERSES = 3


def width_of(texts: Iterable[str]) -> int:
    """The width at which the lines of most texts are broken; 0 if their line breaks have another reason.

    Nearly every line is then so long that the next word had no room. Most end inside a sentence, and few of
    the lines that follow begin with a capital, as those of verse and lists do.
    """
    breaks = [pair for text in texts for block in _blocks(text) for pair in pairwise(block)]
    breaks = [(line, following) for line, following in breaks if _is_prose(line) and _is_prose(following)]
    if len(breaks) < _FEWEST_BREAKS:
        return 0
    lengths = sorted(len(line) for line, _ in breaks)
    width = lengths[len(lengths) * 19 // 20]
    full = [len(line) + len(following.split()[0]) >= _NEARLY * width for line, following in breaks]
    inside = [not line.endswith(_ENDS) for line, _ in breaks]
    capitals = [following.lstrip()[:1].isupper() for _, following in breaks]
    is_wrapped = (
        _NARROWEST <= width <= _WIDEST
        and sum(full) >= _FULL * len(breaks)
        and sum(inside) >= _INSIDE * len(breaks)
        and sum(capitals) < _CAPITALS * len(breaks)
    )
    return width if is_wrapped else 0


def unwrapped(text: str, width: int, *, in_place: bool = False) -> str:
    """A text whose lines are broken at a width, with each paragraph in one line and all other lines kept.

    With `in_place`, every character keeps its position.
    """
    joined = ""
    for block in _blocks(text, blank=True):
        is_verse = _is_verse(block, width)
        for number, line in enumerate(block):
            follows = number and not is_verse and _continues(block[number - 1], line, width)
            if follows and not in_place and _HYPHEN.search(joined) and line[:1].islower():
                joined += line
            elif follows:
                joined += f" {line}"
            else:
                joined += f"\n{line}"
    return joined[1:]


def paragraphs(text: str, *, keeps_layout: bool = False) -> list[str]:
    """The paragraphs of a text, each in one line; with `keeps_layout`, other lines are kept one by one."""
    lines = text.splitlines()
    filled = [len(line.strip()) for line in lines if line.strip()]
    if not filled or max(filled) > _WIDEST:
        return [line.strip() for line in lines if line.strip()]
    usual = median(sorted(filled)[len(filled) // 2 :])
    joined_paragraphs: list[str] = []
    for block in _blocks(text):
        is_verse = keeps_layout and _is_verse(block, usual)
        part: list[str] = []
        for number, line in enumerate(block):
            if number and (is_verse or not _continues(block[number - 1], line, usual, keeps_layout)):
                joined_paragraphs.append(_joined(part))
                part = []
            part.append(line.strip())
        joined_paragraphs.append(_joined(part))
    return joined_paragraphs


def _blocks(text: str, *, blank: bool = False) -> Iterator[list[str]]:
    """The lines between blank lines; with `blank`, blank lines are blocks of their own."""
    block: list[str] = []
    for line in text.split("\n"):
        if line.strip():
            block.append(line if blank else line.rstrip())
            continue
        if block:
            yield block
        if blank:
            yield [line]
        block = []
    if block:
        yield block


def _is_prose(line: str) -> bool:
    return not _BULLET.match(line) and not _LAID_OUT.match(line)


def _is_verse(block: Sequence[str], width: float) -> bool:
    """Whether most lines of a block begin with a capital, and most could have been longer."""
    if len(block) < _FEWEST_VERSES:
        return False
    capitals = sum(line.lstrip()[:1].isupper() for line in block)
    short = sum(len(line) + len(after.split()[0]) < _NEARLY * width for line, after in pairwise(block))
    return capitals >= _CAPITALS * len(block) and short > _INSIDE * (len(block) - 1)


def _continues(line: str, following: str, usual: float, keeps_layout: bool = True) -> bool:
    """Whether a paragraph continues in the next line."""
    if _BULLET.match(following):
        return False
    if keeps_layout and (_LAID_OUT.match(line) or _LAID_OUT.match(following)):
        return False
    line, following = line.strip(), following.strip()
    short = len(line) < _SHORT * usual
    return not (short and (line.endswith(_ENDS) or (following[:1].isupper() and not _is_open(line))))


def _is_open(line: str) -> bool:
    """Whether a line ends inside a sentence, whatever comes next."""
    return line.endswith(",") or line.rpartition(" ")[2] in _OPEN


def _joined(lines: Sequence[str]) -> str:
    joined = lines[0]
    for line in lines[1:]:
        divided = _HYPHEN.search(joined) and line[:1].islower()
        joined = joined[:-1] + line if divided else f"{joined} {line}"
    return " ".join(joined.split())


# Running heads and feet of pages.

_DIGITS = re.compile(r"\d+")
_FEWEST_PAGES = 3


def without_running_heads(pages: Iterable[str]) -> Iterator[str]:
    """Pages without their numbers, and without first and last lines that most of them share."""
    cut = [[line for line in page.splitlines() if line.strip()] for page in pages]
    heads = _shared([lines[0] for lines in cut if lines])
    feet = _shared([lines[-1] for lines in cut if lines])
    for lines in cut:
        while lines and (_shape(lines[0]) in heads or lines[0].strip().isdigit()):
            lines.pop(0)
        while lines and (_shape(lines[-1]) in feet or lines[-1].strip().isdigit()):
            lines.pop()
        yield "\n".join(lines)


def _shape(line: str) -> str:
    return _DIGITS.sub("0", " ".join(line.split()))


def _shared(lines: list[str]) -> set[str]:
    shapes = [_shape(line) for line in lines]
    if len(shapes) < _FEWEST_PAGES:
        return set()
    return {shape for shape in shapes if 2 * shapes.count(shape) > len(shapes)}


# Documents of each format as a title and HTML, so that one reader cuts all of them. Markdown is rendered
# by markdown-it, which the terminal's library brings along; Word and PDF are read by the libraries of
# the extra `documents`.

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_TITLE_LINE = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_TITLE_TAG = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
_FIRST_HEADING = re.compile(r"<h[12][^>]*>(.*?)</h[12]>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_LONGEST_TITLE = 120
_LONGEST_REASON = 200
_HEAD = 2048
_IS_XML = re.compile(rb"[\0\xef\xbb\xbf\xff\xfe\s]*<")
_DECLARATION = re.compile(rb"<\0?!\0?D\0?O\0?C\0?T\0?Y\0?P\0?E")
_MOST_XML = 64 << 20
_MOST_TAGS = 3_000_000
"""A document of some thousand pages has as many; each takes some hundred bytes of memory."""
_LARGEST_STREAM = 16 << 20
"""The content of a page of a PDF is rarely larger than some hundred kilobytes."""
_MOST_PDF_TIMES = 50
"""The pages of a PDF of more than `_MOST_XML` may be this many times larger than the file."""


class Document(NamedTuple):
    """A document as HTML, with its title if it has one."""

    title: str
    html: str
    problem: str = ""
    """What had to be repaired while reading it."""
    unwrapped: bool = False
    """Whether lines that were broken at a width were joined."""


def missing_library(suffix: str) -> str | None:
    """What must be installed to read documents of this suffix; None if nothing is missing."""
    library = {".pdf": "pypdf", ".docx": "docx"}.get(suffix)
    if library is None or find_spec(library) is not None:
        return None
    return f"reading {suffix} needs the extra `documents`: pip install 'rollcall-qa[documents]'"


def read_document(suffix: str, content: bytes, encoding: str = "", *, keeps_lines: bool = False) -> Document:
    """The document in a file of this suffix; a RollcallError says why it cannot be read.

    With `keeps_lines`, each line of a plain text is a paragraph.
    """
    reader = _by_line if keeps_lines and FORMATS[suffix] is _plain else FORMATS[suffix]
    try:
        return reader(content, encoding)
    except DamagedFileError as error:
        raise RollcallError(f"{error.reason}; {error.remedy}") from None
    except (RollcallError, MemoryError):
        raise
    except Exception as error:  # the libraries raise anything where a file is damaged
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        raise RollcallError(
            f"not a readable {suffix} file ({type(error).__name__}{reason and f': {reason}'})"
        ) from None


def _text(content: bytes, encoding: str) -> tuple[str, str]:
    """The text of a file, and what had to be guessed."""
    if encoding:
        try:
            return content.decode(encoding), ""
        except (UnicodeDecodeError, LookupError) as error:
            raise RollcallError(f"not text in {encoding}: {error}") from None
    foreign = foreign_encoding(content)
    if foreign is not None:
        return content.decode(foreign, "replace"), f"not UTF-8, read as {foreign}"
    text = content.decode("utf-8-sig", "replace")
    return text, "bytes that are not UTF-8" if "\ufffd" in text and b"\xef\xbf\xbd" not in content else ""


def _plain(content: bytes, encoding: str, *, by_line: bool = False) -> Document:
    text, problem = _text(content, encoding)
    first, _, rest = text.strip().partition("\n")
    title = ""
    if len(first) <= _LONGEST_TITLE and not first.rstrip().endswith((".", "!", "?", ",", ";", ":")):
        after, _, _ = rest.partition("\n")
        underlined = bool(after.strip()) and not after.strip().strip("=-~*")
        if rest.strip() and (not after.strip() or underlined):
            title, text = first.strip(), rest.partition("\n")[2] if underlined else rest
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    joined = lines if by_line else paragraphs(text, keeps_layout=True)
    return Document(title, _paragraphs(joined), problem, len(joined) < len(lines))


def _by_line(content: bytes, encoding: str) -> Document:
    return _plain(content, encoding, by_line=True)


def _markdown(content: bytes, encoding: str) -> Document:
    from markdown_it import MarkdownIt

    text, problem = _text(content, encoding)
    title = ""
    if front := _FRONT_MATTER.match(text):
        text = text[front.end() :]
        if title_line := _TITLE_LINE.search(front[1]):
            title = title_line[1].strip().strip("\"'")
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return Document(title or _heading(html), html, problem)


def _html(content: bytes, encoding: str) -> Document:
    if not encoding and (charset := _CHARSET.search(content[:_HEAD])):
        encoding = charset[1].decode()
        if encoding.lower() in ("utf-8", "utf8") or foreign_encoding(content) is None:
            encoding = ""
    text, problem = _text(content, encoding)
    named_title = _TITLE_TAG.search(text)
    return Document(_heading(text) or (_words(named_title[1]) if named_title else ""), text, problem)


def _word(content: bytes, encoding: str) -> Document:
    import docx
    from docx.table import Table

    document = docx.Document(_checked_package(content))
    parts: list[str] = []
    styles: dict[str | None, str] = {}
    title = ""
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            rows = [[cell.text for cell in row.cells] for row in block.rows]
            parts.append(_table(rows))
            continue
        words = block.text.strip()
        if not words:
            continue
        style_id = block._p.style
        if style_id not in styles:  # looking it up takes longer than anything else
            styles[style_id] = (block.style.name or "") if block.style else ""
        style = styles[style_id]
        if style == "Title" or style.startswith("Heading"):
            title = title or words
            level = re.sub(r"\D", "", style) or "1"
            parts.append(f"<h{min(int(level), 6)}>{escape(words)}</h{min(int(level), 6)}>")
        else:
            parts.append(f"<p>{escape(words)}</p>")
    return Document(title or (document.core_properties.title or "").strip(), "\n".join(parts))


def _checked_package(content: bytes) -> io.BytesIO:
    """A Word document whose XML has a limited size, and without the parts that are no XML, such as pictures.

    The library unpacks all parts and makes trees of objects from them.
    """
    size = tags = 0
    package = io.BytesIO()
    with Archive(io.BytesIO(content), "") as archive, zipfile.ZipFile(package, "w") as copy:
        for name in archive.names:
            part = archive.read(name)
            if not _IS_XML.match(part):
                part = b""
            size, tags = size + len(part), tags + part.count(b"<")
            if size > _MOST_XML or tags > _MOST_TAGS:
                raise RollcallError(
                    f"its XML has more than {_MOST_XML >> 20} MiB or {_MOST_TAGS:,} tags; "
                    "split it, or save it as text"
                )
            if _DECLARATION.search(part):
                raise RollcallError("its XML declares a document type, which Word never does; save it again")
            copy.writestr(name, part)
    return package


def _pdf(content: bytes, encoding: str) -> Document:
    import logging

    from pypdf import PdfReader, apply_configuration
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(
        logging.CRITICAL
    )  # what it says of broken files is in our own account
    limits: dict[str, Any] = dict.fromkeys(_PDF_LIMITS, _LARGEST_STREAM)
    pages, unpacked = [], 0
    try:
        with apply_configuration(**limits):
            reader = PdfReader(io.BytesIO(content))
            if reader.is_encrypted and not reader.decrypt(""):
                raise RollcallError("it is encrypted; read a copy without a password")
            for page in reader.pages:
                drawn = page.get_contents()
                unpacked += 0 if drawn is None else len(drawn.get_data())
                if unpacked > max(_MOST_XML, _MOST_PDF_TIMES * len(content)):
                    raise RollcallError(
                        "its pages become far larger than the file, as no text does; split it"
                    )
                pages.append(page.extract_text())
            title = str(reader.metadata.title or "").strip() if reader.metadata else ""
    except PyPdfError as error:
        raise RollcallError(f"not a readable PDF: {error}") from None
    text = "\n".join(without_running_heads(pages))
    usable = title and len(title) <= _LONGEST_TITLE and not re.search(r"\.\w{2,4}$|^untitled", title, re.I)
    return Document(title if usable else "", _paragraphs(paragraphs(text)))


_PDF_LIMITS = (
    "zlib_maximum_output_length",
    "lzw_maximum_output_length",
    "run_length_maximum_output_length",
    "brotli_maximum_output_length",
    "array_based_stream_maximum_output_length",
)


def _paragraphs(texts: list[str]) -> str:
    return "\n".join(f"<p>{escape(text)}</p>" for text in texts)


def _table(rows: list[list[str]]) -> str:
    lines = [
        "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
        for row, tag in zip(rows, ["th"] + ["td"] * len(rows), strict=False)
    ]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _heading(html: str) -> str:
    match = _FIRST_HEADING.search(html)
    words = _words(match[1]) if match else ""
    return words if len(words) <= _LONGEST_TITLE else ""


def _words(html: str) -> str:
    from html import unescape

    return " ".join(unescape(_TAG.sub("", html)).split())


FORMATS: dict[str, Callable[[bytes, str], Document]] = {
    ".txt": _plain, ".text": _plain, ".md": _markdown, ".markdown": _markdown, ".html": _html, ".htm": _html,
    ".xhtml": _html, ".docx": _word, ".pdf": _pdf,
}  # fmt: skip
"""The reader of each suffix."""
