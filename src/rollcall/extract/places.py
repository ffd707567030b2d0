"""Where pages name the entities that were read out of them: as links, and as places in a statement."""

from collections.abc import Iterator, Mapping, Sequence

from rollcall.corpus import Corpus
from rollcall.corpus.corpus import Sentence
from rollcall.corpus.relink import NamedPlace
from rollcall.evidence.names.forms import forms, plain
from rollcall.evidence.names.matcher import NameMatcher, Place
from rollcall.extract.merging import Merged


def named_places(corpus: Corpus, pages: Sequence[str], merged: Merged) -> dict[str, list[NamedPlace]]:
    """Where each page names its entities, but for names that it uses for several."""
    found = {}
    for page in pages:
        if names := merged.names_on(page):
            found[page] = list(_on_page(corpus.sentences(page), names))
    return found


def _on_page(sentences: Sequence[Sentence], names: Mapping[str, Sequence[str]]) -> Iterator[NamedPlace]:
    entities = list(names)
    sought = [forms(names[entity]) for entity in entities]
    for sentence in sentences:
        matcher = NameMatcher(plain(sentence.text), many=True)
        for key, some in enumerate(sought):
            matcher.add(some, key)
        for start, end, keys in matcher.find():
            if len(keys) == 1:
                words = sentence.text[start:end]
                at = sentence.start + start
                yield NamedPlace(sentence.number, at, sentence.start + end, words, entities[keys[0]])


def places_in(text: str, names: Sequence[str]) -> tuple[Place, ...]:
    """Where a sentence has one of the names."""
    matcher = NameMatcher(plain(text))
    matcher.add(forms(names), 0)
    return tuple((start, end) for start, end, _keys in matcher.find())
