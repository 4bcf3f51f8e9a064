"""`make hostile`: 2,000 hostile files, each below limits of memory and time.

python -m tests.hostile [COUNT [FIRST]]
"""

import sys
from tempfile import TemporaryDirectory

from tests.hostile.judge import failures, run

BATCH = 50


def main(count: int, first: int) -> int:
    """Runs so many cases from a number on; prints what fails, and 1 if anything does."""
    wrong = 0
    for start in range(first, first + count, BATCH):
        numbers = range(start, min(start + BATCH, first + count))
        with TemporaryDirectory() as folder:
            found = failures(run(folder, numbers))
        wrong += len(found)
        print(f"{numbers.stop - first} of {count}, {wrong} wrong", *found, sep="\n", flush=True)  # noqa: T201
    return int(wrong > 0)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*given, *(2000, 0)[len(given) :]))
