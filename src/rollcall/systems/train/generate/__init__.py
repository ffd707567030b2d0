"""Networks that write lists of answers: what they are given, what they write, and how they are computed.

One `Generator` serves every system that writes answers: it reads one or many pieces of text side by side and
writes one list. Encoder–decoders and causal language models are two kinds of it.
"""
