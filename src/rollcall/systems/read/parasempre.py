"""`parasempre`: answers by the query that paraphrases a question best (`rollcall train parasempre`)."""

from pathlib import Path

from rollcall.graph import Graph
from rollcall.systems.read import READERS
from rollcall.systems.read.interpreting import Interpreter, InterpretingReader


@READERS.register("parasempre")
class ParasempreReader(InterpretingReader):
    """A trained ranking of candidate queries said in English; answers from the graph alone."""

    name = "parasempre"

    @classmethod
    def interpreter(cls, graph: Graph, folder: Path) -> Interpreter:
        from rollcall.systems.ask.parasempre.interpreter import ParasempreInterpreter
        from rollcall.systems.ask.parasempre.model import ParasempreModel

        return ParasempreInterpreter(graph, ParasempreModel.open(folder))
