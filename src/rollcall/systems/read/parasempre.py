"""`parasempre`: answers by the query that paraphrases a question best (`rollcall train parasempre`)."""

from pathlib import Path

from rollcall.systems.context import Context
from rollcall.systems.read import READERS
from rollcall.systems.read.interpreting import InterpretingOptions, InterpretingReader
from rollcall.systems.train.model_folder import read_about


@READERS.register("parasempre")
class ParasempreReader(InterpretingReader):
    """A trained ranking of candidate queries said in English; answers from the graph alone."""

    name = "parasempre"

    @classmethod
    def open(cls, options: InterpretingOptions, context: Context) -> "ParasempreReader":
        from rollcall.systems.ask.parasempre.interpreter import ParasempreInterpreter
        from rollcall.systems.ask.parasempre.model import ParasempreModel

        read_about(options.model, cls.name)
        model = ParasempreModel.open(Path(options.model))
        return cls(context.graph, options, ParasempreInterpreter(context.graph, model))
