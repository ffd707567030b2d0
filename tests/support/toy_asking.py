"""A toy graph of films and people, and questions about it in words that its relations do not have.

What "shot" and "funded" mean can be learned from answers alone: labels are `director` and `producer`. The
entities of the test are not in the questions of the training.
"""

from pathlib import Path

from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import parse_value
from rollcall.questions import Answer, Question

_FIRST = ("Amber", "Birch", "Cobalt", "Dusty", "Ember", "Frosty", "Golden", "Hazel")
_SECOND = ("Lantern", "Orchard", "Harbour", "Meadow")
_FILMS = [f"{first} {second}" for first in _FIRST for second in _SECOND]
_PEOPLE = [
    f"{first} {last}" for last in ("Varn", "Quell", "Ostby") for first in ("Ulla", "Petr", "Imre", "Saba")
]
_TOWNS = ["Tolm", "Grask", "Ivery", "Bodrin"]
_RELATIONS = {"P1": "director", "P2": "producer", "P3": "place of birth", "P4": "release date"}
_CLASSES = {"film": "Q1", "human": "Q2", "town": "Q3"}


def toy_asking_graph(folder: Path) -> Graph:
    """The graph, written to a folder."""
    facts = [
        *((film, "P1", _director(film)) for film in _FILMS),
        *((film, "P2", _producer(film)) for film in _FILMS),
    ]
    facts += [(person, "P3", _birthplace(person)) for person in _PEOPLE]
    return Graph.open(
        write_graph(
            folder,
            facts=[(_id(one), relation, _id(other)) for one, relation, other in facts],
            values=[(_id(film), "P4", parse_value(f"@{1950 + place}")) for place, film in enumerate(_FILMS)],
            types=[(_id(name), _CLASSES[kind]) for kind, names in _named().items() for name in names],
            entities=[
                *(EntityRecord(_id(name), name) for names in _named().values() for name in names),
                *(EntityRecord(id_, name) for name, id_ in _CLASSES.items()),
            ],
            relations=_RELATIONS,
        )
    )


def toy_questions(*, counts: bool = True) -> list[Question]:
    """Questions for training and test; `counts` adds those that ask for a number."""
    asked: list[tuple[str, str, list[str]]] = []
    for film in _FILMS:
        asked.append((film, f"Who shot {film}?", [_director(film)]))
        asked.append((film, f"Who funded {film}?", [_producer(film)]))
    for person in _PEOPLE:
        shot = [film for film in _FILMS if _director(film) == person]
        asked.append((person, f"What did {person} shoot?", shot))
        asked.append((person, f"What was funded by {person}?", [f for f in _FILMS if _producer(f) == person]))
        asked.append((person, f"In which town did {person} grow up?", [_birthplace(person)]))
        if counts:
            asked.append((person, f"How many films did {person} shoot?", [str(len(shot))]))
    known = {name: place for names in _named().values() for place, name in enumerate(names)}
    return [
        Question(
            f"q{number}",
            text,
            cluster=text,
            split="test" if known[about] % 4 == 3 else "train",
            answers=[Answer(one, None if one.isdigit() else _id(one)) for one in answers],
        )
        for number, (about, text, answers) in enumerate(asked)
    ]


def _named() -> dict[str, list[str]]:
    return {"film": _FILMS, "human": _PEOPLE, "town": _TOWNS}


def _director(film: str) -> str:
    return _PEOPLE[_FILMS.index(film) % len(_PEOPLE)]


def _producer(film: str) -> str:
    return _PEOPLE[(_FILMS.index(film) * 5 + 3) % len(_PEOPLE)]


def _birthplace(person: str) -> str:
    return _TOWNS[_PEOPLE.index(person) % len(_TOWNS)]


def _id(name: str) -> str:
    return f"X{name.replace(' ', '')}"
