"""Reads facts by phrases: those of the lexicon, and further ones that are learned from what these find.

A phrase states a fact where it stands between two ends: the first is what the sentence begins with, if that
is the page's topic, or what is named directly before; the second begins right after the phrase. The words
that stand between the ends of facts found so, and hardly ever between those of other facts, are phrases too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rollcall.corpus.corpus import PageLink, Sentence
from rollcall.corpus.lists import without_parenthesis
from rollcall.evidence.values import find_dates
from rollcall.extract.merging import is_name, tidy
from rollcall.text.name_forms import BETWEEN, WORD, forms, plain
from rollcall.text.names import TopicOnPage, places_of_one
from rollcall.text.nouns import is_person
from rollcall.text.unknown_names import capital_runs
from rollcall.text.words import COMMON, FINITE_BE, FURTHER_PREPOSITIONS, PREPOSITIONS, RELATIVES
from rollcall.wording import Entry, Lexicon

# The lexicon's clauses as phrases to look for: `was directed by` and an object, `directed` and a
# subject. Only what says something counts: a phrase needs a word with content, and ends where the other
# end begins.

_PLACEHOLDER = re.compile(r"\{(?:a |on )?(subject|object)s?\}$")
_NUMBERED = re.compile(r"\[([^|\]]*)\|[^\]]*\]")
_WEAK = COMMON | {"being", "become", "becomes", "located", "part", "place", "known"}
_ANYTHING = ("thing", "person or thing")
_GENERAL = frozenset(
    (
        *_ANYTHING, "person", "place", "organization", "company", "work", "country", "city", "building",
        "event", "film", "film or television series", "television programme", "song", "album", "work of art",
        "written work", "publication", "piece of software", "product", "sports team", "fictional character",
        "award", "record label", "university", "broadcaster", "river", "ship", "street", "station", "airport",
    )
)  # fmt: skip
"""Nouns of ends that names alone do not contradict."""
_FORMS = FINITE_BE | {"has", "had", "have"}


class LinkPhrase(NamedTuple):
    """What some words between two ends say; `forward` if the subject stands before them."""

    relation: str
    forward: bool


class Phrases:
    """All phrases of a lexicon, found by their words."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.entries: dict[str, Entry] = {}
        self._meant: dict[tuple[str, ...], list[LinkPhrase]] = defaultdict(list)
        for relation in lexicon.relations():
            entry = lexicon.entry(relation)
            if entry.is_literal:
                continue
            self.entries[relation] = entry
            for clause, forward in ((entry.forward, True), (entry.people, True), (entry.backward, False)):
                self._add(clause, LinkPhrase(relation, forward))
            for cue in (*entry.given_cues, *entry.aliases):
                if " " in cue and cue.split()[-1] in PREPOSITIONS:
                    self._add(f"{cue} {{object}}", LinkPhrase(relation, True))
        self.longest = max((len(words) for words in self._meant), default=0)
        self._first = {words[0] for words in self._meant}

    def _add(self, clause: str, phrase: LinkPhrase) -> None:
        placeholder = _PLACEHOLDER.search(clause)
        if placeholder is None or placeholder[1] != ("object" if phrase.forward else "subject"):
            return
        words = tuple(_NUMBERED.sub(r"\1", clause[: placeholder.start()]).split())
        if any("{" in word or "[" in word for word in words) or not any(word not in _WEAK for word in words):
            return
        ways = {words}
        if words[0] in FINITE_BE:
            ways |= {(be, *words[1:]) for be in FINITE_BE}
            if len(words) > 2:  # `a film directed by`; a participle alone may be a past tense
                ways.add(words[1:])
        for way in ways:
            if phrase not in self._meant[way]:
                self._meant[way].append(phrase)

    def begins(self, word: str) -> bool:
        return word in self._first

    def meant_by(self, words: tuple[str, ...], before: str, behind: str = "") -> LinkPhrase | None:
        """What a phrase says after a thing that its page calls `before`, and before the name `behind`.

        Of several relations, the one whose ends are called so; then the one whose label the phrase is; then
        the commonest, which in Wikidata has the lowest number.
        """
        phrases = [phrase for phrase in self._meant.get(words, ()) if self._fits(phrase, before, behind)]
        said_words = " ".join(word for word in words if word not in _FORMS | {"a", "an", "the"})
        behind_words = set(behind.lower().split())

        def order(phrase: LinkPhrase) -> tuple[bool, bool, bool, int, str]:
            entry = self.entries[phrase.relation]
            first, second = (
                (entry.subjects, entry.objects) if phrase.forward else (entry.objects, entry.subjects)
            )
            called = bool(before) and before in (first, *entry.types)
            named = _head(second) in behind_words
            return (
                not called,
                not named,
                said_words not in (entry.label, *entry.aliases),
                len(phrase.relation),
                phrase.relation,
            )

        return min(phrases, key=order, default=None)

    def _fits(self, phrase: LinkPhrase, before: str, behind: str) -> bool:
        """Whether what stands before and behind the phrase may be what the lexicon expects there.

        Where it expects something special, as a language, the name has to say that it is one.
        """
        entry = self.entries[phrase.relation]
        first, second = (entry.subjects, entry.objects) if phrase.forward else (entry.objects, entry.subjects)
        if before and first not in _ANYTHING and is_person(first) != is_person(before):
            return False
        special = first not in _GENERAL and first != before
        return not special and (second in _GENERAL or _head(second) in behind.lower().split())


