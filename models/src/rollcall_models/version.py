"""The version of the models; a file that is trained anew gets a new one, since scores change with it."""

__version__ = "0.3.0"
