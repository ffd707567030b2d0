"""The exception for every user error: what is wrong, where, and what to do, in one line.

The command line prints it and exits with code 2; any other exception is a bug in Rollcall. Input that looks
wrong but may be intended gives a warning, which the command line also prints in one line.
"""


class RollcallError(Exception):
    """A mistake in the input or the call; its text is one clear line for the user."""


class RollcallWarning(UserWarning):
    """Something in the input that may not be what the user expects; its text is one line."""
