"""Questions of a training, read once: what is recognised in each, and its right answers."""

from collections.abc import Sequence

from rollcall.graph import Graph
from rollcall.progress import Progress
from rollcall.systems.ask.learned.alignment import Lesson
from rollcall.systems.ask.learned.gold import Gold
from rollcall.systems.ask.reading import QuestionReader
from rollcall.systems.train.exercise import Exercise


def lessons_of(
    graph: Graph, reader: QuestionReader, exercises: Sequence[Exercise], progress: bool | None = None
) -> list[Lesson]:
    """One lesson for each exercise, in their order."""
    found = []
    with Progress("questions read", len(exercises), count=True, show=progress) as bar:
        for one in exercises:
            gold = Gold(graph.index, one.answers)
            found.append(Lesson(one.id, reader.read(one.question), gold, one.cluster or one.id))
            bar.advance(1)
    return found