def _head(noun: str) -> str:
    return noun.split()[-1]


# Who is named where, without a model: by links, by titles of other pages, and by runs of capitals. A
# page's own topic is named by its title, by a part of it, and by a pronoun that begins a sentence.

_SUBJECT_PRONOUNS = re.compile(r"(?:He|She|It|They)\b")
_EARLY = 60


class NamedSpan(NamedTuple):
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
            if first_word := WORD.search(plain(without_parenthesis(title))):
                self._by_word[first_word[0]].append(title)

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
        self._links: dict[int, list[NamedSpan]] = defaultdict(list)
        for link in links:
            if link.sentence is not None and link.start is not None and link.end is not None and link.anchor:
                start = link.start - sentences[link.sentence].start
                named = NamedSpan(start, start + len(link.anchor), link.anchor, link.target)
                self._links[link.sentence].append(named)
        self._known: dict[int, list[NamedSpan]] = {}
        self._likely = titles.in_text(plain("\n".join(sentence.text for sentence in sentences)))
        self._forms = [forms([without_parenthesis(title)]) for title in self._likely]

    def known(self, number: int) -> list[NamedSpan]:
        """The links of a sentence, and the titles that it names outside them."""
        if number not in self._known:
            self._known[number] = sorted(self._named_spans(number))
        return self._known[number]

    def _named_spans(self, number: int) -> list[NamedSpan]:
        text = plain(self.sentences[number].text)
        spans = list(self._links[number])
        for start, end, title in places_of_one(text, self._forms):
            if not any(span.start < end and start < span.end for span in spans):
                name = self.sentences[number].text[start:end]
                spans.append(NamedSpan(start, end, name, self._likely[title]))
        return spans

    def all(self, number: int) -> list[NamedSpan]:
        """What is known to be named, and runs of capitals besides."""
        known = self.known(number)
        text = self.sentences[number].text
        spans = list(known)
        for start, end in capital_runs(text):
            name = text[start:end]
            if not any(span.start < end and start < span.end for span in known) and is_name(tidy(name)):
                spans.append(NamedSpan(start, end, name))
        return sorted(spans)

    def begins_with_topic(self) -> bool:
        """Whether the first sentence names the topic early on, perhaps after a title or a rank."""
        if not self.sentences:
            return False
        text = plain(self.sentences[0].text)
        spans = TopicOnPage(self.topic, "", text).places(0, min(_EARLY, len(text)))
        return any(not _SUBJECT_PRONOUNS.match(text, start) for start, _end in spans)

    def opens_with_topic(self, number: int) -> int | None:
        """Where the topic ends at the beginning of a sentence, if the sentence begins with it."""
        text = plain(self.sentences[number].text)
        pronoun = _SUBJECT_PRONOUNS.match(text)
        if pronoun is not None:
            return pronoun.end() if number else None
        spans = TopicOnPage(self.topic, BETWEEN.join([self.topic]), text).places(0, len(text))
        starts = [end for start, end in spans if start <= (4 if text.startswith("The ") else 0)]
        return starts[0] if starts and not text[starts[0] :].startswith(("'s", "s'")) else None


