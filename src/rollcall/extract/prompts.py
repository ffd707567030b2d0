"""What the model is asked: to read things and facts out of some sentences, and to propose a schema.

Sentences are numbered, and every fact names the number of the sentence that states it, so that each fact can
be checked and shown with its text. Replies are JSON; servers that support it are given the form.
"""

from collections.abc import Sequence
from typing import Any

from rollcall.extract.blocks import Block
from rollcall.extract.schema import VALUES, Schema
from rollcall.llm.records import Request, ask

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


def reading_request(model: str, schema: Schema, block: Block, max_tokens: int, attempt: int = 0) -> Request:
    """The request to read one block; a further attempt is sampled anew."""
    system = _READ.format(classes=_classes(schema), relations=_relations(schema))
    told = [f"[{number}] {sentence}" for number, sentence in enumerate(block.sentences, 1)]
    before = [f"Begins: {block.opening}"] if block.opening else []
    prompt = "\n".join([f"Page: {block.title}", *before, "", *told])
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
    for name, one in schema.classes.items():
        kind = f" (a kind of {one.parent})" if one.parent else ""
        lines.append(f"- {name}{kind}{f': {one.meaning}' if one.meaning else ''}")
    return "\n".join(lines)


def _relations(schema: Schema) -> str:
    lines = []
    for name, one in schema.relations.items():
        object_ = f"a {one.object}" if one.object in VALUES else one.object
        meaning = f": {one.meaning}" if one.meaning else ""
        example = f' Example: "{one.example}"' if one.example else ""
        lines.append(f"- {name} ({one.subject} -> {object_}){meaning}{example}")
    return "\n".join(lines)
