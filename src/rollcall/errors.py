"""The one exception a user's mistake becomes: what was wrong, where, and what to do, in one line.

The command line prints it and exits with 2; anything else that escapes is a bug of ours. What looks odd and
may be meant is a warning instead, which the command line prints in one line, too.
"""


class RollcallError(Exception):
    """A mistake in the input or the call; its text is one clear line for the user."""


class RollcallWarning(UserWarning):
    """Something in the input that may not be what the user believes it to be; its text is one line."""