_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
_ARTICLE = re.compile(r"\s*(?:(?:the|a|an|its|his|her|their)\s+)?")
_AND = re.compile(r",? and (?:the )?|, (?:the )?")
_BREAKS = RELATIVES | frozenset(
    ("that", "while", "when", "after", "before", "because", "although", "if", "than", "as", ";", ":")
)
"""Words between a topic and a phrase after which the phrase may be about another person."""
_SKIPPED = re.compile(
    r"(?:\s*\([^()]*\))?(?:,[^,]{1,60},)?(?:\s+(?:also|later|then|first|soon|still|now|once|was|is))?\s*"
)
_FOLLOWING = re.compile(r" ([a-z]+)\b")
_AFTER_NAMES = COMMON | FURTHER_PREPOSITIONS | {"where", "until", "since", "near", "between", "through"}
_FARTHEST = 25
"""The most words between a topic and its phrase."""
_FEWEST, _SHARE, _LONGEST = 2, 0.9, 6
"""The fewest facts of a learned phrase, the least share of one relation among them, and its most words."""


class PatternFact(NamedTuple):
    """A fact that a sentence states, by the places of its ends; None for the page's topic."""

    sentence: int
    subject: NamedSpan | None
    object: NamedSpan | None
    relation: str


class PatternReader:
    """Reads the sentences of a page; `noun` is what the page calls its topic, if it says so."""

    def __init__(self, phrases: Phrases, learned: Mapping[tuple[str, ...], LinkPhrase] | None = None) -> None:
        self._phrases, self._learned = phrases, learned or {}

    def read(self, page: PageMentions, noun: str) -> Iterator[PatternFact]:
        for number in range(len(page.sentences)):
            yield from self._sentence(page, number, noun)

    def _sentence(self, page: PageMentions, number: int, noun: str) -> Iterator[PatternFact]:
        text = page.sentences[number].text
        tokens = [(match.start(), match.end(), match[0].lower()) for match in _TOKEN.finditer(text)]
        named = page.all(number)
        starting = {span.start: span for span in named}
        topic_end = page.opens_with_topic(number)
        done = 0
        for index, (start, _end, word) in enumerate(tokens):
            if start < done:
                continue
            for length in range(min(self._phrases.longest, len(tokens) - index), 0, -1):
                words = tuple(token[2] for token in tokens[index : index + length])
                if not self._phrases.begins(word) and words not in self._learned:
                    continue
                end = tokens[index + length - 1][1]
                other = _named_after(text, end, starting)
                if other is None or _is_modifier(text, other):
                    continue
                about_topic, before = self._first(text, tokens, index, named, topic_end)
                if not about_topic and before is None:
                    continue
                called = noun if about_topic else ""
                phrase = self._phrases.meant_by(words, called, other.name) or self._learned.get(words)
                if phrase is None:
                    continue
                for span in (other, *self._further(text, other, starting, phrase)):
                    subject, object_ = (before, span) if phrase.forward else (span, before)
                    yield PatternFact(number, subject, object_, phrase.relation)
                done = end
                break

    def _first(
        self,
        text: str,
        tokens: Sequence[tuple[int, int, str]],
        index: int,
        named: Sequence[NamedSpan],
        topic_end: int | None,
    ) -> tuple[bool, NamedSpan | None]:
        """Whether the phrase is about the topic, or else what is named directly before it."""
        start = tokens[index][0]
        near = [span for span in named if span.end <= start]
        last = near[-1] if near else None
        if last is not None and last.start > (topic_end or 0) and _SKIPPED.fullmatch(text, last.end, start):
            return False, last
        if topic_end is not None and topic_end <= start:
            between = [word for at, _end, word in tokens[:index] if at >= topic_end]
            if len(between) <= _FARTHEST and not _BREAKS.intersection(between):
                return True, None
        return False, None

    def _further(
        self, text: str, first: NamedSpan, starting: Mapping[int, NamedSpan], phrase: LinkPhrase
    ) -> Iterator[NamedSpan]:
        """The others of a list of names: `starring A, B and C`. Of places only one: `in Rome, Italy`."""
        entry = self._phrases.entries[phrase.relation]
        second = entry.objects if phrase.forward else entry.subjects
        end = first.end
        while joined := _AND.match(text, end):
            span = starting.get(joined.end())
            if span is None or second == "place" or _is_modifier(text, span):
                return
            if not span.title and not is_person(second):
                return
            yield span
            end = span.end


