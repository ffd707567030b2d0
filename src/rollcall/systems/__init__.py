"""Systems: retrievers and readers that answer a question set and write a run.

Names are imported on first use, because every command imports this package and few need all of it.
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.systems.context import Context as Context
    from rollcall.systems.interfaces import AnswerCheck as AnswerCheck
    from rollcall.systems.interfaces import Answers as Answers
    from rollcall.systems.interfaces import Asked as Asked
    from rollcall.systems.interfaces import Offered as Offered
    from rollcall.systems.interfaces import Reader as Reader
    from rollcall.systems.interfaces import ReadingError as ReadingError
    from rollcall.systems.interfaces import Retriever as Retriever
    from rollcall.systems.opening import open_reader as open_reader
    from rollcall.systems.opening import open_retriever as open_retriever
    from rollcall.systems.options import RunOptions as RunOptions
    from rollcall.systems.options import TrainOptions as TrainOptions
    from rollcall.systems.retrieve.store import PassageStore as PassageStore

_HOMES = {
    "Context": "context",
    **dict.fromkeys(
        ("AnswerCheck", "Answers", "Asked", "Offered", "Reader", "ReadingError", "Retriever"), "interfaces"
    ),
    **dict.fromkeys(("open_reader", "open_retriever"), "opening"),
    **dict.fromkeys(("RunOptions", "TrainOptions"), "options"),
    "PassageStore": "retrieve.store",
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
