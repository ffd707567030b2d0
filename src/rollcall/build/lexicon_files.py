"""The keys of a recipe that name lexicon files, for every pipeline.

Apart from what reads them (`rollcall.build.lexicon`), so that stages that word nothing do not depend on the
code of wording.
"""

import msgspec

from rollcall.build.declaring import FileName


class LexiconFiles(msgspec.Struct, frozen=True):
    """Lexicon files of the user's own."""

    lexicon: list[FileName] = []
    """Further files of entries, each a YAML file as the packaged ones."""