def _named_after(text: str, end: int, starting: Mapping[int, NamedSpan]) -> NamedSpan | None:
    """What is named right after a place, an article apart, which may be part of a link."""
    behind = _ARTICLE.match(text, end)
    assert behind is not None
    return starting.get(end + 1) or starting.get(behind.end())


def _is_modifier(text: str, named: NamedSpan) -> bool:
    """Whether a name only says more of what follows: `the Danish officer`, `Tom Clancy's novel`."""
    following = _FOLLOWING.match(text, named.end)
    if following is None or named.title:
        return text.startswith(("'s", "’s"), named.end)
    return following[1] not in _AFTER_NAMES


def learned_phrases(
    phrases: Phrases, pages: Sequence[PageMentions], facts: Sequence[tuple[str, str, str]]
) -> dict[tuple[str, ...], LinkPhrase]:
    """Further phrases: what stands between neighbours that are the ends of facts of one relation.

    `facts` are subject, relation and object by name.
    """
    known: dict[tuple[str, str], set[tuple[str, bool]]] = defaultdict(set)
    for subject, relation, object_ in facts:
        known[subject, object_].add((relation, True))
        known[object_, subject].add((relation, False))
    seen: dict[tuple[str, ...], Counter[tuple[str, bool]]] = defaultdict(Counter)
    for middle, left, right in _neighbours(pages):
        for meant in known.get((left, right), ()):
            seen[middle][meant] += 1
    learned = {}
    for middle, counted in seen.items():
        (relation, forward), most = counted.most_common(1)[0]
        content = any(word.isalpha() and word not in COMMON for word in middle)
        often = most >= _FEWEST and most >= _SHARE * sum(counted.values())
        if content and often and phrases.meant_by(middle, "") is None:
            learned[middle] = LinkPhrase(relation, forward)
    return learned


def _neighbours(pages: Sequence[PageMentions]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Every two neighbours in a sentence with the words between them; each pair counts once for its words."""
    seen = set()
    for page in pages:
        for number, sentence in enumerate(page.sentences):
            named = page.all(number)
            for left, right in pairwise(named):
                middle = tuple(
                    match[0].lower() for match in _TOKEN.finditer(sentence.text, left.end, right.start)
                )
                row = (middle, _named(left), _named(right))
                if 0 < len(middle) <= _LONGEST and row not in seen:
                    seen.add(row)
                    yield row


def _named(span: NamedSpan) -> str:
    return without_parenthesis(span.title) or span.name


# When people were born and died, as the first sentence of a page about a person has it in parentheses.

_PARENTHESIS = re.compile(r"\(([^()]{4,160})\)")
_BEFORE = 120
"""The parenthesis begins within this number of characters."""


class DateRelation(NamedTuple):
    """A relation of the lexicon to dates."""

    id: str
    label: str


BORN, DIED = DateRelation("P569", "date of birth"), DateRelation("P570", "date of death")


def lifespan(sentence: str, noun: str) -> Iterator[tuple[DateRelation, str]]:
    """The dates of birth and death of a person described by a noun, as the sentence writes them."""
    parenthesis = _PARENTHESIS.search(sentence[: _BEFORE + 160])
    if parenthesis is None or parenthesis.start() > _BEFORE or not noun or not is_person(noun):
        return
    inside = plain(parenthesis[1])
    dates = find_dates(inside)
    texts = [parenthesis[1][date.start : date.end] for date in dates]
    if len(dates) == 2 and re.fullmatch(r"\s*[-–]\s*(?:died )?", inside[dates[0].end : dates[1].start]):
        yield BORN, texts[0]
        yield DIED, texts[1]
    elif dates and re.search(r"\b(?:born|b\.)\s*(?:on |in )?$", inside[: dates[0].start], re.IGNORECASE):
        yield BORN, texts[0]
