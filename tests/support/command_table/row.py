"""One row of the table: a way to call a command, and what holds of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Arguments = Callable[[Path, Path], list[str]]


@dataclass(frozen=True)
class Command:
    """One way to call one command."""

    name: str
    """The command as it is registered."""
    arguments: Arguments
    """The words after `rollcall`, from the folder of inputs and the folder for outputs."""
    writes: tuple[str, ...] = ()
    """The files and folders that it leaves in the output folder; none where it only prints."""
    reads: tuple[str, ...] = ()
    """The files and folders that it reads from the input folder."""
    variant: str = ""
    """Tells several rows of one command apart."""
    keeps: tuple[str, ...] = ()
    """What it keeps in the output folder for the next call, as patterns; the bytes of that may differ."""
    jobs: str = ""
    """Its option for the number of processes, where there is one; `arguments` leaves it out."""
    older: tuple[str, ...] | None = None
    """Further words that make it write something else to the same place, with `INPUTS` for the folder of
    inputs; None where it would refuse to."""
    foreign: bool = False
    """Whether it takes a folder that holds other files too, and leaves those alone; otherwise it refuses."""
    grows: bool = False
    """Whether a killed call leaves what the next one goes on with; otherwise what was there before stands."""
    timed: bool = False
    """Whether it prints how long things took."""
    slow: bool = False
    """Whether it takes many seconds: then only the longer rounds of checks call it."""

    def __str__(self) -> str:
        return f"{self.name}-{self.variant}" if self.variant else self.name

    def words(self, inputs: Path, out: Path, jobs: int = 1, older: bool = False) -> list[str]:
        """The whole command line for so many processes; with `older`, of what is to be replaced later."""
        words = self.arguments(inputs, out)
        if self.jobs:
            words = [*words, self.jobs, str(jobs)]
        further = [word.replace("INPUTS", str(inputs)) for word in self.older or ()]
        return [*words, *further] if older else words
