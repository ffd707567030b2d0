"""Lets a verifier decide for each fact whether its sentence states it.

A row of a table is its own proof and is not verified. Everything else is verified in its sentence, with the
two sentences before it as context.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.files import PARTIAL, beside, left_beside, remove, replacing
from rollcall.build.keys import default_verifier
from rollcall.corpus import Corpus
from rollcall.corpus.corpus import Sentence
from rollcall.corpus.lists import without_parenthesis
from rollcall.corpus.make import relink_corpus
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.expected import UNCALIBRATED, chances, losing_at_most
from rollcall.evidence.values import ValueMatcher
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext, open_verifier
from rollcall.extract.asking import MOST_CLASSES, MOST_RELATIONS, proposal_request, read_object
from rollcall.extract.facts import StatedFact, named_places
from rollcall.extract.merging import MergedEntities, MergedEntity, PageFacts
from rollcall.extract.records import VALUES, Schema, SchemaError, made_schema
from rollcall.graph import EntityRecord, write_graph
from rollcall.llm import Client, ModelError, Request
from rollcall.query import parse_value
from rollcall.query.values import Text
from rollcall.text.name_forms import BETWEEN, forms, plain
from rollcall.text.names import Place, TopicOnPage, places_of

_BEFORE = 2
_AT_A_TIME = 256


def verify_facts(
    facts: Sequence[StatedFact],
    corpus: Corpus,
    merged: MergedEntities,
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
    in_sentences = [fact for fact in facts if fact.sentence is not None]
    named: list[StatedFact] = []
    with Progress("verifying", len(in_sentences), count=True, show=show) as progress:
        for start in range(0, len(in_sentences), _AT_A_TIME):
            some = in_sentences[start : start + _AT_A_TIME]
            candidates = [_candidate(fact, sentences_of(fact.page), merged, topics) for fact in some]
            verdicts = verifier.verdicts(candidates)
            for row, fact in enumerate(some):
                fact.score, fact.stated = verdicts.score(row, 4), bool(verdicts.accepted[row])
                if not verdicts.reasons[row]:
                    named.append(fact)
            progress.advance(len(some))
    if lose is not None:
        _lose_at_most(named, lose, verifier.prior or UNCALIBRATED)


def _lose_at_most(facts: Sequence[StatedFact], lose: float, prior: float) -> None:
    counted = Counter(fact.score for fact in facts if fact.score is not None)
    scores = np.array(sorted(counted))
    counts = np.array([counted[score] for score in scores.tolist()], dtype=np.int64)
    least = losing_at_most(chances(scores, counts, prior), lose)
    for fact in facts:
        fact.stated = least is not None and fact.score is not None and fact.score >= least


def keep_stated(facts: Iterable[StatedFact]) -> None:
    """Keep the facts that one of their places states; what was not verified counts as stated."""
    listed = list(facts)
    stated = {fact.fact for fact in listed if fact.stated is not False}
    for fact in listed:
        fact.kept = fact.fact in stated


def _candidate(
    fact: StatedFact, sentences: Sequence[Sentence], merged: MergedEntities, topics: Mapping[str, str]
) -> CandidateSentence:
    assert fact.sentence is not None
    sentence = sentences[fact.sentence]
    before = " ".join(
        sentence.text for sentence in sentences[max(0, fact.sentence - _BEFORE) : fact.sentence]
    )
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
    merged: MergedEntities,
) -> tuple[Place, ...]:
    """Where a sentence names an end: by a name of this page, else by a part of its name or a pronoun if the
    page is about it, or named it before.
    """
    names = merged.names_on(fact.page).get(entity, [])
    own_forms = forms(names)
    places = places_of(plain(text), own_forms)
    if places or (
        entity != topic and not any(places_of(plain(sentence.text), own_forms) for sentence in earlier)
    ):
        return places
    label = merged.by_id[entity].label
    return tuple(TopicOnPage(label, BETWEEN.join([label, *names]), plain(text)).places(0, len(text)))


def _value_places(fact: StatedFact, text: str) -> tuple[Place, ...]:
    value = parse_value(fact.object)
    if isinstance(value, Text):
        return places_of(plain(text), forms([fact.object_name]))
    matcher = ValueMatcher()
    matcher.add(value, 0)
    places = tuple((match.start, match.end) for match in matcher.find(plain(text)))
    start = text.find(fact.object_name)
    return places or (((start, start + len(fact.object_name)),) if start >= 0 else ())


# Lets a model propose a schema: from a sample of pages, spread over the corpus.

_ATTEMPTS = 3
_WORDS = 150
"""The number of words of each page of the sample that are shown."""
_THING = "thing"


def proposal_requests(
    model: str, corpus: Corpus, pages: Sequence[tuple[str, str]], sample: int, max_tokens: int
) -> list[Request]:
    """The request for a schema, and those that are sent if its reply cannot be used."""
    texts = []
    for page, title in _spread(pages, sample):
        words = corpus.text(page).split()
        texts.append(f"{title}. {' '.join(words[:_WORDS])}")
    return [proposal_request(model, texts, max_tokens, attempt) for attempt in range(_ATTEMPTS)]


def proposed_schema(client: Client, requests: Sequence[Request]) -> Schema:
    """The schema that a model proposes, with what does not fit together left out."""
    problem = ""
    for request in requests:
        try:
            reply = client.complete(request)
        except ModelError as error:
            problem = str(error)
            continue
        value = read_object(reply.text, "relations")
        schema = None if value is None else _usable(value)
        if schema is not None:
            return schema
        client.forget(request)
        problem = f"its reply is not a schema ({' '.join(reply.text.split())[:60]!r})"
    raise RollcallError(
        f"{requests[0].model} proposes no schema: {problem}; write one yourself and give it with --schema "
        "(docs/extract.md shows the form)"
    )


def _spread(pages: Sequence[tuple[str, str]], sample: int) -> list[tuple[str, str]]:
    """This number of pages, evenly spread."""
    size = min(sample, len(pages))
    return [pages[number * len(pages) // size] for number in range(size)]


def _usable(reply: dict[str, object]) -> Schema | None:
    """The schema in a reply: names trimmed, and relations with unknown ends given the class of all things."""
    classes, relations = _named(reply.get("classes")), _named(reply.get("relations"))
    meanings = [(name, _meaning(value)) for name, value in classes.items() if name.lower() not in VALUES]
    known: dict[str, object] = dict(meanings[:MOST_CLASSES])
    by_fold = {name.lower(): name for name in known} | {value: value for value in VALUES}
    usable: dict[str, dict[str, str]] = {}
    for name, relation in relations.items():
        if not isinstance(relation, dict):
            continue
        ends = {
            end: by_fold.get(str(relation.get(end, "")).strip().lower(), _THING)
            for end in ("subject", "object")
        }
        if ends["subject"] in VALUES:
            continue
        more = {
            key: _line(relation[key]) for key in ("meaning", "example") if isinstance(relation.get(key), str)
        }
        usable.setdefault(name, {**ends, **more})
    usable = dict(list(usable.items())[:MOST_RELATIONS])
    if (
        any(_THING in (relation["subject"], relation["object"]) for relation in usable.values())
        and _THING not in by_fold
    ):
        with_parent = {name: {"meaning": meaning, "parent": _THING} for name, meaning in known.items()}
        known = {**with_parent, _THING: "anything else that has a name"}
    try:
        return made_schema({"classes": known, "relations": usable})
    except SchemaError:
        return None


def _named(value: object) -> dict[str, object]:
    """What is given by name, as an object or as a list of objects with names; each name once."""
    if isinstance(value, list):
        value = {str(entry["name"]): entry for entry in value if isinstance(entry, dict) and "name" in entry}
    if not isinstance(value, dict):
        return {}
    by_name: dict[str, object] = {}
    for name, entry in value.items():
        plain = _line(str(name).replace("_", " "))
        if plain and plain.lower() not in {known.lower() for known in by_name}:
            by_name[plain] = entry
    return by_name


def _meaning(value: object) -> str:
    if isinstance(value, dict):
        value = value.get("meaning", "")
    return _line(value) if isinstance(value, str) else ""


def _line(text: object) -> str:
    return " ".join(str(text).split())[:300]


# Writes what was read: the graph, the file of statements beside it, and the corpus tied to the graph.


def write_facts(
    out: Path,
    merged: MergedEntities,
    facts: Sequence[StatedFact],
    pages: dict[str, PageFacts],
    schema: Schema,
) -> None:
    """Write the graph of the facts that are kept, with all entities that were read."""
    kept = [fact for fact in facts if fact.kept]
    write_graph(
        out,
        facts=sorted({(fact.subject, fact.relation, fact.object) for fact in kept if not fact.literal}),
        values=[
            (subject, relation, parse_value(text))
            for subject, relation, text in sorted(
                {(fact.subject, fact.relation, fact.object) for fact in kept if fact.literal}
            )
        ],
        subclasses=_subclasses(merged, schema),
        entities=[_record(entity, pages) for entity in merged.entities],
        relations={schema.relation_id(name): name for name in schema.relations},
    )


def _subclasses(merged: MergedEntities, schema: Schema) -> list[tuple[str, str]]:
    """The parents of the classes that have members."""
    used = {
        name for entity in merged.entities for class_ in entity.classes for name in schema.lineage(class_)
    }
    return [
        (name, class_.parent) for name, class_ in schema.classes.items() if class_.parent and name in used
    ]


def _record(entity: MergedEntity, pages: dict[str, PageFacts]) -> EntityRecord:
    """An entity's row; the title of a page about it lets any corpus of these pages be tied to the graph."""
    titles = [pages[page].title for page in entity.pages]
    named = [title for title in titles if without_parenthesis(title) == entity.label]
    title = next(iter([*named, *titles]), None)
    return EntityRecord(entity.id, entity.label, None, title, entity.aliases, entity.classes)


