"""Folders of documents: each file is a page, called by its title and known by its path in the folder."""

import posixpath
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.corpus.documents import FORMATS, missing_library, read_document
from rollcall.corpus.html import parse_html
from rollcall.corpus.shard import CorpusShard, PageRecord
from rollcall.corpus.source import SourceFindings, TextSource, TextSourceContext, Unwrap, note_problems
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.input_files.file_source import FileHead


class DocumentLine(msgspec.Struct):
    """A document as the reader gets it: where it is, and the hash of its content."""

    name: str
    path: str
    sha256: str = ""


class DocumentOptions(msgspec.Struct, frozen=True):
    encoding: str = ""
    """The encoding of text, Markdown and HTML files, if it is not UTF-8."""
    unwrap: Unwrap = "auto"
    """Whether lines of .txt files that are broken at a width are joined; auto looks whether they are."""


@TEXT_SOURCES.register("documents")
class Documents(TextSource):
    """Documents, one file a page: .txt, .md, .html, .docx, .pdf, alone or in folders."""

    Options = DocumentOptions
    expects = "a folder of .txt, .md, .html, .docx or .pdf files"
    entry_name = "document"

    def __init__(self, encoding: str, unwrap: Unwrap) -> None:
        self.encoding = encoding
        self.unwrap = unwrap

    @classmethod
    def open(cls, options: DocumentOptions, context: TextSourceContext) -> "Documents":
        for suffix in sorted({PurePosixPath(name).suffix.lower() for name in context.head.file.members}):
            if lacking := missing_library(suffix):
                raise RollcallError(f"{context.head.file}: {lacking}")
        return cls(options.encoding, options.unwrap)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return bool(head.file.members)

    def read_entry(self, entry: bytes, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        line_of_file = msgspec.json.decode(entry, type=DocumentLine)
        name = PurePosixPath(line_of_file.name)
        if name.suffix.lower() not in FORMATS:
            findings.tally.entries -= 1
            findings.tally.skip(f"files of other kinds ({name.suffix.lower() or 'without a suffix'})")
            return
        path = Path(line_of_file.path)
        if path.exists() and not path.is_file():
            raise RollcallError(f"{line_of_file.name}: is a pipe or a device, not a file")
        try:
            document = read_document(
                name.suffix.lower(), path.read_bytes(), self.encoding, keeps_lines=self.unwrap == "no"
            )
        except OSError as error:
            raise RollcallError(f"{line_of_file.name}: {error.strerror or error}") from error
        except RollcallError as error:
            raise RollcallError(f"{line_of_file.name}: {error}") from None
        content = parse_html(document.html, lambda address: _target(line_of_file.name, address))
        if not content.text and not content.tables:
            findings.tally.skip("documents without text (scanned pages have none)")
            return
        findings.unwrapped += document.unwrapped
        if document.problem:
            content.problems.append(document.problem)
        title = " ".join(document.title.split()) or _title_of_file(name)
        shard.add_page(PageRecord(line_of_file.name, title, content))
        note_problems(findings, content, line, line_of_file.name)


def _title_of_file(name: PurePosixPath) -> str:
    """What a document without a title is called: as its file, in words."""
    return " ".join(name.stem.replace("_", " ").split()) or name.name


def _target(name: str, address: str) -> str | None:
    """The page that a relative address in a document means: the path of another document."""
    path = unquote(address.partition("#")[0].partition("?")[0])
    if not path or ":" in path.partition("/")[0] or path.startswith("/"):
        return None
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    return None if target.startswith("..") else target
