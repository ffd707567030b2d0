"""Wordings beside people's own words: how near they are, and whether the most natural one is chosen.

python benchmarks/bench_wording.py [--asked FILE] [--show 10]

People's questions are the templates of `question_templates.tsv`, and those in FILE, by default the questions
that people asked beside the project. Each is worded twice: with the lexicon, and from the labels of its
relations alone, as those of a user's graph are. Nearness is the F1 of the words in their base form. Printed
are the nearness of the wording that is chosen, of the one that was made first, of the nearest one, and of
all; how often the chosen one is the nearest where there are several; and how many of people's questions and
of the wordings break a rule of `rollcall.wording.realise`. A rule that people's questions break is no good.
"""

import json
import re
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from _harness import Arguments, Figures, real_data, run_benchmark
from rollcall.graph.graph import EntityRecord
from rollcall.query import Query
from rollcall.text.words import base_form
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.question import wordings
from rollcall.wording.realise import RULES

TEMPLATES = Path(__file__).with_name("question_templates.tsv")


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--asked", type=Path, help="JSON lines: question, query, entities, relations")
    parser.add_argument("--questions", type=int, default=2000, smoke=40)
    parser.add_argument("--show", type=int, default=0, help="print some of the least near wordings")
    return parser


class Asked(NamedTuple):
    """A question in people's words, with its query and the names in it."""

    question: str
    query: Query
    labels: Mapping[str, str]


class Names:
    """The labels of a question's entities and relations, as a graph gives them."""

    def __init__(self, labels: Mapping[str, str]):
        self._labels = labels

    def label(self, id_: str) -> str:
        return self._labels.get(id_, id_)

    relation_label = class_label = label

    def entity(self, id_: str) -> EntityRecord:
        return EntityRecord(id=id_, label=self.label(id_))

    def find(self, name: str) -> list[EntityRecord]:
        return []


def main(options: Namespace, figures: Figures) -> None:
    sets = {"templates": [*of_templates()]}
    path = options.asked or real_data("questions", "asked.jsonl")
    if path is not None:
        sets["asked"] = [*of_file(path)]
    for name, questions in sets.items():
        for words, lexicon in (("lexicon", Lexicon.load()), ("labels alone", Lexicon({}))):
            report(f"{name}, {words}", questions[: options.questions], lexicon, options.show, figures)


def of_templates() -> Iterator[Asked]:
    """The templates as questions about one thing."""
    lexicon = Lexicon.load()
    for line in TEMPLATES.read_text(encoding="utf-8").splitlines():
        relation, _part, template = line.split("\t")
        if not relation.startswith("#") and relation in lexicon:
            labels = {"Q1": "Orla Venn", relation: lexicon.entry(relation).label}
            yield Asked(template.format("Orla Venn"), Query.parse(f"Q1 {relation} ?x"), labels)


def of_file(path: Path) -> Iterator[Asked]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        labels = {id_: names[0] for id_, names in row["entities"].items() if names} | row["relations"]
        yield Asked(row["question"], Query.parse(row["query"]), labels)


def report(name: str, questions: list[Asked], lexicon: Lexicon, show: int, figures: Figures) -> None:
    chosen, first, best, every, nearest, least = [], [], [], [], [], []
    said = []
    for asked in questions:
        realiser = Realiser(Names(asked.labels), lexicon)
        texts = list(dict.fromkeys(wordings(asked.query, lexicon, realiser.naming)))
        question = realiser.word(asked.query).question
        scores = [nearness(text, asked.question) for text in texts]
        said.append(question)
        chosen.append(scores[texts.index(question)])
        first.append(scores[0])
        best.append(max(scores))
        every.append(mean(scores))
        if len(set(scores)) > 1:
            nearest.append(chosen[-1] == best[-1])
        least.append((chosen[-1], asked.question, question))
    figures[name] = {
        "questions": len(questions),
        "chosen": mean(chosen),
        "first": mean(first),
        "nearest": mean(best),
        "all": mean(every),
        "chosen is nearest": mean(nearest) if nearest else None,
        "people break a rule": mean(breaks_a_rule(asked.question) for asked in questions),
        "wordings break a rule": mean(map(breaks_a_rule, said)),
    }
    print(
        f"{name}: " + ", ".join(f"{key} {_short(value)}" for key, value in figures[name].items()), flush=True
    )
    for score, question, wording in sorted(least)[:show]:
        print(f"  {score:.2f}  {question}  |  {wording}")


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def nearness(text: str, other: str) -> float:
    """The F1 of the words of two questions in their base form."""
    left, right = _words(text), _words(other)
    common = (left & right).total()
    return 2 * common / (left.total() + right.total())


def _words(text: str) -> Counter[str]:
    return Counter(base_form(word) for word in re.findall(r"\w+", text.lower()))


def breaks_a_rule(question: str) -> bool:
    text = question[:1].lower() + question[1:]
    return any(re.search(pattern, text) for pattern, _cost, _example in RULES)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