def write_statements(path: Path, facts: Iterable[StatedFact]) -> None:
    """Write every fact with the place that states it, one a line."""
    ordered = sorted(
        facts,
        key=lambda fact: (fact.fact, fact.page, -1 if fact.sentence is None else fact.sentence, fact.text),
    )
    with replacing(path) as partial, partial.open("wb") as file:
        for fact in ordered:
            file.write(msgspec.json.encode(fact) + b"\n")


# Opens the verifier of facts, and gives it what it needs: a draft of the graph and the corpus.
# A verifier that learns from a graph and a corpus learns from what was read, right and wrong: where most
# of it is right, the wordings of a relation are those that most of its facts have.


class Read(NamedTuple):
    """Everything that was read out of a corpus."""

    corpus: Corpus
    pages: dict[str, PageFacts]
    schema: Schema
    merged: MergedEntities
    facts: list[StatedFact]


def may_drop(verifier: Verifier | str | None) -> bool:
    """Whether facts are dropped by default because a verifier does not accept them.

    One that learned from these facts alone may only mark them: few documents teach it little, and it would
    drop most of what is right (docs/extract.md has the figures).
    """
    if isinstance(verifier, Verifier):
        return True
    return "graph" not in VERIFIERS.find(verifier or default_verifier()).needs


