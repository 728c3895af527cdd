"""Keys and tokens that show by how they begin, whatever of the rest is there.

A session cuts long output at its head and tail, and a key that is cut off opens a door as soon as
somebody has the other half. The detector library judges whole keys only, so what begins like no
word does stands here again, with less asked of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.patterns import lazy
from redline.secrets.span import Span

# (how it begins, kind, what must follow). `++` never gives back.
_BEGINNINGS: tuple[tuple[str, str, str], ...] = (
    ("sk-ant-", "api key", r"[\w-]{6,}+"),
    ("sk-", "api key", r"(?=[\w-]{0,60}\d)[\w-]{20,}+"),
    ("gsk_", "api key", r"\w{16,}+"),
    ("xai-", "api key", r"(?=[\w-]{0,30}\d)[\w-]{20,}+"),
    ("pplx-", "api key", r"[\w-]{16,}+"),
    ("sk_live_", "api key", r"\w{8,}+"),
    ("sk_test_", "api key", r"\w{8,}+"),
    ("rk_live_", "api key", r"\w{8,}+"),
    ("rk_test_", "api key", r"\w{8,}+"),
    ("whsec_", "api key", r"[\w+/=]{16,}+"),
    ("ghp_", "token", r"\w{16,}+"),
    ("gho_", "token", r"\w{16,}+"),
    ("ghu_", "token", r"\w{16,}+"),
    ("ghs_", "token", r"\w{16,}+"),
    ("ghr_", "token", r"\w{16,}+"),
    ("github_pat_", "token", r"\w{16,}+"),
    ("glpat-", "token", r"[\w-]{16,}+"),
    ("npm_", "token", r"(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{24,}+"),
    ("pypi-AgE", "token", r"[\w-]{16,}+"),
    ("hf_", "token", r"[A-Za-z0-9]{24,}+"),
    ("xox", "token", r"[abeoprs]-[\w-]{8,}+"),
    ("xapp-", "token", r"(?=[\w-]{0,20}\d)[\w-]{16,}+"),
    ("hooks.slack.com/services/", "token", r"[\w/]{16,}+"),
    ("dop_v1_", "token", r"[a-f0-9]{24,}+"),
    ("dckr_pat_", "token", r"[\w-]{12,}+"),
    ("shpat_", "token", r"[a-f0-9]{16,}+"),
    ("tskey-", "token", r"[\w-]{16,}+"),
    ("pscale_", "token", r"(?:tkn|pw|oauth)_[\w.-]{16,}+"),
    ("nfp_", "token", r"[A-Za-z0-9]{24,}+"),
    ("CFPAT-", "token", r"[\w-]{24,}+"),
    ("ntn_", "token", r"[A-Za-z0-9]{24,}+"),
    ("NRAK-", "api key", r"[A-Z0-9]{16,}+"),
    ("SG.", "api key", r"[\w-]{16,64}\.[\w-]{16,}+"),
    ("GOCSPX-", "api key", r"[\w-]{16,}+"),
    ("ya29.", "token", r"[\w-]{16,}+"),
    ("AIza", "api key", r"[\w-]{24,}+"),
    ("AKIA", "access key", r"[A-Z0-9]{12,}+"),
    ("ASIA", "access key", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("key-", "api key", r"[a-f0-9]{32}(?![\w-])"),
    ("AGE-SECRET-KEY-1", "private key", r"[A-Z0-9]{16,}+"),
    ("b3BlbnNzaC1rZXktdjE", "private key", r"[\w+/=]{8,}+"),  # OpenSSH
    ("MC4CAQAwBQYDK2Vw", "private key", r"[\w+/=]{8,}+"),  # Ed25519, RFC 8410
    ("MIGHAgEAMBMGByqGSM49", "private key", r"[\w+/=]{8,}+"),  # P-256, RFC 5915
    ("MHcCAQEEI", "private key", r"[\w+/=]{8,}+"),
    ("eyJ", "token", r"[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+){0,3}"),
)
_PUBLIC = frozenset({"hooks.slack.com/services/"})  # stays: an address that everybody knows


def _compiled(begin: str, rest: str) -> re.Pattern[str]:
    """The literal first, which the engine searches fast; only then whether a word begins there (a
    line of text in JSON begins behind an escape)."""
    literal = re.escape(begin)
    at_start = "" if begin in _PUBLIC else rf"(?<=(?:(?<![\w-])|(?<=\\[nrt])){literal})"
    return lazy(rf"{literal}{at_start}(?P<rest>{rest})", re.ASCII)


_PATTERNS = tuple(
    (begin, kind, _compiled(begin, rest), "rest" if begin in _PUBLIC else 0)
    for begin, kind, rest in _BEGINNINGS
)
# What shows by its end or its middle: (that, kind, what stands before it and belongs to it, where
# the key begins). A bot's number before its token is no secret.
_ENDINGS: tuple[tuple[re.Pattern[str], str, re.Pattern[str], bool], ...] = (
    (lazy(r":AA[\w-]{30,}+", re.ASCII), "token", lazy(r"\d{8}$"), False),
    (
        lazy(r"-us\d{1,2}(?![\w-])", re.ASCII),
        "api key",
        lazy(r"(?:(?<![\w-])|(?<=\\[nrt]))[a-f0-9]{32}$", re.ASCII),
        True,
    ),
    (
        lazy(r"\.[\w-]{6}\.[\w-]{27,}+", re.ASCII),
        "token",
        lazy(r"(?:(?<![\w-])|(?<=\\[nrt]))[MNO][\w-]{23,27}$", re.ASCII),
        True,
    ),
)
_LONGEST_BEFORE = 34  # characters


def by_beginning(text: str) -> Iterator[Span]:
    """What begins as a key or token does, up to where its characters end."""
    for begin, kind, pattern, group in _PATTERNS:
        if begin in text:
            for match in pattern.finditer(text):
                yield Span(*match.span(group), kind)
    for ending, kind, before, together in _ENDINGS:
        for match in ending.finditer(text):
            start = match.start()
            if found := before.search(text[max(0, start - _LONGEST_BEFORE) : start]):
                length = len(found.group()) if together else -1
                yield Span(start - length, match.end(), kind)
