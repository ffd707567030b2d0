"""Predictions that are right only because of added names, written to a file for people to judge.

Every line has a field for the judgement. If the file is written again, existing judgements are kept; their
counts are the paper's Table 5.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from rollcall.files import open_compressed, replacing
from rollcall.questions.question_set import QuestionSet, decode_lines
from rollcall.questions.record import AddedAlias, Answer, Question
from rollcall.questions.run import Run
from rollcall.score.columns import GoldSetting, gold_of, predicted
from rollcall.score.match import WRONG, Resolution
from rollcall.score.name_keys import name_key
from rollcall.score.pairing import pair
from rollcall.score.profile import Predicted, Profile

JUDGEMENTS = ("correct", "debatable", "wrong", "invalid")


class NewlyRight(msgspec.Struct):
    """One prediction that the added names made right; `judgement` is for a person to fill in."""

    id: str
    question: str
    prediction: str
    answer: str
    alias: AddedAlias | None
    judgement: str = ""


def newly_right(
    before: QuestionSet, after: QuestionSet, run: Run, profile: Profile, setting: GoldSetting = "complete"
) -> list[NewlyRight]:
    """Every prediction that is wrong under `before` and right under `after`."""
    expanded = {question.id: question for question in after}
    found = []
    for question, prediction in pair(before, run)[0]:
        said = predicted(prediction)
        wider = expanded.get(question.id)
        if wider is None or not said:
            continue
        gold = gold_of(wider, setting)
        # Counted, because two entities with the same name are two predictions.
        narrow = Counter(text for text, _ in _right(profile, question, gold_of(question, setting), said))
        for text, label in _right(profile, wider, gold, said):
            if narrow[text]:
                narrow[text] -= 1
            else:
                found.append(NewlyRight(question.id, question.question, text, label, _alias(gold, text)))
    return found


def _right(
    profile: Profile, question: Question, gold: Sequence[Answer], said: Iterable[Predicted]
) -> list[tuple[str, str]]:
    """Each right prediction with the label of the answer it names, repeated names included."""
    resolution: Resolution = profile.resolve(question, gold, list(said))
    right = [
        (text, resolution.gold[owner])
        for text, owner in zip(resolution.predictions, resolution.owners, strict=True)
        if owner != WRONG
    ]
    return right + [(text, "") for text in resolution.repeated]


def _alias(answers: Iterable[Answer], text: str) -> AddedAlias | None:
    """The added name that a prediction matched."""
    key = name_key(text)
    added = [alias for answer in answers for alias in answer.added]
    exact = (alias for alias in added if alias.text == text)
    return next(exact, None) or next((alias for alias in added if name_key(alias.text) == key), None)


def write_for_judging(found: list[NewlyRight], path: Path) -> Counter[str]:
    """Write the predictions, keep the judgements of an earlier file, and count all judgements."""
    with replacing(path) as partial:
        if path.exists():
            with open_compressed(path) as stream:
                known = decode_lines(stream.read(), msgspec.json.Decoder(NewlyRight), path)
            judged = {(one.id, one.prediction): one.judgement for one in known}
            for one in found:
                one.judgement = judged.get((one.id, one.prediction), "")
        partial.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in found))
    return Counter(one.judgement for one in found if one.judgement)
