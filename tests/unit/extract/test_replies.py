"""Replies of models: what is read of those that are not quite as asked for, and what is none."""

import pytest

from rollcall.extract.asking import ReplyFact, ReplyThing, read_reply

THING = ReplyThing("Nordwerk", "company")
FACT = ReplyFact("Nordwerk", "makes", "Falcon Pump", 2)
WHOLE = (
    '{"topic": "Nordwerk", "entities": [{"name": "Nordwerk", "class": "company", "other_names": []}], '
    '"facts": [{"sentence": 2, "subject": "Nordwerk", "relation": "makes", "object": "Falcon Pump"}]}'
)


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"Here is what I found:\n```json\n{WHOLE}\n```\nI hope this helps!",
        WHOLE.replace("]}", "],}"),
        WHOLE.replace('"class"', '"type"').replace('"relation"', '"predicate"'),
        WHOLE.replace('"sentence": 2', '"sentence": "[2]"'),
        f"{{}} {WHOLE}",
    ],
)
def test_forms_that_differ_a_little_are_read(text):
    said = read_reply(text)
    assert said is not None
    assert (said.topic, said.things, said.facts) == ("Nordwerk", (THING,), (FACT,))


def test_a_reply_that_was_cut_off_gives_what_is_whole():
    cut = WHOLE[: WHOLE.index("Falcon")]
    said = read_reply(cut)
    assert said is not None
    assert said.things == (THING,)
    assert said.facts == ()


def test_facts_as_lists_of_three_are_read():
    said = read_reply('{"facts": [["Nordwerk", "makes", "Falcon Pump"]]}')
    assert said is not None
    assert said.facts == (FACT._replace(sentence=0),)


def test_a_reply_that_finds_nothing_is_not_an_unusable_one():
    said = read_reply('{"topic": "", "entities": [], "facts": []}')
    assert said is not None
    assert said.facts == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot help with that.",
        "[1, 2, 3]",
        '{"entities": "none"',
        "{" * 100_000,
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"' * 100_000,
        "null",
    ],
)
def test_what_is_no_reply_is_none_and_takes_no_time(text):
    assert read_reply(text) is None


def test_wrong_types_inside_are_passed_over():
    said = read_reply('{"entities": [1, null, {"name": 3, "class": []}, {"name": true}], "facts": {"a": 1}}')
    assert said is not None
    assert (said.things, said.facts) == ((), ())
