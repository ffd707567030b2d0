"""Reads facts by phrases: those of the lexicon, and further ones that are learned from what these find.

A phrase states a fact where it stands between two ends: the first is what the sentence begins with, if that
is the page's topic, or what is named directly before; the second begins right after the phrase. The words
that stand between the ends of facts found so, and hardly ever between those of other facts, are phrases too.
A participle may have several ends behind it in any order: "discovered in France in 1886 by Lecoq". A sentence
that begins with one ("Discovered by Brandt in 1669.") is about the page's topic.

- `Phrases`: the phrases of a lexicon. `learned_phrases` finds further ones.
- `PageMentions`: what the sentences of a page name.
- `PatternReader`: reads the facts of a page.
- `lifespan`: when a person was born and died.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from rollcall.corpus.corpus import PageLink, Sentence
from rollcall.corpus.lists import without_parenthesis
from rollcall.evidence.values import FoundDate, find_dates
from rollcall.extract.merging import is_name, tidy
from rollcall.extract.records import VALUES, Schema
from rollcall.text.name_forms import BETWEEN, WORD, forms, plain
from rollcall.text.names import TopicOnPage, places_of_one
from rollcall.text.nouns import demonyms, is_person, one_name
from rollcall.text.unknown_names import capital_runs
from rollcall.text.verbs import is_participle
from rollcall.text.words import (
    AUXILIARIES,
    COMMON,
    FINITE_BE,
    FURTHER_PREPOSITIONS,
    PREPOSITIONS,
    RELATIVES,
)
from rollcall.wording import Entry, Lexicon
from rollcall.wording.generic import Ends, generic_entry

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
_DATED = re.compile(r"([a-z ]+) \{on object\}")
_LAND_WORDS = frozenset(
    ("empire", "republic", "kingdom", "union", "emirates", "states", "federation", "islands")
)


class LinkPhrase(NamedTuple):
    """What some words between two ends say; `forward` if the subject stands before them."""

    relation: str
    forward: bool


def schema_entries(lexicon: Lexicon, schema: Schema) -> Iterator[Entry]:
    """The words of a schema's relations: those of the lexicon for their ids, and their own names."""
    for name, relation in schema.relations.items():
        if relation.object in VALUES and relation.object != "date":
            continue  # numbers and texts are read from tables alone
        id_ = schema.relation_id(name)
        if id_ in lexicon:
            entry = lexicon.entry(id_)
        else:
            entry = generic_entry(id_, name, Ends(_noun(relation.subject), _noun(relation.object)))
        yield replace(entry, id=id_, label=name, given_cues=(*entry.given_cues, name))


def _noun(class_: str) -> str:
    """What of a class of a schema a name can show."""
    return class_ if class_ in ("country", "date") else "person" if is_person(class_) else "thing"


class Phrases:
    """All phrases of a lexicon, or of some entries, found by their words."""

    def __init__(self, lexicon: Lexicon, entries: Iterable[Entry] | None = None) -> None:
        self.entries: dict[str, Entry] = {}
        self._meant: dict[tuple[str, ...], list[LinkPhrase]] = defaultdict(list)
        self._dated: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for entry in map(lexicon.entry, lexicon.relations()) if entries is None else entries:
            relation = entry.id
            if entry.objects == "date":
                self._add_dated(relation, entry)
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
        heads = {words[:-1] for words in self._meant if words[-1] in PREPOSITIONS and is_participle(words[0])}
        self.heads = heads | self._dated.keys()
        """Phrases without their preposition, after which several ends may follow."""
        self.longest_head = max(map(len, self.heads), default=0)

    def _add(self, clause: str, phrase: LinkPhrase) -> None:
        placeholder = _PLACEHOLDER.search(clause)
        if placeholder is None or placeholder[1] != ("object" if phrase.forward else "subject"):
            return
        text = _NUMBERED.sub(r"\1", clause[: placeholder.start()])
        for words in _alternatives(tuple(text.split())):
            if any("{" in word or "[" in word for word in words) or all(word in _WEAK for word in words):
                return
            ways = {words}
            if words[0] in FINITE_BE:
                ways |= {(be, *words[1:]) for be in FINITE_BE}
                if len(words) > 2:  # `a film directed by`; a participle alone may be a past tense
                    ways.add(words[1:])
            for way in ways:
                if phrase not in self._meant[way]:
                    self._meant[way].append(phrase)

    def _add_dated(self, relation: str, entry: Entry) -> None:
        """The words before a date: `discovered`, `invented`, `died`."""
        self.entries[relation] = entry
        clause = _DATED.fullmatch(entry.forward)
        if clause is not None:
            for words in _alternatives(tuple(clause[1].split())):
                self._dated[words[words[0] in FINITE_BE :]].append(relation)

    def dated_by(self, head: tuple[str, ...], before: str) -> str | None:
        """The relation to a date that some words mean after what its page calls `before`."""
        relations = [
            relation
            for relation in self._dated.get(head, ())
            if _may_be(self.entries[relation].subjects, before)
        ]
        return min(relations, key=lambda relation: (len(relation), relation), default=None)

    def wordless(self) -> list[str]:
        """The relations for which there is no phrase."""
        worded = {phrase.relation for phrases in self._meant.values() for phrase in phrases}
        worded |= {relation for relations in self._dated.values() for relation in relations}
        return [entry.label for relation, entry in self.entries.items() if relation not in worded]

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
        if not _may_be(first, before) or (behind and not _may_be_called(second, behind)):
            return False
        return second in _GENERAL or _head(second) in behind.lower().split()