def verify(
    read: Read,
    verifier: Verifier | str | None,
    options: Mapping[str, object],
    lose: float | None,
    out: Path,
    show: bool | None,
) -> str:
    """Write a verdict into every fact that a sentence is to state; the name of the verifier.

    Drafts are made beside `out`, and removed.
    """
    topics = read.merged.topics()
    if isinstance(verifier, Verifier):
        if not verifier.has_scores:
            return verifier.name
        verify_facts(read.facts, read.corpus, read.merged, topics, verifier, lose=lose, show=show)
        return verifier.name
    name = verifier or default_verifier()
    kind = VERIFIERS.find(name)
    if not kind.has_scores or all(fact.sentence is None for fact in read.facts):
        return name
    folder = out.resolve()
    for left in left_beside(folder, PARTIAL):
        remove(left)
    draft = beside(folder, PARTIAL)
    try:
        context = _context(read, draft) if "graph" in kind.needs else VerifierContext()
        opened = open_verifier(kind, name, options, context)
        verify_facts(read.facts, read.corpus, read.merged, topics, opened, lose=lose, show=show)
    finally:
        remove(draft)
    return name


def _context(read: Read, draft: Path) -> VerifierContext:
    """A draft of the graph and of the corpus tied to it, with every fact that was read."""
    graph, corpus = draft / "graph", draft / "corpus"
    write_facts(graph, read.merged, read.facts, read.pages, read.schema)
    relink_corpus(
        read.corpus,
        graph,
        corpus,
        topics=read.merged.topics(),
        places=named_places(read.corpus, list(read.pages), read.merged),
        show_progress=False,
    )
    return VerifierContext(graph, corpus)
