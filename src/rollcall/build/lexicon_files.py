"""The keys of a recipe that name lexicon files, for every pipeline.

They are separate from the code that reads the files (`rollcall.build.lexicon`), so that stages without
wording do not depend on the code of wording.
"""

import msgspec

from rollcall.build.declaring import FileName


class LexiconFiles(msgspec.Struct, frozen=True):
    """The user's own lexicon files."""

    lexicon: FileName | list[FileName] = []
    """A file of entries, or several, in the YAML format of the packaged ones (`rollcall lexicon`)."""
