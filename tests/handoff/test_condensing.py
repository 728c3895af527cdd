from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.handoff.condensing import tight


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Please don't edit the generated clients.", "don't edit generated clients"),
        ("stop touching package-lock.json, I'll regenerate it", "stop touching package-lock.json"),
        ("The API is frozen because it is used by partners", "API is frozen"),
        ("minor, this is a big change", "minor, this is big change"),
        ("use the `the --a flag`", "use `the --a flag`"),
    ],
)
def test_fillers_articles_and_bare_reasons_go(text: str, short: str) -> None:
    assert tight(text) == short


@pytest.mark.parametrize(
    "text",
    [
        "secrets must come from Vault, never hard-code them",
        "runs on Python 3.9, it cannot be upgraded",
        "wait for my go before running terraform apply",
        "review goes to Henrik, that is Olga's wish",
        "不准删 backup/2025",
    ],
)
def test_what_forbids_limits_or_names_stays(text: str) -> None:
    assert tight(text) == text


@given(st.text(max_size=200))
def test_no_name_number_or_negation_is_lost(text: str) -> None:
    short = tight(text)
    assert len(short) <= len(" ".join(text.split()))
    for word in re.findall(r"\b(?:not|never|no|must|only)\b|\d+", text.lower()):
        assert word in short.lower()
