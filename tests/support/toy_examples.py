"""Toy questions about films and directors: training examples of readers of mentions and of generators."""

import random
from pathlib import Path

import msgspec

from rollcall.questions import Answer, Candidate, Evidence
from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train.example_folder import ABOUT, AboutExamples
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample, write_examples

_PEOPLE = ["Ada", "Bel", "Cy", "Dot", "Eve", "Fay"]
_FILMS = [
    f"{first} {second}"
    for first in ("Red", "Blue", "Green", "Old", "New")
    for second in ("Sun", "Moon", "Sea", "Hill")
]


def toy_examples(number: int, seed: int = 0, split: str = "train") -> list[TrainingExample]:
    """Which films did a person direct? Each passage says whether the person directed or disliked a film."""
    draw = random.Random(seed)
    return [_example(f"{split}-{n}", split, draw) for n in range(number)]


def saved_examples(folder: Path, train: int, dev: int) -> Path:
    """A folder of training examples, as `rollcall train --prepare` makes one."""
    folder.mkdir()
    write_examples(folder / "train.jsonl.gz", toy_examples(train))
    write_examples(folder / "dev.jsonl.gz", toy_examples(dev, 1, "dev"))
    (folder / ABOUT).write_bytes(msgspec.json.encode(AboutExamples("toy", "train", 5, {}, "")))
    return folder


def toy_texts() -> list[str]:
    """The texts of some training examples, with all their words."""
    return [
        text
        for example in toy_examples(30)
        for text in (example.question, *(f"{one.title} {one.text}" for one in example.passages))
    ]


def _example(id_: str, split: str, draw: random.Random) -> TrainingExample:
    asked, other = draw.sample(_PEOPLE, 2)
    films = draw.sample(_FILMS, 5)
    answers = films[: draw.randint(1, 3)]
    passages = []
    for film in films:
        text = f"{asked} {'directed' if film in answers else 'disliked'} {film} . {other} acted in it ."
        place = answers.index(film) if film in answers else None
        start = text.index(film)
        mentions = [
            LinkedMention(0, len(film), "title", (_id(film),)),
            LinkedMention(start, start + len(film), "text", (_id(film),)),
            *(
                LinkedMention(text.index(one), text.index(one) + len(one), "text", (_id(one),))
                for one in (asked, other)
            ),
        ]
        proves, names = ({}, []) if place is None else ({place: 1.0}, [place])
        passages.append(LabelledPassage(f"{film}__0", film, text, 1.0, proves, names, mentions))
    draw.shuffle(passages)
    return TrainingExample(
        id_,
        f"Which films did {asked} direct ?",
        split,
        answers=[Answer(film, _id(film)) for film in answers],
        candidates=[
            Candidate(one.title, _id(one.title), [], [Evidence(one.text)], is_answer=one.title in answers)
            for one in passages
        ],
        passages=passages,
    )


def _id(name: str) -> str:
    return f"Q-{name}"


_DIRECTORS = {
    "Lake": ["Anna Berg", "Bo, Jr."],
    "Rain": ["Cy"],
    "Dust": ["Anna Berg", "Dora # Im"],
    "Moon": ["Bo, Jr."],
}


def director_examples() -> list[TrainingExample]:
    """Who directed a film? Passages prove an answer, only name one, or do neither; names hold separators."""
    return [_directed(film, names) for film, names in _DIRECTORS.items()]


def _directed(film: str, names: list[str]) -> TrainingExample:
    proving = [
        LabelledPassage(f"{film}{place}", film, f"{name} directed {film}.", None, {place: 1.0}, [place])
        for place, name in enumerate(names)
    ]
    naming = LabelledPassage(f"{film}-names", "Talk", f"{names[0]} saw {film}.", None, {}, [0])
    others = [
        LabelledPassage(f"{film}-{other}", other, f"{other} was seen by many.")
        for other in _DIRECTORS
        if other != film
    ]
    return TrainingExample(
        film,
        f"Who directed {film}?",
        answers=list(map(Answer, names)),
        passages=[*others, naming, *proving[1:]],
        proofs=proving[:1],
    )


def director_texts() -> list[str]:
    """All words of these questions, and of the prompts made from them."""
    every = director_examples()
    passages = [one for example in every for one in (*example.passages, *example.proofs)]
    words = ["question: \ntitle: \ntext: \nAnswers:", *(one.question for one in every)]
    return [*words, *(f"title: {one.title}\ntext: {one.text}" for one in passages)]
