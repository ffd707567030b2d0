"""Recipes, lexicons and template rules that anybody may have written: read, or refused in one line."""

import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from fuzzing.mutation import ODD_TEXTS, content_of, mutated_bytes, pieces
from fuzzing.target import Target
from rollcall import RollcallError
from rollcall.build.recipe import load
from rollcall.corpus.wikitext.templates import load_rules
from rollcall.wording.lexicon import entry_of, read_entries

RECIPE = """pipeline: qampari
description: some words
seed: 3
answers:
  least: 2
  most: 200
relations: {simple: [P57, P58], excluded: []}
evidence: {verifier: llm, model: m, base_url: 'http://localhost:1/v1'}
split:
  quotas: {simple: 10, intersection: 3}
"""
LEXICON = """P57:
  label: director
  forward: was directed by {object}
  backward: '[directed|made] {subject}'
  types: [film, 'television series']
  use: [simple, composition]
  single: true
zork: {label: zork, forward: zorked {object}, cues: []}
"""
RULES = """[show]
"{1}< ({2})>" = ["mine", "other"]
"[[{1}|{2|1}]]" = ["linked"]
"@date" = ["when"]
[drop]
names = ["gone"]
prefixes = ["x-"]
[languages]
en = "English"
"""
ODD = [
    "!!python/object:os.system x", "!!python/object/apply:os.system ['true']", "&a [*a, *a]", "*a",
    "<<: {a: 1}", "? [a, b]\n: c",
    "[" * 3000, "{a: " * 3000, "- - - -", "!!set {a}", "!!binary x", "!!timestamp 2001-13-45", "2001-99-99",
    "0x" + "f" * 5000, "9" * 5000,
    "!<x> y", "!x y", "---\na: b\n--- c", "%YAML 9.9\n", "\t", "a: 1\na: 2", "? a", "|\n x", "'",
    '"\\ud800"', "[]", "{}", "null", "~", ".inf", ".nan",
    "1:30:00", "yes", "<" * 2000, "[[" * 600, "{" * 50,
]  # fmt: skip


def draw(chance: random.Random) -> Any:
    kind = chance.choice(["recipe", "lexicon", "rules", "change"])
    if kind == "change":
        key = chance.choice(
            [
                "seed",
                "answers.least",
                "split.quotas.simple",
                "relations.simple",
                "evidence",
                "",
                "a.b",
                "pipeline",
            ]
        )
        return {"kind": kind, "text": f"{key}={chance.choice([*ODD, *ODD_TEXTS, '5', '[P57]', '-3'])}"}
    text = {"recipe": RECIPE, "lexicon": LEXICON, "rules": RULES}[kind]
    made = text.encode()
    if chance.random() < 0.6:
        # Put something odd where a value or a key stands.
        at = chance.choice([place for place, sign in enumerate(text) if sign in ': ,[{\n="<']) + 1
        end = chance.choice([at, at, max(at, text.find("\n", at))])
        made = (text[:at] + chance.choice(ODD) + text[end:]).encode("utf-8", "surrogatepass")
    if chance.random() < 0.5:
        made = mutated_bytes(chance, made)
    return {"kind": kind, "content": pieces(made)}


def check(case: Any) -> None:
    if case["kind"] == "change":
        _tried(lambda: load("qampari", [case["text"]]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("x.toml" if case["kind"] == "rules" else "x.yaml")
        path.write_bytes(content_of(case["content"]))
        if case["kind"] == "recipe":
            _tried(lambda: load(str(path)))
        elif case["kind"] == "rules":
            _tried(lambda: load_rules.__wrapped__(path))
        else:
            _tried(lambda: [entry_of(id_, fields) for id_, fields in read_entries(path).items()])


def _tried(read: Any) -> None:
    with suppress(RollcallError):
        read()


TARGETS = [Target("settings", draw, check, share=80)]
