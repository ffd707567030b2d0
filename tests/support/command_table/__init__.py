"""Every command of `rollcall` on small inputs: the one table from which all of them are checked.

A check that holds for every command (the same bytes for every hash seed, a kill, a second writer, a damaged
input) goes through `COMMANDS`; `whole_way/test_commands.py` fails where a registered command has no row
here. A row is called with two folders: `inputs`, made once by `prepare` and never written to, and `out`, an
empty folder of the check's own. All that the row's command writes lies in `out`, under the names in `writes`.
"""

from command_table.answering import ANSWERING
from command_table.building import BUILDING
from command_table.inputs import prepare as prepare
from command_table.installation import INSTALLATION
from command_table.row import Command as Command
from command_table.scoring import SCORING
from command_table.sets import SETS
from command_table.sources import SOURCES

COMMANDS = (*SOURCES, *BUILDING, *SETS, *ANSWERING, *SCORING, *INSTALLATION)
