"""Lets a verifier say of each fact whether its sentence states it.

A row of a table is its own proof and is not judged. Everything else is judged in its sentence, with the two
sentences before it as context.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from rollcall.corpus import Corpus
from rollcall.corpus.corpus import Sentence
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.expected import UNCALIBRATED, chances, losing_at_most
from rollcall.evidence.names.forms import BETWEEN, plain
from rollcall.evidence.names.matcher import Place
from rollcall.evidence.names.topic import TopicOnPage
from rollcall.evidence.values.matcher import ValueMatcher
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.extract.facts import StatedFact
from rollcall.extract.merging import Merged
from rollcall.extract.places import places_in
from rollcall.progress import Progress
from rollcall.query import parse_value
from rollcall.query.values import Text

_BEFORE = 2
_AT_A_TIME = 256


def check(
    facts: Sequence[StatedFact],
    corpus: Corpus,
    merged: Merged,
    topics: Mapping[str, str],
    verifier: Verifier,
    *,
    lose: float | None = None,
    show: bool | None = None,
) -> None:
    """Write the verdict into each fact that a sentence is to state.

    The verifier decides by its own threshold, or with `lose` by the highest one at which at most this share
    of the sentences that state their fact is expected to be lost.
    """
    sentences_of = lru_cache(maxsize=64)(corpus.sentences)
    judged = [fact for fact in facts if fact.sentence is not None]
    named: list[StatedFact] = []
    with Progress("checking", len(judged), count=True, show=show) as progress:
        for start in range(0, len(judged), _AT_A_TIME):
            some = judged[start : start + _AT_A_TIME]
            candidates = [_candidate(fact, sentences_of(fact.page), merged, topics) for fact in some]
            verdicts = verifier.verdicts(candidates)
            for row, fact in enumerate(some):
                fact.score, fact.stated = verdicts.score(row, 4), bool(verdicts.accepted[row])
                if not verdicts.reasons[row]:
                    named.append(fact)
            progress.advance(len(some))
    if lose is not None:
        _lose_at_most(named, lose, verifier.prior or UNCALIBRATED)


def _lose_at_most(judged: Sequence[StatedFact], lose: float, prior: float) -> None:
    counted = Counter(fact.score for fact in judged if fact.score is not None)
    scores = np.array(sorted(counted))
    counts = np.array([counted[score] for score in scores.tolist()], dtype=np.int64)
    least = losing_at_most(chances(scores, counts, prior), lose)
    for fact in judged:
        fact.stated = least is not None and fact.score is not None and fact.score >= least


def keep_stated(facts: Iterable[StatedFact]) -> None:
    """Keep the facts that one of their places states; what was not judged counts as stated."""
    listed = list(facts)
    stated = {one.fact for one in listed if one.stated is not False}
    for one in listed:
        one.kept = one.fact in stated


def _candidate(
    fact: StatedFact, sentences: Sequence[Sentence], merged: Merged, topics: Mapping[str, str]
) -> CandidateSentence:
    assert fact.sentence is not None
    sentence = sentences[fact.sentence]
    before = " ".join(one.text for one in sentences[max(0, fact.sentence - _BEFORE) : fact.sentence])
    topic = topics.get(fact.page)
    side = "subject" if fact.subject == topic else "object" if fact.object == topic else "neither"
    earlier = sentences[: fact.sentence]
    objects = (
        _value_places(fact, sentence.text)
        if fact.literal
        else _places(fact.object, fact, sentence.text, earlier, topic, merged)
    )
    return CandidateSentence(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        text=sentence.text,
        literal=fact.literal,
        side=side,
        before=before,
        subject_name=fact.subject_label,
        object_name=fact.object_label,
        subject_places=_places(fact.subject, fact, sentence.text, earlier, topic, merged),
        object_places=objects,
        page=fact.page,
        sentence=fact.sentence,
        start=sentence.start,
        end=sentence.end,
        name=fact.object_name,
    )


def _places(
    entity: str,
    fact: StatedFact,
    text: str,
    earlier: Sequence[Sentence],
    topic: str | None,
    merged: Merged,
) -> tuple[Place, ...]:
    """Where a sentence names an end: by a name of this page, else by a part of its name or a pronoun if the
    page is about it, or named it before.
    """
    names = merged.names_on(fact.page).get(entity, [])
    found = places_in(text, names)
    if found or (entity != topic and not any(places_in(one.text, names) for one in earlier)):
        return found
    label = merged.by_id[entity].label
    return tuple(TopicOnPage(label, BETWEEN.join([label, *names]), plain(text)).places(0, len(text)))


def _value_places(fact: StatedFact, text: str) -> tuple[Place, ...]:
    value = parse_value(fact.object)
    if isinstance(value, Text):
        return places_in(text, [fact.object_name])
    matcher = ValueMatcher()
    matcher.add(value, 0)
    found = tuple((one.start, one.end) for one in matcher.find(plain(text)))
    start = text.find(fact.object_name)
    return found or (((start, start + len(fact.object_name)),) if start >= 0 else ())
