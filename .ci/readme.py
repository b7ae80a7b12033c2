"""Print the N-th shell block of a Markdown file, for the gate to run: `readme.py README.md 1`."""

import re
import sys
from pathlib import Path


def shell_blocks(text: str) -> list[str]:
    """What stands in the blocks fenced as `sh`, in their order."""
    return [
        block.strip() for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]


if __name__ == "__main__":
    print(shell_blocks(Path(sys.argv[1]).read_text(encoding="utf-8"))[int(sys.argv[2]) - 1])
