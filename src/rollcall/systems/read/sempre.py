"""`sempre`: answers by the query that a trained grammar parses a question into (`rollcall train sempre`)."""

from pathlib import Path

from rollcall.graph import Graph
from rollcall.systems.read import READERS
from rollcall.systems.read.interpreting import Interpreter, InterpretingReader


@READERS.register("sempre")
class SempreReader(InterpretingReader):
    """A trained grammar and log-linear model; answers from the graph alone (`rollcall train sempre`)."""

    name = "sempre"

    @classmethod
    def interpreter(cls, graph: Graph, folder: Path) -> Interpreter:
        from rollcall.systems.ask.sempre.interpreter import SempreInterpreter
        from rollcall.systems.ask.sempre.model import SempreModel

        return SempreInterpreter(graph, SempreModel.open(folder))
