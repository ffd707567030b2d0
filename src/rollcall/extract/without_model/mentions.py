"""Who is named where, without a model: by links, by titles of other pages, and by runs of capitals.

A page's own topic is named by its title, by a part of it, and by a pronoun that begins a sentence.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rollcall.corpus.corpus import PageLink, Sentence
from rollcall.corpus.titles import without_parenthesis
from rollcall.english.function_words import COMMON
from rollcall.english.months import MONTHS
from rollcall.evidence.names.forms import BETWEEN, WORD, forms, plain
from rollcall.evidence.names.matcher import NameMatcher
from rollcall.evidence.names.topic import TopicOnPage
from rollcall.extract.wordings import is_name, tidy

_CAPITAL = r"[^\W\d_a-z][\w'’.-]*"
_RUN = re.compile(
    rf"\b{_CAPITAL}(?:\s+(?:(?:&|of|the|de|del|della|di|da|la|le|du|van|von|der|den|al|bin|and the|for)\s+)*"
    rf"(?:{_CAPITAL}|\d+\b))*"
)
_SUBJECT_PRONOUNS = re.compile(r"(?:He|She|It|They)\b")
_LONGEST_RUN = 8
_EARLY = 60
_NO_NAMES = COMMON | {month.casefold() for month in MONTHS}
"""With these no name begins, though they may be written with a capital."""


class Named(NamedTuple):
    """A place in a sentence that names something; `title` is the page that it is about, if one is known."""

    start: int
    end: int
    name: str
    title: str = ""


class Titles:
    """The titles of all pages, found in text by their first word."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._by_word: dict[str, list[str]] = defaultdict(list)
        for title in titles:
            if found := WORD.search(plain(without_parenthesis(title))):
                self._by_word[found[0]].append(title)

    def in_text(self, text: str) -> list[str]:
        """The titles that a text may have."""
        words = dict.fromkeys(WORD.findall(text))
        return [title for word in words for title in self._by_word.get(word, ())]


class PageMentions:
    """What the sentences of a page name."""

    def __init__(
        self, title: str, sentences: Sequence[Sentence], links: Sequence[PageLink], titles: Titles
    ) -> None:
        self.title, self.sentences = title, sentences
        self.topic = without_parenthesis(title)
        self._links: dict[int, list[Named]] = defaultdict(list)
        for link in links:
            if link.sentence is not None and link.start is not None and link.end is not None and link.anchor:
                start = link.start - sentences[link.sentence].start
                named = Named(start, start + len(link.anchor), link.anchor, link.target)
                self._links[link.sentence].append(named)
        self._known: dict[int, list[Named]] = {}
        self._likely = titles.in_text(plain("\n".join(sentence.text for sentence in sentences)))

    def known(self, number: int) -> list[Named]:
        """The links of a sentence, and the titles that it names outside them."""
        if number not in self._known:
            self._known[number] = sorted(self._found(number))
        return self._known[number]

    def _found(self, number: int) -> list[Named]:
        text = plain(self.sentences[number].text)
        found = list(self._links[number])
        matcher = NameMatcher(text, many=True)
        for key, title in enumerate(self._likely):
            matcher.add(forms([without_parenthesis(title)]), key)
        for start, end, keys in matcher.find():
            if len(keys) == 1 and not any(one.start < end and start < one.end for one in found):
                found.append(Named(start, end, self.sentences[number].text[start:end], self._likely[keys[0]]))
        return found

    def all(self, number: int) -> list[Named]:
        """What is known to be named, and runs of capitals besides."""
        known = self.known(number)
        text = self.sentences[number].text
        found = list(known)
        for run in _RUN.finditer(text):
            end = run.start() + len(run[0].rstrip(".,'’-"))
            name = text[run.start() : end]
            opening = run.start() == 0 and len(name.split()) == 1
            if any(one.start < end and run.start() < one.end for one in known):
                continue
            if opening or len(name.split()) > _LONGEST_RUN or not is_name(tidy(name)) or len(name) < 2:
                continue  # the first word of a sentence has a capital anyway
            if name.split()[0].casefold() in _NO_NAMES:
                continue
            found.append(Named(run.start(), end, name))
        return sorted(found)

    def begins_with_topic(self) -> bool:
        """Whether the first sentence names the topic early on, perhaps after a title or a rank."""
        if not self.sentences:
            return False
        text = plain(self.sentences[0].text)
        places = TopicOnPage(self.topic, "", text).places(0, min(_EARLY, len(text)))
        return any(not _SUBJECT_PRONOUNS.match(text, start) for start, _end in places)

    def opens_with_topic(self, number: int) -> int | None:
        """Where the topic ends at the beginning of a sentence, if the sentence begins with it."""
        text = plain(self.sentences[number].text)
        pronoun = _SUBJECT_PRONOUNS.match(text)
        if pronoun is not None:
            return pronoun.end() if number else None
        places = TopicOnPage(self.topic, BETWEEN.join([self.topic]), text).places(0, len(text))
        starts = [end for start, end in places if start <= (4 if text.startswith("The ") else 0)]
        return starts[0] if starts and not text[starts[0] :].startswith(("'s", "s'")) else None
