"""Lets a model read blocks: asks again where a reply cannot be used, and counts what is lost.

The client caches replies, so that a killed run resumes where it stopped. Blocks are asked for in
groups; after each, a run in which too many replies cannot be used ends with one line.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.extract.merging import FoldedText, is_name, is_proper, is_short_for, key_of, tidy
from rollcall.extract.records import VALUES, PageReading, Schema, SentenceBlock, Statement, Thing
from rollcall.llm import Client, ModelError, Reply
from rollcall.llm.prompts import FENCE, TRAILING_COMMA
from rollcall.llm.server import Request, ask

# What the model is asked: to read things and facts out of some sentences, and to propose a schema.
# Sentences are numbered, and every fact names the number of the sentence that states it, so that each
# fact can be checked and shown with its text. Replies are JSON; servers that support it are given the
# form.

_READ = """\
You read facts out of a text for a knowledge graph. Use only what the sentences say, not what you know.

Classes of things:
{classes}

Relations (subject class -> object class):
{relations}

Reply with one JSON object and nothing else:
{{"topic": "name", "entities": [{{"name": "full name", "class": "class", "other_names": ["short name"]}}], \
"facts": [{{"sentence": 1, "subject": "name", "relation": "relation", "object": "name or value"}}]}}
topic is the name of the one thing that the whole page is about, or "" if there is none. entities are all \
things of these classes that the text names, each once, by its fullest name in the text; other_names are the \
other names that the text uses for it, such as short forms, but no pronouns. facts are all facts of these \
relations that a sentence states; sentence is the number of that sentence, subject and object are names from \
entities (where a sentence says "he" or "the company", give the name that is meant), and relation is one of \
the names above. Dates, numbers and texts are given as the text writes them. If there is nothing, give empty \
lists."""
_PROPOSE = """\
You design the schema of a knowledge graph that will be read out of a collection of texts. Choose the \
classes of things and the relations between them that these texts state again and again, so that many \
questions can be answered from them. Prefer at most {classes} classes and {relations} relations, each with a \
short, plain name in English and one line that says what it means. A relation goes from a class to a class, \
or to date, number or text.

