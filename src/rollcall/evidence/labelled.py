"""Sentences whose truth is known: labelled triples, figures at each threshold, and the truth of a world."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.files import open_compressed
from rollcall.corpus import Corpus
from rollcall.evidence.candidate import CandidateSentence, Places
from rollcall.evidence.names import words_derived
from rollcall.evidence.values import ValueMatcher, text_forms, wanted_value
from rollcall.graph.ingest.cells import read_cell
from rollcall.query.values import Date, Number, Text, Value
from rollcall.tables.corpus import Pages
from rollcall.tables.graph import Truth
from rollcall.tables.table import file_name
from rollcall.text.name_forms import BETWEEN, WORD, form, forms, plain, usable
from rollcall.text.names import PRONOUN, Place, TopicOnPage, places_of, whole_words
from rollcall.text.nouns import demonyms, is_person, land_of
from rollcall.text.sentences import split
from rollcall.text.verbs import is_participle
from rollcall.text.words import (
    ARTICLES,
    COMMON,
    FURTHER_PREPOSITIONS,
    MONTH_NUMBERS,
    PREPOSITIONS,
    fold,
    without_accents,
)
from rollcall.wording import Lexicon

if TYPE_CHECKING:
    from rollcall.graph import Graph


# The average precision of scores on labelled sentences: how well they put true ones before false ones.


def average_precision(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float | None:
    """The mean, over the true sentences, of the precision from each one's score on; None without true ones.

    Sentences with the same score are accepted together, so the result does not depend on their order.
    """
    if not labels.any():
        return None
    _scores, group_of, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    true = np.bincount(group_of, weights=labels, minlength=len(counts))
    precision = true.cumsum() / counts.cumsum()
    return float((precision * true).sum() / true.sum())


# The expected calibration error of scores on labelled sentences: how far they are from probabilities.

BINS = 10


def calibration_error(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """The mean distance between mean score and share of true sentences.

    The scores from 0 to 1 are divided into 10 bins of equal width, of which each has its lower end and the
    last one also 1. Each bin counts as much as it has sentences.
    """
    bins = np.minimum((scores * BINS).astype(np.int64), BINS - 1)
    distances = np.bincount(bins, weights=scores - labels, minlength=BINS)
    return float(np.abs(distances).sum() / max(len(scores), 1))


# The figures of a verifier on labelled sentences at each threshold, or for those that it accepts itself.
# Input: scores and labels. Output: one `ThresholdRow` for each threshold with precision, recall, the share of
# false sentences that is removed and the share of true ones that is lost.

THRESHOLDS = (0.002, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


class ThresholdRow(msgspec.Struct, frozen=True):
    """The figures of the sentences that are kept; a share is None if its denominator is 0."""

    threshold: float | None
    """The score from which sentences are kept; None if others are."""
    kept: int
    precision: float | None
    recall: float | None
    false_removed: float | None
    true_lost: float | None


def figures_at(
    scores: NDArray[np.float64], labels: NDArray[np.bool_], thresholds: tuple[float, ...] = THRESHOLDS
) -> list[ThresholdRow]:
    """One row for each threshold."""
    return [figures_of(scores >= threshold, labels, threshold) for threshold in thresholds]


def figures_of(
    kept: NDArray[np.bool_], labels: NDArray[np.bool_], threshold: float | None = None
) -> ThresholdRow:
    """The figures if these sentences are kept."""
    true, false = int(labels.sum()), int((~labels).sum())
    right = int((kept & labels).sum())
    recall = right / true if true else None
    return ThresholdRow(
        threshold=threshold,
        kept=int(kept.sum()),
        precision=right / int(kept.sum()) if kept.any() else None,
        recall=recall,
        false_removed=int((~kept & ~labels).sum()) / false if false else None,
        true_lost=None if recall is None else 1 - recall,
    )


# Compares evidence with the truth of a generated world: sentences that state their fact, and decoys.

STATES, DECOY, OTHER = 2, 1, 0


class Verification(msgspec.Struct, frozen=True):
    """The figures of a verifier on sentences whose truth is known."""

    true: int
    decoys: int
    others: int
    true_lost: float
    decoys_removed: float
    others_removed: float
    kept_true: float
    """The share of kept sentences that state their fact."""
    facts: int
    """Facts with kept evidence."""
    evidence_true: float
    """The share of best pieces of evidence that state their fact."""


class WorldTruth:
    """Which sentence of a world states which fact, and which sentences only seem to."""

    def __init__(self, truth: Path, corpus: Corpus) -> None:
        from rollcall.tables.files import records

        pages = records(Pages, corpus.folder / file_name(Pages), ("id", "title"))
        page_of = {page["title"]: page["id"] for page in pages}
        self._stated: set[tuple[str, str, str, str, str]] = set()
        self._decoys: set[tuple[str, str, str, str]] = set()
        for row in records(Truth, truth, ("kind", "subject", "relation", "object", "page", "sentence")):
            kind, subject, relation, object_, title, sentence = row.values()
            if not sentence:
                continue
            page = page_of.get(title, "")
            if kind == "fact":
                self._stated.add((subject, relation, object_, page, sentence))
            elif kind == "decoy":
                self._decoys |= {(subject, object_, page, sentence), (object_, subject, page, sentence)}

    def state(self, subject: str, relation: str, object_: str, page: str, text: str) -> int:
        """Whether a sentence states a fact, is a decoy about its ends, or neither."""
        if (subject, relation, object_, page, text) in self._stated:
            return STATES
        return DECOY if (subject, object_, page, text) in self._decoys else OTHER

    def states(self, candidates: list[CandidateSentence]) -> np.ndarray:
        """The states of candidates."""
        return np.array(
            [
                self.state(
                    candidate.subject, candidate.relation, candidate.object, candidate.page, candidate.text
                )
                for candidate in candidates
            ],
            int,
        )


def verification(
    states: np.ndarray, scores: np.ndarray, accepted: np.ndarray, facts: np.ndarray
) -> Verification:
    """The figures of a verifier; `facts` has the number of each candidate's fact."""

    def share(of: np.ndarray) -> float:
        return float(of.mean()) if len(of) else 0.0

    accepted_rows = np.flatnonzero(accepted)
    order = accepted_rows[np.lexsort((-scores[accepted_rows], facts[accepted_rows]))]
    best = order[np.concatenate([[True], facts[order][1:] != facts[order][:-1]])] if len(order) else order
    return Verification(
        true=int((states == STATES).sum()),
        decoys=int((states == DECOY).sum()),
        others=int((states == OTHER).sum()),
        true_lost=share(~accepted[states == STATES]),
        decoys_removed=share(~accepted[states == DECOY]),
        others_removed=share(~accepted[states == OTHER]),
        kept_true=share(states[accepted] == STATES),
        facts=len(best),
        evidence_true=share(states[best] == STATES),
    )


