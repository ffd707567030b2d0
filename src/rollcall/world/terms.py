"""When a statement holds: the years in which a person played, taught, governed or was married."""

import numpy as np

from rollcall.world.chance import Numbers, key, word, words


def office_years(seed: int, numbers: Numbers, slot: int) -> tuple[Numbers, Numbers]:
    """First and last year of the present holder (slot 0) and earlier ones; 2024 means still in office."""
    start = 2017 + (words(key(seed, "office 0"), numbers) % np.uint64(6)).astype(np.int64)
    end = np.full(len(numbers), 2024, np.int64)
    for earlier in range(1, slot + 1):
        end = start
        start = start - 4 - (words(key(seed, f"office {earlier}"), numbers) % np.uint64(6)).astype(np.int64)
    return start, end


def office_years_of(seed: int, number: int, slot: int) -> tuple[int, int]:
    """`office_years` for one number."""
    start, end = 2017 + word(key(seed, "office 0"), number) % 6, 2024
    for earlier in range(1, slot + 1):
        end = start
        start = start - 4 - word(key(seed, f"office {earlier}"), number) % 6
    return start, end
