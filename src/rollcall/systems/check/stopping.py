"""How many new answers a round must confirm for another one to follow: tuned on questions with known answers.

All rounds are read for these questions, and the mean F1 is computed for every number that would have stopped
some of them elsewhere. Of equally good numbers the greatest is taken, which reads least.
"""

from collections.abc import Sequence
from itertools import accumulate

from rollcall.questions.record import Question
from rollcall.questions.run import Prediction
from rollcall.systems.check.verified import Round, Verified
from rollcall.systems.interfaces import Retriever, asked

_QUESTIONS = 50
"""As many give a stable choice, and more would take longer than many runs."""


def tuned_gain(reader: Verified, retriever: Retriever, questions: Sequence[Question], k: int) -> float:
    """The gain that gives the best answers to some questions; 0 if there are none."""
    chosen = questions[:: max(1, len(questions) // _QUESTIONS)][:_QUESTIONS]
    if not chosen:
        return 0.0
    asking = [asked(one) for one in chosen]
    traces = reader.traced(asking, retriever.retrieve(asking, k))
    return best_gain(traces, [_scores(*one) for one in zip(chosen, traces, strict=True)])


def best_gain(traces: Sequence[Sequence[Round]], scores: Sequence[Sequence[float]]) -> float:
    """The gain with the best mean score; `scores` are those of each question after each of its rounds."""
    gains = {0.0, *(len(one.confirmed) / one.read for rounds in traces for one in rounds if one.read)}

    def mean(gain: float) -> float:
        return sum(score[stop(rounds, gain)] for rounds, score in zip(traces, scores, strict=True))

    return max(gains, key=lambda gain: (round(mean(gain), 9), gain))


def stop(rounds: Sequence[Round], gain: float) -> int:
    """The last round that is read with this gain."""
    return next((place for place, one in enumerate(rounds) if not one.pays(gain)), len(rounds) - 1)


def _scores(question: Question, rounds: Sequence[Round]) -> list[float]:
    """F1 after each round."""
    from rollcall.score import score

    given = accumulate((one.confirmed for one in rounds), lambda before, new: [*before, *new])
    return [
        score([question], [Prediction(question.id, answers)], measures="F1", confidence=None)["F1"].value
        or 0.0
        for answers in given
    ]
