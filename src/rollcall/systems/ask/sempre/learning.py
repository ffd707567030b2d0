"""How `sempre` learns: it parses each question with the weights so far, and moves them towards right answers.

Which query a question asks is never told. Every parse is rewarded by the F1 of its answers.
"""

from collections.abc import Sequence

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.systems.ask.learned.adagrad import AdaGrad
from rollcall.systems.ask.learned.alignment import Alignment, Lesson
from rollcall.systems.ask.learned.lessons import lessons_of
from rollcall.systems.ask.learned.likelihood import gradient
from rollcall.systems.ask.learned.passes import PassPlan, learn_in_passes
from rollcall.systems.ask.learned.reading_graphs import GraphReading, Names
from rollcall.systems.ask.sempre.derivations import Derivation
from rollcall.systems.ask.sempre.ground import Asking, Ground
from rollcall.systems.ask.sempre.lexicon import RelationLexicon
from rollcall.systems.ask.sempre.model import SempreModel
from rollcall.systems.ask.sempre.parser import Parser
from rollcall.systems.train.exercise import Exercise


class SempreLearning:
    """Learns to parse questions about one graph."""

    def __init__(self, graph: Graph, names: Names, beam: int) -> None:
        self._graph, self._names, self._beam = graph, names, beam
        self._reading = GraphReading(graph, names)
        lexicon = RelationLexicon(self._reading.phrases)
        self._parser = Parser(Ground(graph, self._reading.hops, lexicon), beam)
        self._alignment = Alignment({})

    def learn(
        self, exercises: Sequence[Exercise], optimiser: AdaGrad, plan: PassPlan
    ) -> list[dict[str, float]]:
        """Learn from questions and their answers; the figures of each pass."""
        lessons = lessons_of(self._graph, self._reading.questions, exercises, plan.progress)
        self._alignment = Alignment.learned(lessons, self._reading.hops)
        history = learn_in_passes(plan, lessons, optimiser, lambda one: self._step(one, optimiser))
        if not optimiser.named():
            raise RollcallError(
                "no query that can be grown from the names in these questions gives a right answer, so"
                " nothing can be learned; is it the graph that they are about?"
            )
        return history

    def _step(self, lesson: Lesson, optimiser: AdaGrad) -> float | None:
        asking = Asking(lesson.reading, self._alignment.without(lesson.group), optimiser.named())
        parses = self._parser.parses(asking)
        rewards = np.array([reward(lesson, one) for one in parses])
        if not rewards.any():
            return None
        scores = np.array([one.score for one in parses])
        optimiser.step(gradient([one.features for one in parses], scores, rewards))
        return float(rewards[0])

    def model(self, optimiser: AdaGrad) -> SempreModel:
        """What was learned."""
        table = self._alignment.table(self._graph.index)
        return SempreModel(weights=optimiser.named(), alignment=table, names=self._names, beam=self._beam)

    def f1(self, exercises: Sequence[Exercise], optimiser: AdaGrad, progress: bool | None) -> float:
        """The mean F1 of the best parses of questions that were not learned from."""
        weights, total = optimiser.named(), 0.0
        for lesson in lessons_of(self._graph, self._reading.questions, exercises, progress):
            parses = self._parser.parses(Asking(lesson.reading, self._alignment.whole, weights))
            total += reward(lesson, parses[0]) if parses else 0.0
        return total / len(exercises)


def reward(lesson: Lesson, parse: Derivation) -> float:
    """The F1 of a parse's answers."""
    if parse.function == "count":
        return lesson.gold.reward_of_count(len(parse.terms))
    return lesson.gold.reward(parse.terms)
