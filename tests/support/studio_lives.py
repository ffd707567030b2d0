"""A set about lives: who was born, who died and who studied where, with passages of several sentences.

Its questions share relations and places, as those of mined sets do, so wrong answers can be found among them.
"""

import random

from rollcall.questions import Answer, Evidence, QueryRecord, Question, QuestionSet

RELATIONS = {
    "P19": ("Who was born in {}?", "{} was born in {}."),
    "P20": ("Who died in {}?", "The life of {} ended in {}."),
    "P69": ("Who studied in {}?", "As a young person, {} took courses in {} for some years."),
}
PLACES = ("Kessen", "Orim", "Seldehafen", "Tarn", "Vell", "Brocken", "Adle", "Ruun")


def lives(people: int = 240, seed: int = 1) -> QuestionSet:
    """One question for each relation and place; every person has one place by each relation."""
    facts = life_facts(people, seed)
    questions = []
    for relation, (asked, told) in RELATIONS.items():
        for place in PLACES:
            found = [person for person in facts if facts[person][relation] == place]
            questions.append(
                Question(
                    f"{relation}-{place}",
                    asked.format(place),
                    kind="simple",
                    query=QueryRecord(f"{{?x {relation} {place}}}"),
                    characteristics={"answer_type": "human", "relations": [relation]},
                    split="test" if place < "R" else "train",
                    answers=[_answer(person, relation, place, told) for person in found],
                    provenance={"entities": [place]},
                )
            )
    return QuestionSet(questions, {})


def life_pages(people: int = 240, seed: int = 1) -> list[dict[str, str]]:
    """A page about every person, which tells all of it."""
    return [
        {
            "id": f"page{person}",
            "title": life_name(person),
            "text": " ".join(
                RELATIONS[relation][1].format(life_name(person), told[relation]) for relation in told
            ),
        }
        for person, told in life_facts(people, seed).items()
    ]


def life_facts(people: int = 240, seed: int = 1) -> dict[int, dict[str, str]]:
    """The places of every person, by relation."""
    numbers = random.Random(seed)
    return {person: {relation: numbers.choice(PLACES) for relation in RELATIONS} for person in range(people)}


def life_name(person: int) -> str:
    return f"{('Ana', 'Bo', 'Cem', 'Dina', 'Ela', 'Finn')[person % 6]} Nr{person:03}"


def _answer(person: int, relation: str, place: str, told: str) -> Answer:
    name = life_name(person)
    return Answer(
        name,
        f"H{person}",
        aliases=[f"N. {person}"] if person % 3 else [],
        evidence=[
            Evidence(
                told.format(name, place),
                f"page{person}__0",
                name,
                score=0.9,
                fact=f"H{person} {relation} {place}",
            )
        ],
    )
