"""`rollcall world`: write a fictional world as dump files."""


def world() -> None:
    """Write a fictional world as dump files."""
