"""What the catalogue costs and what it finds, on a corpus made for it (see `corpus.py`).

Prints, beside a bare loop of orjson over the same lines: the cold index with its peak memory, when
the first results are there, the size of the cache, an unchanged refresh, the list, searches (every
needle, Chinese, frequent and rare words), and `redline search` and `redline sessions` as whole
processes. Run: `python benchmarks/catalogue.py [FOLDER]`; a corpus that is in FOLDER is taken.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

import orjson  # noqa: E402
from benchmarks.corpus import Corpus, make  # noqa: E402

from redline.catalogue.catalogue import Catalogue  # noqa: E402
from redline.catalogue.query import Query  # noqa: E402
from redline.catalogue.refresh import Phase, Progress, refresh  # noqa: E402
from redline.places import places  # noqa: E402

TIMES = 9
WORDS = ("错误", "误", "the", "error function", '"in the"', "fn_4242", "zx", "e", "nowhere_at_all")


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1_000


def told(name: str, values: list[float], target: str = "") -> None:
    middle, worst = statistics.median(values), max(values)
    print(f"{name:<44} median {middle:8.1f} ms   worst {worst:8.1f} ms   {target}")


def cold(environment: dict[str, str]) -> dict[str, Any]:
    """The whole index from nothing; run in a process of its own."""
    catalogue = Catalogue(places(environment).catalogue)
    reader = Catalogue(catalogue.file.path)
    began = time.perf_counter()
    listed = first = 0.0

    def progress(now: Progress) -> None:
        nonlocal listed, first
        if now.phase is Phase.TEXTS:
            listed = listed or time.perf_counter() - began
            if not first and reader.search(Query("the")).hits:
                first = time.perf_counter() - began

    done = refresh(catalogue, environment, progress=progress)
    took = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    return {"took": took, "listed": listed, "first": first, "peak": peak, "read": done.read}


def bare(environment: dict[str, str]) -> dict[str, Any]:
    """Every line decoded, and nothing else."""
    began = time.perf_counter()
    for path in Path(environment["HOME"]).rglob("*.jsonl"):
        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    return {"took": time.perf_counter() - began, "peak": peak}


def beside(what: str, environment: dict[str, str]) -> dict[str, Any]:
    """The answer of `cold` or `bare` from a process of its own."""
    command = [sys.executable, __file__, f"--{what}", json.dumps(environment)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def commands(environment: dict[str, str], needle: str) -> None:
    """`redline` as a person starts it."""
    for words in (["search", needle], ["sessions"]):
        command = [sys.executable, "-m", "redline", *words]
        process = {**os.environ, **environment, "PYTHONPATH": str(ROOT / "tui")}

        def run(command: list[str] = command, process: dict[str, str] = process) -> None:
            subprocess.run(command, env=process, check=True, capture_output=True)

        run()
        told(f"redline {words[0]}, whole process", [milliseconds(run) for _ in range(TIMES)])


def measure(corpus: Corpus) -> None:
    environment = corpus.environment
    shutil.rmtree(places(environment).cache, ignore_errors=True)
    share = corpus.text_bytes / corpus.bytes
    print(f"{len(corpus.planted)} sessions, {corpus.bytes / 1e6:.0f} MB, {share:.0%} of it text")
    loop = beside("bare", environment)
    print(
        f"{'the bare loop, orjson over all lines':<44} {loop['took']:.2f} s, {loop['peak']:.0f} MB"
    )
    made = beside("cold", environment)
    print(
        f"{'cold index':<44} {made['took']:.2f} s, peak {made['peak']:.0f} MB; the list after"
        f" {made['listed']:.2f} s, first results after {made['first']:.2f} s   target 10 s, 300 MB"
    )
    catalogue = Catalogue(places(environment).catalogue)
    print(f"{'the cache':<44} {catalogue.standing().size / 1e6:.0f} MB")
    unchanged = [milliseconds(lambda: refresh(catalogue, environment)) for _ in range(TIMES)]
    told("refresh, nothing changed", unchanged, "target 50")
    told("the list, from the cache", [milliseconds(catalogue.sessions) for _ in range(TIMES)])
    found, took = 0, []
    for planted in corpus.planted:
        query = Query(planted.needle)
        took.append(milliseconds(lambda query=query: catalogue.search(query)))  # type: ignore[misc]
        hits = catalogue.search(query).hits
        found += [hit.info.id for hit in hits] == [planted.session]
    told(f"needles, {found} of {len(corpus.planted)} found", took, "target 30, all found")
    for words in WORDS:
        answer = catalogue.search(Query(words))
        many = f"{len(answer.hits)}{'' if answer.complete else ' and more'} places"
        searched = [milliseconds(lambda w=words: catalogue.search(Query(w))) for _ in range(TIMES)]  # type: ignore[misc]
        told(f"search {words}", searched, many)
    commands(environment, corpus.planted[-1].needle)


def main(words: list[str]) -> None:
    if words[:1] == ["--cold"]:
        print(json.dumps(cold(json.loads(words[1]))))
    elif words[:1] == ["--bare"]:
        print(json.dumps(bare(json.loads(words[1]))))
    elif words:
        kept = Path(words[0]) / "corpus.pickle"
        if not kept.exists():
            made = make(Path(words[0]))
            kept.write_bytes(pickle.dumps(made))
        measure(pickle.loads(kept.read_bytes()))
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(make(Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
