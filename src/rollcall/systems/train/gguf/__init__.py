"""Language models in the form of llama.cpp (GGUF), as trainable networks with ordinary numbers.

transformers reads the format too, with a package that not every machine has; this reader needs numpy alone,
and is used everywhere, so that a checkpoint means the same weights on each machine.
"""