# Where a text names the two ends of a statement: the sentence to verify, and the words in it that name
# them. An end is named by one of its names, or a value by any way to write it ("3 May 1921" for
# 1921-05-03). A part of a longer name names nothing: Paris is not named in "Paris Hilton". A pronoun or
# a part of a name counts where it is clear whom it means: an end that the text named before, or that the
# caller says the text is about. A pronoun also counts if no other name stands before it.

_TITLES = frozenset(("mr", "mrs", "ms", "dr", "sir", "prof"))
_PLACED = PREPOSITIONS | FURTHER_PREPOSITIONS | {"near", "around", "outside", "upon"}
_OPENING = COMMON | _PLACED | {"however", "later", "then", "today", "since", "while", "there", "although"}
"""Words that often open a sentence; their capital makes no name."""
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u309f\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Characters of scripts that put no spaces between words (Thai, Lao, Burmese, Khmer, Chinese, Japanese)."""
_KATAKANA, _HANGUL = "\u30a1-\u30ff", "\uac00-\ud7a3"
_NEXT, _PREVIOUS = re.compile(r"[ -](\w+)"), re.compile(r"(\w+)[ -]$")
_LONGEST = 50
"""In characters: the most that is looked at for the word before a name."""
_NAMED, _REFERRED, _UNNAMED = 2, 1, 0


class End(NamedTuple):
    """One end of a statement, and what names it."""

    names: tuple[str, ...]
    """All its names; the first is shown."""
    value: Value | None = None
    """The value that it is, if it is one."""
    understood: bool = False
    """Whether the text is about it, so that a pronoun or nothing may stand for it."""


class SentenceOfEnds(NamedTuple):
    """The sentence of a text that may make a statement, what comes before it, and where it has both ends."""

    before: str
    text: str
    subject: Places
    object: Places


def find_sentence(text: str, subject: End, object_: End) -> SentenceOfEnds:
    """The last sentence that names both ends, or else refers to them, or else names one of them."""
    stripped = text.strip()
    sentences = _sentences(stripped, [name for end in (subject, object_) for name in end.names])
    named_places = [_apart(_places(sentence, subject), _places(sentence, object_)) for sentence in sentences]
    named_before = [
        list(accumulate(map(bool, sides), initial=False)) for sides in zip(*named_places, strict=True)
    ]
    best, best_number = (-1, -1, -1), 0
    best_places: list[Places] = [(), ()]
    is_free = True  # whether no name is before the sentence
    for number, (sentence, places) in enumerate(zip(sentences, named_places, strict=True)):
        ranks: list[int] = []
        ends: list[Places] = []
        for side, end in enumerate((subject, object_)):
            end_places, other_places = places[side], places[1 - side]
            if end_places:
                ranks.append(_NAMED)
            else:
                referred = _referred(sentence, end, other_places, named_before[side][number], is_free)
                ranks.append(_UNNAMED if referred is None else _REFERRED)
                end_places = referred or ()
            ends.append(end_places)
        rank = (min(*ranks, 1), sum(ranks), ranks[1])
        if rank >= best:
            best, best_number, best_places = rank, number, ends
        is_free = is_free and not _has_name(plain(sentence))
    return SentenceOfEnds(" ".join(sentences[:best_number]), sentences[best_number], *best_places)


def _sentences(text: str, names: Sequence[str]) -> list[str]:
    """The sentences of a text; a name such as "Yahoo! Inc." is not cut."""
    cut = (re.finditer(re.escape(name), text) for name in names if len(name.split()) > 1)
    inside = {
        position for matches in cut for match in matches for position in range(match.start() + 1, match.end())
    }
    spans: list[Place] = []
    for start, end in split(text) or [(0, len(text))]:
        if spans and start in inside:
            start = spans.pop()[0]
        spans.append((start, end))
    return [text[start:end] for start, end in spans]


def _places(sentence: str, end: End) -> Places:
    """Where a sentence names an end in full."""
    wide = plain(sentence)
    places: Places = ()
    if end.value is None or isinstance(end.value, Text):
        places = places_of(wide, forms(end.names) if end.value is None else text_forms(end.value))
    return (
        places
        or _stated(wide, end.value)
        or _in_other_letters(wide, end.names)
        or _as_written(wide, end.names)
        or _stated(wide, *_written_values(end.names[0]))
    )


def _written_values(text: str) -> Iterator[Value]:
    """What a text writes: a date (3 May 1921), or a number (8,848), which may be a year."""
    value = read_cell(text)
    if isinstance(value, Date | Number):
        yield value
    year = read_cell(text, first_year=1)
    if isinstance(value, Number) and isinstance(year, Date):
        yield year


def _stated(text: str, *sought: Value | None) -> Places:
    """Where a text states one of some values in any way."""
    values = ValueMatcher()
    for value in sought:
        if value is not None:
            values.add(value, 0)
    places = [(mention.start, mention.end) for mention in values.find(text)] if values else []
    grouped = [f"{value.amount:,}" for value in sought if isinstance(value, Number)]
    return tuple(dict.fromkeys(places)) or _as_written(text, grouped)


def _in_other_letters(text: str, names: Sequence[str]) -> Places:
    """Where a text has a name in small or large letters, if one of the two has only such, or with accents
    that the name lacks.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters have no small form of one character
        return ()
    small_names = {name: plain(name).lower() for name in names if usable(name)}
    if text in (lowered, text.upper()) and (places := places_of(lowered, map(form, small_names.values()))):
        return places
    for name, small in small_names.items():
        if name == small:
            spellings = {text[start:end] for start, end in whole_words(lowered, small)}
            if places := places_of(text, map(form, sorted(spellings))):
                return places
    if text.isascii():
        return ()
    return places_of("".join(map(_bare, text)), forms(filter(str.isascii, names)))


