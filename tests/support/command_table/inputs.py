"""What the commands of the table read, made once."""

from pathlib import Path


def prepare(folder: Path) -> None:
    """Add to a folder with `world`, `graph` and `corpus` everything else that the commands read."""
    import json
    import random

    from msgspec.structs import replace

    from rollcall.questions import Prediction, QuestionSet, Run
    from rollcall.questions.exporting import export
    from world_questions import question_set

    questions = question_set(folder, limit=24)
    questions.save(folder / "set")
    export(questions, "qampari", folder / "published.jsonl")
    newer = [replace(one, answers=one.answers[1:] if place % 3 else one.answers) for place, one in
             enumerate(questions.questions[2:])]  # fmt: skip
    QuestionSet([*newer, replace(questions.questions[0], id="new", question="And who else?")]).save(
        folder / "newer"
    )
    further = [replace(one, id=f"further-{one.id}") for one in questions.questions[:3]]
    export(further, "qampari", folder / "further.jsonl")
    chance = random.Random(1)
    for name in ("one", "two"):
        said = [
            Prediction(one.id, [answer.label for answer in one.answers if chance.random() < 0.7])
            for one in questions
        ]
        Run(said).save(folder / f"{name}.jsonl")
    triples = [
        {"text": piece.text, "subject": answer.label, "relation": "is told of", "object": one.question}
        for one in QuestionSet.open(folder / "set").questions[:8]
        for answer in one.answers
        for piece in answer.evidence
    ]
    documents = folder / "documents"
    documents.mkdir()
    for number in range(6):
        (documents / f"{number}.md").write_text(
            f"# Page {number}\n\nIt is the page of {number}. It is short.\n"
        )
    (documents / "table.txt").write_text("A table\n\nIt stands on four legs, as most of them do.\n")
    (folder / "triples.jsonl").write_text("".join(json.dumps(one) + "\n" for one in triples))
