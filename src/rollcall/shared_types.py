"""Types that several threads decode.

msgspec completes what it knows of a Struct when the type is first decoded. Two threads that do this at once
end the whole process by a segmentation fault (seen with msgspec 0.22, in a server whose first requests came
together), so types are completed before threads begin.
"""

import threading
from contextlib import suppress

import msgspec

_turn = threading.Lock()
_completed: set[type[msgspec.Struct]] = set()


def complete_types() -> None:
    """Complete every Struct that is loaded; whoever starts threads calls this first, and a thread that
    imports further modules calls it after that.
    """
    with _turn:
        waiting = [msgspec.Struct]
        while waiting:
            for kind in waiting.pop().__subclasses__():
                waiting.append(kind)
                if kind not in _completed:
                    with suppress(TypeError, NameError):  # of a type that is never decoded
                        msgspec.json.Decoder(kind)
                    _completed.add(kind)
