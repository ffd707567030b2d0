"""What `parasempre` has learned: the weights of features, and the words that paraphrases have."""

from rollcall.systems.ask.learned.alignment import Table
from rollcall.systems.ask.learned.stored_model import StoredModel


class ParasempreModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "parasempre.json"
    association: Table
    candidates: int
    vectors: bool
