from __future__ import annotations

import base64
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.context import tokenizer as module
from redline.context.tokenizer import ENCODINGS, Estimator, RankTokenizer, Tokenizer, tokenizer

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def o200k() -> Tokenizer:
    found = tokenizer()
    assert found.name == "o200k_base"
    return found


def test_counts_are_those_of_the_published_encoding(o200k: Tokenizer) -> None:
    assert o200k.count("hello world 你好") == 4
    assert o200k.count("") == 0


def test_the_word_pattern_is_the_one_tiktoken_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    openai_public = pytest.importorskip("tiktoken_ext.openai_public")

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_args, **_kw: {})

    assert ENCODINGS["o200k_base"].pattern == openai_public.o200k_base()["pat_str"]


def test_special_tokens_in_a_text_are_text(o200k: Tokenizer) -> None:
    assert o200k.count("<|endoftext|>") > 1


@pytest.mark.parametrize("filler", [" ", "\n", " \t", "a", "中", "=", "1", "a\u0301", "😀"])
def test_a_million_of_anything_is_counted_and_does_not_panic(o200k: Tokenizer, filler: str) -> None:
    text = "before " + filler * (1_000_000 // len(filler)) + " after"

    assert 1_000 < o200k.count(text) <= len(text.encode())


def test_base64_text_is_counted_as_what_it_is_not_as_characters_over_four(
    o200k: Tokenizer,
) -> None:
    # A36: 1,046,118 characters of base64 in a text block
    noise = random.Random(36).randbytes(1_046_118 * 3 // 4)
    text = base64.b64encode(noise).decode()

    assert o200k.count(text) > 0.6 * len(text)
    assert Estimator().count(text) > 0.9 * len(text)


def test_lone_surrogates_are_counted(o200k: Tokenizer) -> None:
    assert o200k.count("a\ud800b") > 0
    assert Estimator().count("a\ud800b") > 0


def test_a_panic_of_the_encoder_becomes_an_estimate() -> None:
    class PanicException(BaseException):
        pass

    class Broken:
        def encode_ordinary(self, text: str) -> list[int]:
            raise PanicException

    assert RankTokenizer("broken", Broken()).count("x" * 40) == 10  # type: ignore[arg-type]


def test_an_interrupt_while_counting_is_not_swallowed() -> None:
    class Interrupted:
        def encode_ordinary(self, text: str) -> list[int]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        RankTokenizer("x", Interrupted()).count("x")  # type: ignore[arg-type]


def test_equal_texts_are_encoded_once_and_the_cache_stays_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    class Noting:
        def encode_ordinary(self, text: str) -> list[int]:
            seen.append(text)
            return [1, 2]

    monkeypatch.setattr(module, "CACHED", 10)
    counter = RankTokenizer("x", Noting())  # type: ignore[arg-type]

    assert [counter.count("same") for _ in range(3)] == [2, 2, 2]
    assert seen == ["same"]
    for number in range(100):
        counter.count(str(number))
    assert len(counter.counts) <= 10


def test_without_ranks_the_estimator_counts_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _name: None)
    monkeypatch.setattr(module, "LOADED", {})

    assert tokenizer().name == "estimate"


@pytest.mark.parametrize("content", [b"", b"not ranks at all", b"aGk= 0\n"])
def test_a_file_of_ranks_that_is_not_whole_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / ENCODINGS["o200k_base"].file).write_bytes(content)
    monkeypatch.setattr(module, "find_spec", lambda _name: None)
    monkeypatch.setattr(module, "LOADED", {})

    assert tokenizer(environment={"TIKTOKEN_CACHE_DIR": str(tmp_path)}).name == "estimate"


def test_ranks_in_another_folder_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = find_spec("litellm")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    monkeypatch.setattr(module, "find_spec", lambda _name: None)
    monkeypatch.setattr(module, "LOADED", {})

    found = tokenizer("cl100k_base", {"TIKTOKEN_CACHE_DIR": str(folder)})

    assert found.name == "cl100k_base"
    assert found.count("hello world") == 2


def test_counting_imports_no_litellm_opens_no_socket_and_sets_no_variable() -> None:
    program = """
import os, sys
before = dict(os.environ)
def hook(event, args):
    assert not event.startswith("socket."), event
sys.addaudithook(hook)
from redline.context.tokenizer import tokenizer
assert "tiktoken" not in sys.modules
print(tokenizer().count("hello world"))
assert "litellm" not in sys.modules
assert dict(os.environ) == before
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT / "tui")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("2\n", 0), done.stderr


def test_the_estimator_weighs_chinese_by_bytes_and_json_by_characters() -> None:
    assert Estimator().count("规则" * 10) == 15
    assert Estimator().count('{"a": 1}' * 4) == 10
    assert Estimator().count("plain words") == 3


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=3_000) | st.text(alphabet=" \na中{", min_size=900, max_size=6_000))
def test_splitting_long_runs_changes_a_count_by_little(text: str) -> None:
    pieces = list(module.pieces(text))

    assert "".join(pieces) == text
    whole = tokenizer().count(text)
    assert 0 <= whole <= 2 * len(text.encode("utf-8", "surrogatepass")) + len(pieces)
