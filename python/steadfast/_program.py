"""Where the program is."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


def find_program() -> str:
    """The path of the program that was installed with this package.

    It is looked for where an installer puts scripts: in this environment, in the user's own, and beside a folder that `pip install --target`
    filled. Raises ``FileNotFoundError`` where it is in none of them. A program of that name elsewhere on the PATH may be another version, so
    it is not taken.
    """
    name = "steadfast" + (sysconfig.get_config_var("EXE") or "")
    user = sysconfig.get_preferred_scheme("user") if sys.version_info >= (3, 10) else f"{os.name}_user"
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme=user),
        str(Path(__file__).resolve().parent.parent / "bin"),
    ]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"the program `{name}` of this package is in none of: {', '.join(folders)}")
