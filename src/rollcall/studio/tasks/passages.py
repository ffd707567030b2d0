"""Evidence as people read it: whole passages, in which the sentences that should prove an answer are marked.

A passage is given in parts, each plain text with a flag for evidence and for the answer's name, so a page
needs no markup from here. Scores, facts and ids stay behind: they would tell what the machine thinks.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rollcall.corpus import Corpus
from rollcall.errors import RollcallError
from rollcall.questions.record import Evidence

Json = dict[str, object]
_SHORTEST_NAME = 2


class PassageTexts:
    """Looks up the passages of evidence in a corpus; pages that were read are kept."""

    def __init__(self, corpus: Corpus | None) -> None:
        self._corpus = corpus
        self._pages: dict[str, list[tuple[str, str]]] = {}
        self._titles: dict[str, list[str]] = {}

    def around(self, evidence: Evidence) -> str:
        """The passage that holds a piece of evidence; its own text if the corpus has no such passage."""
        if self._corpus is None:
            return evidence.text
        page = (evidence.passage or "").rpartition("__")[0]
        passages = [text for id_, text in self._passages(page) if id_ == evidence.passage] if page else []
        if not passages and evidence.title:
            passages = [text for one in self._pages_titled(evidence.title) for _, text in self._passages(one)]
        return next((text for text in passages if evidence.text in text), evidence.text)

    def _passages(self, page: str) -> list[tuple[str, str]]:
        if page not in self._pages:
            assert self._corpus is not None
            self._pages[page] = [(one.id, one.text) for one in self._corpus.passages(page)]
        return self._pages[page]

    def _pages_titled(self, title: str) -> list[str]:
        if title not in self._titles:
            assert self._corpus is not None
            try:
                self._titles[title] = [page.id for page in self._corpus.find(title)]
            except RollcallError:
                self._titles[title] = []
        return self._titles[title]


def shown_passages(evidence: Iterable[Evidence], names: Sequence[str], texts: PassageTexts) -> list[Json]:
    """The passages of some evidence, each once, with all its sentences marked."""
    marked: dict[tuple[str, str], list[Evidence]] = {}
    for piece in evidence:
        if piece.text.strip():
            marked.setdefault((piece.title or "", texts.around(piece)), []).append(piece)
    return [
        {"title": title, "url": _safe_url(pieces), "parts": parts(text, [one.text for one in pieces], names)}
        for (title, text), pieces in marked.items()
    ]


def parts(text: str, sentences: Iterable[str], names: Iterable[str]) -> list[Json]:
    """A text cut where evidence or a name of the answer begins or ends."""
    proofs = [(place, place + len(one)) for one in sentences if one and (place := text.find(one)) >= 0]
    named = [span for name in names for span in _mentions(text, name)]
    cuts = sorted({0, len(text), *(end for span in (*proofs, *named) for end in span)})
    return [
        {"text": text[start:end], "mark": _within(start, proofs), "name": _within(start, named)}
        for start, end in pairwise(cuts)
    ]


def _mentions(text: str, name: str) -> list[tuple[int, int]]:
    """Where a text has a name as whole words; no pattern, because compiling one for each name is slow."""
    name = name.strip()
    found: list[tuple[int, int]] = []
    start = text.find(name) if len(name) >= _SHORTEST_NAME else -1
    while start >= 0:
        end = start + len(name)
        if not _is_word(text[start - 1 : start]) and not _is_word(text[end : end + 1]):
            found.append((start, end))
        start = text.find(name, end)
    return found


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _within(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _safe_url(evidence: Iterable[Evidence]) -> str:
    """The address of the page, if it is one of the web and nothing that runs."""
    urls = (one.url or "" for one in evidence)
    return next((url for url in urls if url.startswith(("https://", "http://"))), "")
