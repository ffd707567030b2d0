"""Passages of random words, and questions about them."""

import random
from typing import Any

from rollcall.questions.record import Answer, Candidate
from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train.generate.generator import Prompt
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample

WORDS = [f"word{number}" for number in range(5000)]


def examples(number: int, length: int, each: int = 24) -> list[TrainingExample]:
    """Questions with passages of random words, one of which proves an answer; eight words each are linked.

    The fourth word of each passage is a candidate, whose evidence is the passage.
    """
    draw = random.Random(7)

    def passage(question: int, place: int) -> LabelledPassage:
        words = draw.choices(WORDS, k=max(draw.randint(length // 2, length * 3 // 2) - 15, 8))
        answer = f"word{question}"
        words = [
            answer if place == 0 and at == 3 else "word4999" if one == answer else one
            for at, one in enumerate(words)
        ]
        starts = [
            sum(len(one) + 1 for one in words[:at]) for at in range(0, len(words), max(len(words) // 8, 1))
        ]
        text = " ".join(words)
        linked = [
            LinkedMention(start, start + len(word), "text", (f"Q{word}",))
            for start in starts
            if (word := text[start:].split(" ", 1)[0])
        ]
        proves = {0: 1.0} if place == 0 else {}
        return LabelledPassage(f"{question}-{place}", WORDS[question], text, 1.0, proves, [*proves], linked)

    def example(question: int) -> TrainingExample:
        asked, answer = " ".join(draw.choices(WORDS, k=10)), f"word{question}"
        passages = [passage(question, place) for place in range(each)]
        offered = [one.text.split(" ", 4)[3] for one in passages]
        return TrainingExample(
            str(question),
            asked,
            answers=[Answer(answer, id=f"Q{answer}")],
            candidates=[Candidate(one, id=f"Q{one}", is_answer=one == answer) for one in offered],
            passages=passages,
        )

    return [example(one) for one in range(number)]


def prompts(tokeniser: Any, number: int, length: int) -> list[Prompt]:
    draw = random.Random(7)
    words = min(len(tokeniser), 30_000)
    return [
        Prompt([[draw.randrange(5, words) for _ in range(draw.randint(length // 2, length * 3 // 2))]])
        for _ in range(number)
    ]
