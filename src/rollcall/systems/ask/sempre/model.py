"""What `sempre` has learned: the weights of features, and the words that went with relations."""

from rollcall.systems.ask.learned.alignment import Table
from rollcall.systems.ask.learned.stored_model import StoredModel


class SempreModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "sempre.json"
    alignment: Table
    beam: int