def _alternatives(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What a clause says in other words: `was discovered or invented by` is either of both."""
    if "or" not in words[1:-1]:
        return [words]
    at = words.index("or", 1)
    return [words, (*words[:at], *words[at + 2 :]), (*words[: at - 1], *words[at + 1 :])]


def _may_be(expected: str, called: str) -> bool:
    """Whether what its page calls so, if it does, may be what the lexicon expects."""
    if called and expected not in _ANYTHING and is_person(expected) != is_person(called):
        return False
    return expected in _GENERAL or expected == called


def _may_be_called(expected: str, name: str) -> bool:
    """Whether what the lexicon expects may have a name: only countries have those of countries."""
    last = name.split()[-1]
    is_land = one_name(name) in demonyms() or last.lower() in _LAND_WORDS
    return is_land or last in demonyms() if expected == "country" else not (is_land and is_person(expected))


def _head(noun: str) -> str:
    return noun.split()[-1]


# Who is named where, without a model: by links, by titles of other pages, and by runs of capitals. A
# page's own topic is named by its title, by a part of it, and by a pronoun that begins a sentence.

_SUBJECT_PRONOUNS = re.compile(r"(?:He|She|It|They)\b")
_THE_NOUN = re.compile(r"The ([a-z]+)")
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

    def opens_with_topic(self, number: int, noun: str = "") -> int | None:
        """Where the topic ends at the beginning of a sentence, if the sentence begins with it.

        `The film` is the topic only where `noun`, which the page calls its topic, has this word.
        """
        text = plain(self.sentences[number].text)
        pronoun = _SUBJECT_PRONOUNS.match(text)
        if pronoun is not None:
            return pronoun.end() if number else None
        spans = TopicOnPage(self.topic, BETWEEN.join([self.topic]), text).places(0, len(text))
        starts = [end for start, end in spans if start <= (4 if text.startswith("The ") else 0)]
        if not starts or text[starts[0] :].startswith(("'s", "s'")):
            return None
        called = _THE_NOUN.fullmatch(text, 0, starts[0])
        return None if called is not None and called[1] not in noun.split() else starts[0]


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
_OPENING_ADVERBS = frozenset(
    ("first", "originally", "initially", "independently", "officially", "also", "later")
)
_MAIN_CLAUSE = re.compile(r", (?:(he|she|it|they)\b|the ([a-z]+)\b|(?=[^\W\d_a-z]))")
_ADJUNCT = re.compile(r",?(?: and)? (by|in|on|at|from|near) (?:the )?")
_TAIL = re.compile(
    r",? and (?:(?:his|her|their|its|an?) [a-z]+|[a-z]+s)\b(?! by)|, (?=[^\W\d_a-z])| of (?=[^\W\d_a-z])"
)
_NOT_SUBJECTS = re.compile(
    r"\b(?:of|at|in|on|from|for|by|with|to|as|into|names?|words?|terms?|titles?|symbols?)(?: the)? $"
)
"""What stands before a name that is no subject: it is the call in `a call from the party published in 1918`,
and nobody invented Aino in `the name Aino was invented`.
"""
_UNREAL = frozenset(("not", "never", "be"))
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
    date: str = ""
    """The object of a relation to dates, as the sentence writes it."""


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
        topic_end = page.opens_with_topic(number, noun)
        if topic_end is None and self._leaves_out_topic(page, text, tokens, starting, noun):
            topic_end = 0
        yield from self._chains(page, number, noun, tokens, topic_end)
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

    def _leaves_out_topic(
        self,
        page: PageMentions,
        text: str,
        tokens: Sequence[tuple[int, int, str]],
        starting: Mapping[int, NamedSpan],
        noun: str,
    ) -> bool:
        """Whether a sentence begins with a participle that is about the topic: `Discovered by X in 1899.`

        If a clause with a subject follows, as in `Discovered by X, it was …`, this has to be the topic.
        """
        words = [token[2] for token in tokens[: 1 + self._phrases.longest_head]]
        first = int(bool(words) and words[0] in _OPENING_ADVERBS)
        if not any(
            tuple(words[first:end]) in self._phrases.heads for end in range(first + 1, len(words) + 1)
        ):
            return False
        for clause in _MAIN_CLAUSE.finditer(text):
            span = starting.get(clause.end())
            if clause[1] is not None or (clause[2] is not None and clause[2].lower() in noun.split()):
                continue
            if clause[2] is not None:
                return False
            if span is not None and _named(span) != page.topic and _is_followed_by_verb(text, span):
                return False
        return True

    def _chains(
        self,
        page: PageMentions,
        number: int,
        noun: str,
        tokens: Sequence[tuple[int, int, str]],
        topic_end: int | None,
    ) -> Iterator[PatternFact]:
        """What follows participles in any order: `discovered in France in 1886 by Lecoq`."""
        text, named = page.sentences[number].text, page.all(number)
        starting = {span.start: span for span in named}
        dates = {date.start: date for date in find_dates(plain(text))}
        done = 0
        for index, (start, _end, _word) in enumerate(tokens):
            longest = min(self._phrases.longest_head, len(tokens) - index)
            for length in range(longest, 0, -1):
                head = tuple(token[2] for token in tokens[index : index + length])
                if start < done or head not in self._phrases.heads:
                    continue
                if index and tokens[index - 1][2] in _UNREAL:
                    continue
                about_topic, before = self._first(text, tokens, index, named, topic_end)
                if not about_topic and before is None:
                    continue
                called = noun if about_topic else ""
                subject_end = before.end if before is not None else topic_end or 0
                passive = not subject_end or self._is_passive(text[subject_end:start], head)
                for preposition, other in _adjuncts(text, tokens[index + length - 1][1], starting, dates):
                    done = other.end
                    if isinstance(other, FoundDate):
                        relation = self._phrases.dated_by(head, called) if passive else None
                        if relation is not None and preposition in ("in", "on"):
                            yield PatternFact(number, before, None, relation, text[other.start : other.end])
                        continue
                    phrase = self._phrases.meant_by((*head, preposition), called, other.name)
                    if phrase is not None and phrase.forward:
                        yield PatternFact(number, before, other, phrase.relation)

    def _is_passive(self, between: str, head: tuple[str, ...]) -> bool:
        """Whether the words between a subject and a participle do not make it a past tense."""
        words = between.lower().split()
        return not is_participle(head[0]) or any(word not in _OPENING_ADVERBS for word in words)

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
            named_alone = _NOT_SUBJECTS.search(text, max(last.start - 20, 0), last.start) is None
            return False, last if named_alone else None
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
            if (
                span is None
                or second == "place"
                or _is_modifier(text, span)
                or _is_followed_by_verb(text, span)
            ):
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


def _adjuncts(
    text: str, at: int, starting: Mapping[int, NamedSpan], dates: Mapping[int, FoundDate]
) -> Iterator[tuple[str, NamedSpan | FoundDate]]:
    """The names and dates that follow a participle, each with its preposition."""
    while adjunct := _ADJUNCT.match(text, at):
        other = dates.get(adjunct.end()) or _named_after(text, adjunct.start(1) + len(adjunct[1]), starting)
        while other is not None:
            if isinstance(other, NamedSpan) and (
                _is_modifier(text, other) or _is_followed_by_verb(text, other)
            ):
                return
            yield adjunct[1], other
            at = other.end
            following = _AND.match(text, at)
            other = starting.get(following.end()) if following and adjunct[1] == "by" else None
        if at < adjunct.end():
            return
        while tail := _TAIL.match(text, at):
            span = starting.get(tail.end())
            at = tail.end() if span is None else span.end


def _is_modifier(text: str, named: NamedSpan) -> bool:
    """Whether a name only says more of what follows: `the Danish officer`, `Tom Clancy's novel`."""
    following = _FOLLOWING.match(text, named.end)
    if following is None or named.title:
        return text.startswith(("'s", "’s"), named.end)
    return following[1] not in _AFTER_NAMES


def _is_followed_by_verb(text: str, named: NamedSpan) -> bool:
    """Whether a name begins a clause of its own: `founded by Ada Moss, Acme has …`."""
    following = _FOLLOWING.match(text, named.end)
    return following is not None and (
        following[1] in AUXILIARIES or following[1].endswith("ed") or following[1] not in _AFTER_NAMES
    )


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
