"""``python -m steadfast``: the program itself, in the place of this process."""

from __future__ import annotations

import os
import sys

from ._program import find_program


def main() -> None:
    program = find_program()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
