"""Feeds one target what reaches new code: ``python tests/fuzz/fuzz.py head FOLDER -max_total_time=60``.

What it learns is added to FOLDER, what breaks the target to ``crashes``, where the tests find it.
``fuzz.py head -merge=1 tests/fuzz/corpus/head FOLDER`` adds those of FOLDER that reach more to ``corpus``.
"""

import os
import sys
from pathlib import Path
from tempfile import gettempdir

import atheris

HERE = Path(__file__).parent
# Records in the user's cache would change what a target does, and are read again for each input.
os.environ["XDG_CACHE_HOME"] = str(Path(gettempdir(), "fuzz-cache"))
LIMITS = ("-max_len=4096", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1")

with atheris.instrument_imports(include=["sitemap_docs"]):
    sys.path.insert(0, str(HERE.parents[1]))
    from tests.fuzz.targets import TARGETS


def main() -> None:
    name, *arguments = sys.argv[1:]
    flags = [argument for argument in arguments if argument.startswith("-")]
    folders = [argument for argument in arguments if argument not in flags]
    corpus, crashes, words = (HERE / kind / name for kind in ("corpus", "crashes", "words"))
    for folder in (*folders, corpus, crashes):
        Path(folder).mkdir(parents=True, exist_ok=True)
    kept = [f"-artifact_prefix={crashes}/", *([f"-dict={words}"] if words.exists() else [])]
    atheris.Setup([sys.argv[0], *LIMITS, *kept, *flags, *folders, str(corpus)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
