"""The one exception a user's mistake becomes: what was wrong, where, and what to do, in one line.

The command line prints it and exits with 2; anything else that escapes is a bug of ours.
"""


class RollcallError(Exception):
    """A mistake in the input or the call; its text is one clear line for the user."""
