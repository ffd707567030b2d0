"""`sempre`: answers by the query that a trained grammar parses a question into (`rollcall train sempre`)."""

from pathlib import Path

from rollcall.systems.context import Context
from rollcall.systems.read import READERS
from rollcall.systems.read.interpreting import InterpretingOptions, InterpretingReader
from rollcall.systems.train.model_folder import read_about


@READERS.register("sempre")
class SempreReader(InterpretingReader):
    """A trained grammar and log-linear model; answers from the graph alone (`rollcall train sempre`)."""

    name = "sempre"

    @classmethod
    def open(cls, options: InterpretingOptions, context: Context) -> "SempreReader":
        from rollcall.systems.ask.sempre.interpreter import SempreInterpreter
        from rollcall.systems.ask.sempre.model import SempreModel

        read_about(options.model, cls.name)
        model = SempreModel.open(Path(options.model))
        return cls(context.graph, options, SempreInterpreter(context.graph, model))