Reply with one JSON object and nothing else:
{{"classes": {{"name": "meaning"}}, "relations": {{"name": {{"subject": "class", "object": "class", \
"meaning": "...", "example": "a sentence of the texts that states it"}}}}}}"""
MOST_CLASSES, MOST_RELATIONS = 12, 20


def reading_request(
    model: str, schema: Schema, block: SentenceBlock, max_tokens: int, attempt: int = 0
) -> Request:
    """The request to read one block; a further attempt is sampled again."""
    system = _READ.format(classes=_classes(schema), relations=_relations(schema))
    numbered = [f"[{number}] {sentence}" for number, sentence in enumerate(block.sentences, 1)]
    before = [f"Begins: {block.opening}"] if block.opening else []
    prompt = "\n".join([f"Page: {block.title}", *before, "", *numbered])
    form = reading_form(schema, len(block.sentences))
    if not attempt:
        return ask(model, prompt, system, max_tokens=max_tokens, schema=form)
    return ask(
        model,
        prompt,
        system,
        max_tokens=max_tokens,
        schema=form,
        temperature=0.5,
        seed=attempt,
        sample=attempt,
    )


def proposal_request(model: str, texts: Sequence[str], max_tokens: int, attempt: int = 0) -> Request:
    """The request to propose a schema for texts like these."""
    system = _PROPOSE.format(classes=MOST_CLASSES, relations=MOST_RELATIONS)
    prompt = "\n\n".join(f"Text {number}: {text}" for number, text in enumerate(texts, 1))
    temperature = 0.5 if attempt else 0.0
    return ask(model, prompt, system, max_tokens=max_tokens, temperature=temperature, sample=attempt)


def reading_form(schema: Schema, sentences: int) -> dict[str, Any]:
    """The JSON schema of a reply."""
    name = {"type": "string"}
    entity = {
        "name": name,
        "class": {"type": "string", "enum": list(schema.classes)},
        "other_names": {"type": "array", "items": name},
    }
    fact = {
        "sentence": {"type": "integer", "enum": list(range(1, sentences + 1))},
        "subject": name,
        "relation": {"type": "string", "enum": list(schema.relations)},
        "object": name,
    }
    return _object(topic=name, entities=_list(_object(**entity)), facts=_list(_object(**fact)))


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _classes(schema: Schema) -> str:
    lines = []
    for name, class_ in schema.classes.items():
        kind = f" (a kind of {class_.parent})" if class_.parent else ""
        lines.append(f"- {name}{kind}{f': {class_.meaning}' if class_.meaning else ''}")
    return "\n".join(lines)


def _relations(schema: Schema) -> str:
    lines = []
    for name, relation in schema.relations.items():
        object_ = f"a {relation.object}" if relation.object in VALUES else relation.object
        meaning = f": {relation.meaning}" if relation.meaning else ""
        example = f' Example: "{relation.example}"' if relation.example else ""
        lines.append(f"- {name} ({relation.subject} -> {object_}){meaning}{example}")
    return "\n".join(lines)


# Reads a model's reply to a block: JSON, also inside other text, with faults, or broken off. Where the
# whole is not JSON, the complete objects in it are read one by one, so that a reply that was cut off
# gives what it has. None means that nothing could be read, which is not the same as a reply that finds
# nothing.

_INNERMOST = re.compile(r'\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}')
_MOST_OPENINGS = 50
"""The most brackets at which the object is looked for: each is tried, and a reply may consist of them."""
_LONGEST = 200_000
"""A longer reply is not a reply to a block."""
_NAMES = ("name", "entity", "label", "text")
_CLASSES = ("class", "type", "category")
_OTHERS = ("other_names", "aliases", "other names", "also_known_as")
_RELATIONS = ("relation", "predicate", "property", "relationship")
_SUBJECTS, _OBJECTS = ("subject", "head", "source"), ("object", "tail", "target", "value")


class ReplyThing(NamedTuple):
    """A thing as a reply gives it."""

    name: str
    class_: str
    other_names: tuple[str, ...] = ()


class ReplyFact(NamedTuple):
    """A fact as a reply gives it; `sentence` is 0 if there is no number."""

    subject: str
    relation: str
    object: str
    sentence: int = 0


class ReplyBlock(NamedTuple):
    """What a reply says of a block."""

    topic: str
    things: tuple[ReplyThing, ...]
    facts: tuple[ReplyFact, ...]


def read_object(text: str, *keys: str) -> dict[str, Any] | None:
    """The first JSON object in a reply that has one of the keys; None if there is none."""
    for part in (*FENCE.findall(text[:_LONGEST]), text[:_LONGEST]):
        for plain in dict.fromkeys((part, TRAILING_COMMA.sub(r"\1", part))):
            for opening in islice(re.finditer(r"\{", plain), _MOST_OPENINGS):
                try:
                    value, _end = json.JSONDecoder(strict=False).raw_decode(plain, opening.start())
                except (ValueError, RecursionError):
                    continue
                if isinstance(value, dict) and any(key in value for key in keys):
                    return value
    return None


def read_reply(text: str) -> ReplyBlock | None:
    """What a reply says of its block."""
    reply = read_object(text, "entities", "facts")
    if reply is not None:
        things = [thing for listed in _listed(reply.get("entities")) if (thing := _thing(listed)) is not None]
        facts = [fact for listed in _listed(reply.get("facts")) if (fact := _fact(listed)) is not None]
        return ReplyBlock(_words(reply.get("topic")), tuple(things), tuple(facts))
    parts = list(_parts(text[:_LONGEST]))
    facts = [fact for part in parts if (fact := _fact(part)) is not None]
    things = [thing for part in parts if _fact(part) is None and (thing := _thing(part)) is not None]
    return ReplyBlock("", tuple(things), tuple(facts)) if facts or things else None


def _parts(text: str) -> Iterator[dict[str, Any]]:
    """The innermost complete objects of a text."""
    for match in _INNERMOST.finditer(TRAILING_COMMA.sub(r"\1", text)):
        try:
            value = json.loads(match[0], strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _thing(value: Any) -> ReplyThing | None:
    if not isinstance(value, dict):
        return None
    name, class_ = _first(value, _NAMES), _first(value, _CLASSES)
    others: list[Any] = next((value[key] for key in _OTHERS if isinstance(value.get(key), list)), [])
    if not name or not class_:
        return None
    return ReplyThing(name, class_, tuple(other_name for other in others if (other_name := _words(other))))


def _fact(value: Any) -> ReplyFact | None:
    if isinstance(value, list) and len(value) == 3:
        value = dict(zip(("subject", "relation", "object"), value, strict=True))
    if not isinstance(value, dict):
        return None
    subject, relation, object_ = (_first(value, keys) for keys in (_SUBJECTS, _RELATIONS, _OBJECTS))
    if not subject or not relation or not object_:
        return None
    return ReplyFact(subject, relation, object_, _number(value.get("sentence")))


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((words for key in keys if (words := _words(value.get(key)))), "")


def _words(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def _number(value: Any) -> int:
    if isinstance(value, str) and (match := re.search(r"\d{1,6}", value)):
        return int(match[0])
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# Keeps of a reply what the block and the schema support: names that the text has, and facts that fit. A
# model may name what is not there, classes and relations of its own, or the wrong sentence. What cannot
# be used is left out and counted by its reason.


def grounded(reply: ReplyBlock, block: SentenceBlock, schema: Schema, left_out: Counter[str]) -> PageReading:
    """What a reply says of a block, with names as the text has them; `left_out` counts what is dropped."""
    return _Grounding(block, schema, left_out).reading(reply)


class _Grounding:
    def __init__(self, block: SentenceBlock, schema: Schema, left_out: Counter[str]) -> None:
        self._block, self._schema, self._left_out = block, schema, left_out
        self._text = FoldedText(block.text)
        self._sentences = [FoldedText(sentence) for sentence in block.sentences]
        self._things: dict[str, Thing] = {}
        self._known: dict[str, str] = {}
        self._topic = ""
        """The key of what the page is about, which a sentence need not name."""

    def reading(self, reply: ReplyBlock) -> PageReading:
        for thing in reply.things:
            self._add(thing)
        self._topic = self._known.get(key_of(reply.topic), "")
        statements = [statement for fact in reply.facts if (statement := self._statement(fact)) is not None]
        named = self._things[self._topic].name if self._topic else ""
        return PageReading(self._block.page, tuple(self._things.values()), tuple(statements), named)

    def _add(self, thing: ReplyThing) -> None:
        class_ = self._schema.class_of(thing.class_)
        if class_ is None:
            self._left_out["things of a class that the schema does not have"] += 1
            return
        names = list(dict.fromkeys(map(tidy, (thing.name, *thing.other_names))))
        in_text = [name for name in names if is_name(name) and self._text.has(name)]
        if not in_text:
            self._left_out["things whose name the text does not have"] += 1
            return
        name, *others = in_text
        others = [other for other in others if is_proper(other) or not is_proper(name)]
        self._keep(Thing(name, class_, tuple(others)))

    def _keep(self, thing: Thing) -> None:
        key = key_of(thing.name)
        known = self._known.get(key)
        if known is not None:
            old = self._things[known]
            others = dict.fromkeys((*old.other_names, *thing.other_names))
            self._things[known] = Thing(old.name, old.class_, tuple(others))
        else:
            self._things[key] = thing
        for name in (thing.name, *thing.other_names):
            self._known.setdefault(key_of(name), known or key)

    def _end(self, name: str, class_: str) -> Thing | None:
        """The thing that a fact names; one that is not listed is of the class that the relation expects."""
        key = key_of(name)
        if key not in self._known:
            if not is_name(tidy(name)) or not is_proper(name) or not self._text.has(name):
                return None
            self._keep(Thing(tidy(name), class_))
        return self._things[self._known[key]]

    def _statement(self, fact: ReplyFact) -> Statement | None:
        name = self._schema.relation_of(fact.relation)
        if name is None:
            self._left_out["facts of a relation that the schema does not have"] += 1
            return None
        relation = self._schema.relations[name]
        subject = self._end(fact.subject, relation.subject)
        if subject is None:
            self._left_out["facts about what the text does not name"] += 1
            return None
        if relation.is_literal:
            value = tidy(fact.object)
            if not self._text.has(value):
                self._left_out["facts about what the text does not name"] += 1
                return None
            return self._with_sentence(fact, name, subject, value, (value,), literal=True)
        other = self._end(fact.object, relation.object)
        if other is None:
            self._left_out["facts about what the text does not name"] += 1
            return None
        if other == subject:
            self._left_out["facts of a thing about itself"] += 1
            return None
        if not self._schema.fits(subject.class_, relation.subject) or not self._schema.fits(
            other.class_, relation.object
        ):
            self._left_out["facts whose ends are of other classes than the relation's"] += 1
            return None
        return self._with_sentence(fact, name, subject, other.name, self._names(other))

    def _with_sentence(
        self,
        fact: ReplyFact,
        relation: str,
        subject: Thing,
        object_: str,
        object_names: tuple[str, ...],
        literal: bool = False,
    ) -> Statement | None:
        topic = self._things.get(self._topic)
        about = "subject" if topic == subject else "object" if topic and topic.name == object_ else ""
        index = self._sentence_index(fact.sentence, self._names(subject), object_names, about)
        if index is None:
            self._left_out["facts that no sentence states by name"] += 1
            return None
        return Statement(subject.name, relation, object_, self._block.first + index, literal)

    def _names(self, thing: Thing) -> tuple[str, ...]:
        """The names of a thing, with those that the reply gives by themselves though they are short forms."""
        short = [
            other.name
            for other in self._things.values()
            if other.class_ == thing.class_ and is_short_for(key_of(other.name), key_of(thing.name))
        ]
        return (thing.name, *thing.other_names, *short)

    def _sentence_index(
        self, number: int, subjects: Iterable[str], objects: Iterable[str], about: str
    ) -> int | None:
        """The sentence that states a fact: the one given if it names an end, else one that names both.

        Where the page is `about` an end, that must be the other one.
        """
        with_subject = [sentence.has_any(subjects) for sentence in self._sentences]
        with_object = [sentence.has_any(objects) for sentence in self._sentences]
        both = [
            index
            for index, (has_subject, has_object) in enumerate(zip(with_subject, with_object, strict=True))
            if has_subject and has_object
        ]
        named_index = number - 1 if 0 < number <= len(self._sentences) else None
        enough = {"subject": with_object, "object": with_subject}.get(about)
        if enough is None:
            enough = [
                has_subject or has_object
                for has_subject, has_object in zip(with_subject, with_object, strict=True)
            ]
        if named_index is not None and (named_index in both or (not both and enough[named_index])):
            return named_index
        if both:
            return min(both, key=lambda index: abs(index - named_index) if named_index is not None else index)
        named = enough if about and any(enough) else with_object
        return next((index for index, is_named in enumerate(named) if is_named), None)


_ATTEMPTS = 3
_GROUP = 64
_ENOUGH = 10
"""After fewer blocks, a run is not stopped, unless these are all."""


class Account:
    """What happened to replies: how many were asked for again or unusable, and what was left out."""

    def __init__(self) -> None:
        self.blocks = self.asked_again = self.cut = 0
        self.unusable: list[str] = []
        self.left_out: Counter[str] = Counter()


class _Ask(NamedTuple):
    position: tuple[int, ...]
    block: SentenceBlock
    attempt: int = 0


class ModelReader:
    """Reads blocks with a model of a server."""

    def __init__(
        self, client: Client, model: str, schema: Schema, *, max_tokens: int, max_bad: float
    ) -> None:
        self._client, self._model, self._schema = client, model, schema
        self._max_tokens, self._max_bad = max_tokens, max_bad
        self.account = Account()

    def read(
        self, blocks: Iterable[SentenceBlock], total: int, show: bool | None = None
    ) -> Iterator[PageReading]:
        """What was read in each block, in order."""
        with Progress("reading", total, count=True, show=show) as progress:
            source = iter(blocks)
            while group := tuple(islice(source, _GROUP)):
                yield from self._group(group, progress)
                self._check(last=False)
        self._check(last=True)

    def _group(self, group: tuple[SentenceBlock, ...], progress: Progress) -> Iterator[PageReading]:
        waiting = [_Ask((number,), block) for number, block in enumerate(group)]
        self.account.blocks += len(group)
        replies: dict[tuple[int, ...], tuple[SentenceBlock, ReplyBlock]] = {}
        while waiting:
            again: list[_Ask] = []
            requests = ((asked, self._request(asked)) for asked in waiting)
            for asked, reply in self._client.complete_all(requests):
                parsed = read_reply(reply.text) if isinstance(reply, Reply) else None
                if isinstance(reply, Reply) and reply.finish == "length" and len(asked.block.sentences) > 1:
                    self.account.cut += 1
                    again += [
                        _Ask((*asked.position, half), part) for half, part in enumerate(asked.block.halves)
                    ]
                elif parsed is not None:
                    replies[asked.position] = asked.block, parsed
                elif isinstance(reply, Reply) and asked.attempt + 1 < _ATTEMPTS:
                    self.account.asked_again += 1
                    again.append(asked._replace(attempt=asked.attempt + 1))
                else:
                    self._give_up(asked, reply)
                if asked.attempt == 0 and len(asked.position) == 1:
                    progress.advance(1, str(self._client.spending))
            waiting = sorted(again)
        for _position, (block, parsed) in sorted(replies.items()):
            yield grounded(parsed, block, self._schema, self.account.left_out)

    def _request(self, ask: _Ask) -> Request:
        return reading_request(self._model, self._schema, ask.block, self._max_tokens, ask.attempt)

    def _give_up(self, ask: _Ask, reply: Reply | ModelError) -> None:
        """Count a block that gave nothing; its replies leave the cache, so that the next run asks again."""
        for attempt in range(ask.attempt + 1):
            self._client.forget(self._request(ask._replace(attempt=attempt)))
        why = str(reply) if isinstance(reply, ModelError) else _unusable(reply)
        self.account.unusable.append(f"{ask.block.title}: {why}")

    def _check(self, last: bool) -> None:
        bad, all_ = len(self.account.unusable), self.account.blocks
        if (last or all_ >= _ENOUGH) and bad > self._max_bad * all_:
            raise RollcallError(
                f"{bad:,} of {all_:,} replies of {self._model} cannot be used (--max-bad {self._max_bad:g}), "
                f"such as {self.account.unusable[0]}; try another model, shorter blocks (--words) or a "
                "simpler schema"
            )


def _unusable(reply: Reply) -> str:
    if reply.refusal:
        return f"refused ({reply.refusal})"
    beginning = " ".join(reply.text.split())[:60]
    return f"no JSON of the form asked for ({beginning!r})" if beginning else "an empty reply"
