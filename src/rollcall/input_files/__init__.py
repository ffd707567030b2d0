"""What reading any dump needs: blocks of lines, worker processes, a record of bad entries, resuming.

`FileHead` and `Tally` are what a graph or text source of your own receives.
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.input_files.file_source import FileHead as FileHead
    from rollcall.input_files.input_file import Tally as Tally

_HOMES = {"FileHead": "file_source", "Tally": "input_file"}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
