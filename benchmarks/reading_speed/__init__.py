"""How fast systems learn and read: `benchmarks/bench_reading.py` runs it.

`passages` and `networks` are what is read and what reads, both random; `generator`, `lists` and `encoders`
run each system on them; `timing` measures it, by the work that `model_flops` counts.
"""