def _bare(letter: str) -> str:
    """A Latin letter without its accent."""
    bare = without_accents(letter)
    return bare if len(bare) == 1 and bare.isascii() else letter


def _as_written(text: str, names: Sequence[str]) -> Places:
    """Where a text has one of the names letter by letter: what `NameMatcher` does not look for, such as the
    second year of a range, or takes for a part of a name, such as a firm before "CEO".
    """
    for name in map(plain, names):
        pattern = _before(name[:1]) + re.escape(name) + _behind(name[-1:])
        spans = tuple(match.span() for match in re.finditer(pattern, text) if name)
        if spans := tuple(span for span in spans if not _is_part(text, *span)):
            return spans
    return ()


def _before(character: str) -> str:
    """What must not be before a name that begins with a character."""
    if re.match(f"[{_UNSPACED}]", character):
        return ""
    if re.match(f"[{_KATAKANA}]", character):
        return f"(?<![{_KATAKANA}])"
    return rf"(?:(?<!\w)|(?<=[{_UNSPACED}{_KATAKANA}]))" + (r"(?<!\d[.,])" if character.isdigit() else "")


def _behind(character: str) -> str:
    """What must not be behind a name that ends with a character; in Korean, particles are."""
    if re.match(f"[{_UNSPACED}]", character):
        return ""
    if re.match(f"[{_KATAKANA}]", character):
        return f"(?![{_KATAKANA}])"
    free = _UNSPACED + _KATAKANA + (_HANGUL if re.match(f"[{_HANGUL}]", character) else "")
    return rf"(?:(?!\w)|(?=[{free}]))" + (r"(?![.,]\d)" if character.isdigit() else "")


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether a mark or a capitalised neighbour makes a longer name of a name.

    Letters after a name (CEO, FRS), the land of a town (Tiranos Hungary) and a title before a name do not. An
    adjective of a land is never a part.
    """
    name = text[start:end]
    if unicodedata.category(text[end : end + 1] or " ").startswith("M"):
        return True
    if not name[0].isupper() or not usable(name) or land_of(name):
        return False
    following = _NEXT.match(text, end)
    if following and following[1][0].isupper() and following[1].lower() not in COMMON:
        letters = len(following[1]) > 2 and following[1].isupper()
        if not letters and following[1] not in demonyms():
            return True
    preceding = _PREVIOUS.search(text[max(start - _LONGEST, 0) : start])
    if " " in name or not preceding or not preceding[1][0].isupper():
        return False
    title = preceding[1].lower()
    return title not in _TITLES and not is_person(title)


def _apart(subjects: Places, objects: Places) -> tuple[Places, Places]:
    """The places without those inside a name of the other end; one place cannot name both."""
    left, right = _outside(subjects, objects), _outside(objects, subjects)
    return left, () if len(right) == 1 and right == left else right


def _outside(places: Places, other_places: Places) -> Places:
    """The places that are not inside a longer one of the others; both are in order."""
    remaining = []
    for start, end in places:
        last = bisect_right(other_places, (start, end))
        around = other_places[max(last - 2, 0) : last + 1]
        if not any(other != (start, end) and other[0] <= start and end <= other[1] for other in around):
            remaining.append((start, end))
    return tuple(remaining)


def _referred(
    sentence: str, end: End, other_places: Places, named_before: bool, is_free: bool
) -> Places | None:
    """Where a sentence refers to an end that it does not name in full; None if it does not refer to it."""
    if not end.understood and (end.value is not None or not other_places):
        return None
    wide = plain(sentence)
    if end.understood or named_before:
        topic = TopicOnPage(end.names[0], BETWEEN.join(end.names), wide)
        short = forms(word for word in end.names[0].split() if word[0].isupper())
        places = topic.places(0, len(wide)) or places_of(wide, short)
        free = tuple(
            place
            for place in places
            if not any(place[0] < end and start < place[1] for start, end in other_places)
        )
        return free or (() if end.understood else None)
    pronoun, name = PRONOUN.search(wide), end.names[0]
    if not is_free or pronoun is None or plain(name) in wide or any(_written_values(name)):
        return None
    return None if _has_name(wide[: pronoun.start()], other_places) else (pronoun.span(),)


def _has_name(text: str, known_places: Places = ()) -> bool:
    """Whether a text names someone whom a pronoun after it may mean, besides the places that are known.

    What follows a preposition (in Norrow, at the Norrow Institute) is seldom meant.
    """
    words, skipped = list(WORD.finditer(text)), len(text)
    for number, word in enumerate(words):
        small = word[0].lower()
        if not word[0][0].isupper() or small in MONTH_NUMBERS or word[0] == "I":
            continue
        preceding = [earlier[0].lower() for earlier in words[max(number - 2, 0) : number]]
        if preceding and preceding[-1] in ARTICLES:
            preceding.pop()
        opens = text[: word.start()].rstrip()[-1:] in ("", ".", "!", "?")
        common = small in _OPENING or is_participle(small) or small.endswith(("ing", "ly"))
        if (
            text[skipped : word.start()] in (" ", ", ", "-")
            or (preceding and preceding[-1] in _PLACED)
            or any(start <= word.start() < end for start, end in known_places)
        ):
            skipped = word.end()
        elif not (opens and common):
            return True
    return False


# Labelled triples: sentences with a subject, relation and object, as users give them to `rollcall
# verify`. Input: a file of JSON lines. Output: `Triple` records, and candidates made from them. Names
# are found in the text in the same way as those of a graph's entities, so a triple becomes a candidate
# like any other.

_QUALIFIER = re.compile(r"(?<=\S) \([^()]*\)$")
_WORD_OF_LETTERS = re.compile(r"[^\W\d_]{2}")


class Triple(msgspec.Struct, frozen=True):
    """One line: a text and the fact it may state; `label` says whether it does."""

    text: str
    subject: str
    relation: str
    object: str
    hypothesis: str = ""
    label: bool | None = None
    topic: str = ""
    """What the text is about, by name or id: a pronoun, a part of its name or nothing then stands for it."""


def read_triples(path: Path) -> list[Triple]:
    """The triples of a file of JSON lines; a bad line is an error that names it."""
    triples = list(_read(path))
    if not triples:
        raise RollcallError(
            f"{path}: is empty; each line is a JSON object with text, subject, relation, object"
        )
    return triples


def _read(path: Path) -> Iterator[Triple]:
    with open_compressed(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                triple = msgspec.json.decode(line, type=Triple, strict=False)
            except UNREADABLE as error:
                raise RollcallError(
                    f"{path}, line {number}: {why(error)}; a triple has text, subject, relation, object, "
                    "and may have hypothesis, topic and label (true or false)"
                ) from None
            for end in (triple.subject, triple.relation, triple.object):
                if not end.strip():
                    raise RollcallError(f"{path}, line {number}: subject, relation or object is empty")
            yield triple


def to_candidates(
    triples: Sequence[Triple],
    graph: "Graph | None" = None,
    *,
    names: Callable[[str], Sequence[str]] | None = None,
) -> list[CandidateSentence]:
    """Triples as candidates; an end that is the id or a name of an entity in the graph has all its names.

    `names` gives the names of an end in place of the graph; an end without any is not required. The id of a
    relation that neither the graph nor the lexicon has is an error.
    """
    reading = _TripleReader(graph, names)
    return [reading.candidate(number, triple) for number, triple in enumerate(triples, 1)]


def known_relation(relation: str, graph: "Graph | None" = None) -> str | None:
    """The id of a relation that the graph or the lexicon has, or the relation in words; None for an id that
    both lack.
    """
    ids = dict.fromkeys((relation, re.split("[/#:]", relation)[-1]))
    lexicon = _lexicon()
    for id_ in ids:
        if (graph is not None and graph.index.relation_number(id_) is not None) or id_ in lexicon:
            return id_
    if graph is not None:
        try:
            return graph.resolve_relation(relation)
        except RollcallError:
            pass  # a relation that is not in the graph is verified by its words
    *_, last = ids
    is_id = any(map(str.isdigit, last)) and not _WORD_OF_LETTERS.search(last)
    return None if is_id else relation


@cache
def _lexicon() -> Lexicon:
    return Lexicon.load()


class _TripleReader:
    """Reads triples as candidates."""

    def __init__(self, graph: "Graph | None", names: Callable[[str], Sequence[str]] | None) -> None:
        self._graph, self._given_names = graph, names

    def candidate(self, number: int, triple: Triple) -> CandidateSentence:
        relation = known_relation(triple.relation, self._graph)
        if relation is None:
            where = "the lexicon" if self._graph is None else "the graph or the lexicon"
            raise RollcallError(
                f"triple {number}: the relation {triple.relation} is not in {where}; give it in words, such "
                "as “place of birth”, or a --graph that has it"
            )
        subject = self._end(triple.subject, triple.topic)
        object_ = self._end(triple.object, triple.topic)
        derived = words_derived(self._label(relation), object_.names)
        sentence = find_sentence(triple.text, subject, object_._replace(names=(*object_.names, *derived)))
        side = "subject" if subject.understood else "object" if object_.understood else "neither"
        return CandidateSentence(
            subject=triple.subject,
            relation=relation,
            object=triple.object,
            literal=object_.value is not None,
            text=sentence.text,
            side=side,
            before=sentence.before,
            subject_name=subject.names[0],
            object_name=object_.names[0],
            subject_places=sentence.subject,
            object_places=sentence.object,
            hypothesis=triple.hypothesis,
        )

    def _label(self, relation: str) -> str:
        if self._graph is not None and self._graph.index.relation_number(relation) is not None:
            return self._graph.relation_label(relation)
        return _lexicon().entry(relation).label if relation in _lexicon() else relation

    def _end(self, name: str, topic: str) -> End:
        names = self._names(name)
        value = None if self._is_entity(name) else wanted_value(name)
        plain_names = {fold(_QUALIFIER.sub("", known_name)) for known_name in names}
        understood = bool(topic) and (topic == name or fold(_QUALIFIER.sub("", topic)) in plain_names)
        unknown = self._given_names is not None and value is None and not self._given_names(name)
        return End(names, value, understood or unknown)

    def _is_entity(self, name: str) -> bool:
        if self._given_names is not None:
            return bool(self._given_names(name))
        return self._graph is not None and self._graph.index.entity_number(name) is not None

    def _names(self, name: str) -> tuple[str, ...]:
        """The name to show, and all names by which the text may call it."""
        listed = dict.fromkeys(self._known_names(name))
        return tuple(dict.fromkeys((*listed, *(_QUALIFIER.sub("", known_name) for known_name in listed))))

    def _known_names(self, name: str) -> Iterator[str]:
        if self._given_names is not None:
            yield from self._given_names(name) or (name,)
        elif self._is_entity(name):
            assert self._graph is not None
            record = self._graph.entity(name)
            yield from (record.label or name, *record.aliases)
        else:
            yield name
            for entity in self._graph.find(name) if self._graph is not None else ():
                yield from (alias for alias in (entity.label, *entity.aliases) if alias)
