"""A small set with all that other tools are given: kinds, clusters, splits, aliases, proving passages."""

import random
from pathlib import Path
from typing import Any

from rollcall.questions import Answer, Evidence, Passage, Prediction, Question, QuestionSet, Run
from rollcall.score import score

SPLITS = ("train", "dev", "test", "test")
SAME = 1e-9
"""How far a figure of another tool may be from ours."""


def questions(number: int = 16) -> QuestionSet:
    return QuestionSet([_question(place) for place in range(number)])


def _question(place: int) -> Question:
    answers = [
        Answer(
            f'Paris, "Texas" {place}.{number}',
            f"Q{place}{number}",
            [f"Texas {place}.{number}"],
            [
                Evidence(
                    f"Sentence {place}.{number}.{piece}.", f"p{place}.{(number + piece) % 4}", f"Page {place}"
                )
                for piece in range(1 + number % 2)
            ],
        )
        for number in range(1 + place % 4)
    ]
    return Question(
        id=f"q{place}",
        question=f"Which towns are number {place}?",
        kind=("simple", "composition")[place % 2],
        cluster=f"c{place // 3}",
        split=SPLITS[place % 4],
        answers=answers,
    )


def run(questions: QuestionSet, seed: int = 1) -> Run:
    """Some right answers by any name, some wrong ones, and passages in any order with equal scores."""
    chance = random.Random(seed)
    predictions = []
    for one in questions:
        right = [
            chance.choice([answer.label, *answer.aliases]) for answer in one.answers if chance.random() < 0.7
        ]
        wrong = [f"Nowhere {chance.randrange(9)}"] * (chance.random() < 0.4)
        known = [piece.passage or "" for answer in one.answers for piece in answer.evidence]
        ids = list(dict.fromkeys([*known, *(f"x{number}" for number in range(6))]))
        chance.shuffle(ids)
        passages = [
            Passage(id_, f"Title {id_}", f"Text of {id_}.", float(9 - rank // 2))
            for rank, id_ in enumerate(ids)
        ]
        predictions.append(Prediction(one.id, [*right, *wrong], passages[: chance.randrange(3, 9)]))
    return Run(predictions, "mine.jsonl")


def replies(asked: QuestionSet, run: Run) -> dict[str, list[Any]]:
    """What a model says to each question."""
    said = {one.id: one.answers for one in run}
    return {one.question: said[one.id] for one in asked}


def figures(asked: QuestionSet, run: Run | Path, measures: str = "P,R,F1") -> dict[str, float | None]:
    """The measures of a run by Rollcall itself."""
    found = score(asked, run, measures=measures, confidence=None)
    return {str(measure): figure.value for measure, figure in found.figures.items()}


def figures_of_test(asked: QuestionSet, run: Run, measures: str = "P,R,F1") -> dict[str, float | None]:
    """The same of the test split alone."""
    test = asked.of_splits("test")
    ids = {one.id for one in test}
    return figures(test, Run([one for one in run if one.id in ids]), measures)
