"""Prints how many made-up secrets are taken out, by own rules and by the library, and how fast.

    python benchmarks/redaction.py

The corpus (tests/redaction_corpus.py) has secrets of 70 kinds, and harmless texts that look like
some. Found: the whole secret is gone. By form: nothing beside it says what it is. Then the seconds
for 10 MB without a secret, and for hostile text that is read slowly where a rule is not linear;
and what building the library's rules takes, the first time ever and once they are kept compiled.
"""

from __future__ import annotations

import random
import string
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.redaction_corpus import Secret, harmless, secrets  # noqa: E402

from redline.redaction import redact  # noqa: E402
from redline.secrets.encoded_lines import encoded_lines  # noqa: E402
from redline.secrets.environment_files import environment_files  # noqa: E402
from redline.secrets.known_forms import known_forms, make_ready  # noqa: E402
from redline.secrets.named import named  # noqa: E402
from redline.secrets.prefixes import by_beginning  # noqa: E402
from redline.secrets.private_keys import private_keys  # noqa: E402
from redline.secrets.span import Span  # noqa: E402

SIZE = 10_000_000  # characters
TARGET = 1.0  # seconds for them


def main() -> None:
    print_building()
    make_ready()
    print_found()
    for name, text in texts():
        begin = time.perf_counter()
        redact(text)
        taken = time.perf_counter() - begin
        print(f"10 MB of {name:<22} {taken:6.2f} s (at most {TARGET:g} s)")


def print_building() -> None:
    """The library's rules compiled, then read from where they are kept."""
    from kingfisher_sdk import Rules, Scanner

    with tempfile.TemporaryDirectory() as folder:
        for state in ("the first time ever", "kept compiled"):
            begin = time.perf_counter()
            Scanner(Rules(cache_dir=folder))
            print(f"the library's rules, {state}: {time.perf_counter() - begin:.2f} s")


def print_found() -> None:
    """Recall on the secrets and what is taken of the harmless texts, by who looks."""
    made_up, plain = secrets(), harmless()
    by_form = [item for item in made_up if item.by_form]
    others = [item for item in made_up if not item.by_form]
    print(
        f"{len(made_up)} secrets of {len({i.kind for i in made_up})} kinds, {len(plain)} harmless"
    )
    ways: tuple[tuple[str, Callable[[str], list[Span]]], ...] = (
        ("own rules", _own),
        ("the library", lambda text: list(known_forms(text))),
        ("both", lambda text: [*_own(text), *known_forms(text)]),
    )
    for name, look in ways:
        form = sum(_covered(item, look(item.text)) for item in by_form)
        other = sum(_covered(item, look(item.text)) for item in others)
        taken = sum(bool(look(text)) for text in plain)
        print(
            f"    {name:<12} by form {form:3} of {len(by_form)}, by name or place {other:2} of "
            f"{len(others)}, harmless texts touched {taken}"
        )
    left = [item.kind for item in made_up if item.secret in redact(item.text).text]
    print(f"    left by redact: {', '.join(left) or 'none'}")


def texts() -> Iterator[tuple[str, str]]:
    """Texts of 10 MB: without a secret, then hostile ones."""
    draw = random.Random(20261130)
    code = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "tui").rglob("*.py")))
    commits = ("commit " + "".join(draw.choices("0123456789abcdef", k=40)) for _ in range(210_000))
    for name, text in (
        ("code", code),
        ("English", "The quick brown fox jumps over the lazy dog, says hello and is tested.\n"),
        ("Chinese", "这个文件不要动，测试要先跑一遍再说。\n"),
        ("commits", "\n".join(commits)),
        ("base64", "".join(draw.choices(string.ascii_letters + string.digits, k=SIZE))),
        ("password=", "password="),
        ("sk-", "sk-"),
        ("begun private keys", "-----BEGIN PRIVATE KEY-----\n"),
        ("wrapped base64", "Ab1" * 21 + "x\n"),
        ("escaped lines", "Ab1" * 21 + "x\\n"),
        ("settings", "KEY=1\n"),
    ):
        yield name, (text * (SIZE // len(text) + 1))[:SIZE]


def _own(text: str) -> list[Span]:
    lowered = text.lower()
    return [
        *by_beginning(text),
        *private_keys(text),
        *encoded_lines(text),
        *environment_files(text),
        *named(text, lowered),
    ]


def _covered(item: Secret, spans: list[Span]) -> bool:
    """Whether one span holds the secret whole, or all but a full stop at its end."""
    start = item.text.index(item.secret)
    end = start + len(item.secret)
    return any(span.start <= start and span.end >= end - 1 for span in spans)


if __name__ == "__main__":
    main()
