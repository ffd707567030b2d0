"""Which keys of a record hold the id, the title and the text of a page: those given, or the usual ones.

Pyserini calls the text `contents`, BEIR the id `_id`, and tables call them what people like; all are read
into the same page.
"""

from collections.abc import Iterable, Mapping

import msgspec

from rollcall.errors import RollcallError

_USUAL: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "contents", "content", "body", "passage", "full_text", "fulltext", "article", "document",
             "abstract", "paragraph"),
    "title": ("title", "page_title", "headline", "heading", "name"),
    "id": ("id", "_id", "docid", "doc_id", "document_id", "docno", "pid", "passage_id", "page_id"),
}  # fmt: skip
"""What the parts of a page are called, best first."""
TEXT_KEYS = _USUAL["text"]
TITLED = "contents"
"""The key of Pyserini's text, which begins with the title if there is no key of its own for it."""


class PageOptions(msgspec.Struct, frozen=True):
    columns: str = ""
    """Which columns or keys hold what: text=body,title=headline,id=number."""


class PageLayout(msgspec.Struct, frozen=True):
    """For each part of a page, the key that holds it."""

    keys: tuple[tuple[str, str], ...]
    remark: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the keys are our own names."""
        return all(ours == theirs for ours, theirs in self.keys)

    def page(self, record: Mapping[str, object]) -> dict[str, object]:
        """The record of a page with our own names for its keys; others are left out unless they are ours."""
        renamed = dict(self.keys)
        held = set(renamed.values())
        page = {key: value for key, value in record.items() if key not in held and key in _OWN}
        page.update({ours: record.get(theirs) for ours, theirs in renamed.items()})
        if renamed["text"] == TITLED and "title" not in renamed:
            page["title"], page["text"] = _title_of(str(page["text"] or ""))
        if isinstance(page.get("title"), int | float):
            page["title"] = str(page["title"])
        return {key: value for key, value in page.items() if value is not None}


_OWN = ("entity", "links", "tables")


def page_layout(keys: Iterable[str], columns: str = "") -> PageLayout | RollcallError:
    """How records with these keys are read as pages, or why they cannot be."""
    present = [key.strip().strip("\ufeff") for key in keys]
    found = _given(present, columns) if columns.strip() else {}
    if isinstance(found, RollcallError):
        return found
    folded = {key.lower(): key for key in reversed(present)}
    for ours, usual in _USUAL.items():
        if ours not in found:
            name = next((folded[name] for name in usual if name in folded), None)
            if name is not None and name not in found.values():
                found[ours] = name
    shown = ", ".join(key[:40] for key in present[:12])
    if "text" not in found:
        return RollcallError(
            f"has {shown}, of which none is known to hold the text; --columns text=COLUMN says which does, "
            "and title=COLUMN and id=COLUMN what else there is"
        )
    guessed = [f"{theirs} as {ours}" for ours, theirs in found.items() if ours != theirs]
    remark = f"read {', '.join(guessed)}; --columns says otherwise" if guessed and not columns else ""
    return PageLayout(tuple(sorted(found.items())), remark)


def _given(present: list[str], columns: str) -> dict[str, str] | RollcallError:
    folded = {key.lower(): key for key in reversed(present)}
    found: dict[str, str] = {}
    for part in columns.split(","):
        ours, separator, theirs = (word.strip() for word in part.partition("="))
        if not separator or ours.lower() not in (*_USUAL, "entity"):
            return RollcallError(
                f"--columns {part.strip()}: write text=COLUMN, title=COLUMN, id=COLUMN or entity=COLUMN"
            )
        if theirs.lower() not in folded:
            return RollcallError(
                f"has no column {theirs}, which --columns names, but {', '.join(present[:12])}"
            )
        found[ours.lower()] = folded[theirs.lower()]
    return found


def _title_of(text: str) -> tuple[str | None, str]:
    """The title in the first line of a text, if there is one, and the rest."""
    first, _, rest = text.strip().partition("\n")
    title = first.strip().strip('"')
    if not rest.strip() or len(title) > 200 or title.endswith((".", "!", "?", ",", ";", ":")):
        return None, text
    return title, rest.strip()
