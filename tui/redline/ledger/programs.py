"""The commands that the words of a rule name."""

from __future__ import annotations

import re

# Programs that a rule may name without saying that they are one.
PROGRAMS_WORDS = """
    rm git npm pnpm yarn bun pip pip3 uv poetry cargo docker docker-compose kubectl terraform helm
    sudo curl wget ssh scp rsync chmod chown dd mkfs shutdown reboot pkill killall python python3
    node npx brew apt apt-get gh glab psql mysql redis-cli sqlite3 alembic prisma rails rake
    django-admin systemctl aws gcloud az heroku vercel netlify sed awk perl grep mv cp eval bash zsh
    black prettier eslint ruff pytest jest vitest tox nox mvn gradle tsc biome mypy playwright
    cypress make go find cat kill source rustup pipx conda composer gem bundle ansible podman
    firebase wrangler deno pre-commit
    """
PROGRAMS = frozenset(PROGRAMS_WORDS.split())
# These are words of English too: a program only behind "run", "use" or in quotes.
_ENGLISH_WORDS = "make go find cat kill source black node rake gem bundle bun perl"
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_STOP_WORDS = """
    to on in for unless without until again ever yet here directly anymore by against command
    commands because since when while if from at with please on the this that these those my our
    your any it them is are as instead myself yourself before after inside under into anything
    everything stuff something files folders
"""
_STOP = frozenset(_STOP_WORDS.split())
_LEAD = re.compile(r"[\s:*]*(?:(?:the|any|a|an|commands?|something like|命令)\s+)*[\s:*]*", re.I)
_QUOTED = re.compile(r"`{1,2}([^`\n]{1,300})`{1,2}|[\"“「']([^\"”」'\n]{1,300})[\"”」']")
_ALTERNATIVE = re.compile(r"\s*(?:[,，、]|\b(?:or|and|nor)\b|或者?|和)\s*(?:or\s+)?", re.I)
_SCRIPT = re.compile(r"(?:\./|[\w.-]+/)*[\w.-]+\.(?:sh|py|js|ts|rb|pl|bash)$|\./[\w./-]+$")
_HAN = re.compile(r"[\u3400-\u9fff].*")


def commands_named(text: str, *, sure: bool) -> tuple[tuple[str, ...], ...]:
    """The commands at the start of `text`, each in its words: alternatives, quoted or plain. `sure`
    says that "run" or "use" stands before them."""
    found: dict[tuple[str, ...], None] = {}
    at = _skip(text, 0)
    while at < len(text):
        quoted = _QUOTED.match(text, at)
        if quoted:
            words = tuple((quoted[1] or quoted[2]).split())
            end = quoted.end()
            good = bool(words) and (
                words[0] in PROGRAMS
                or words[0].startswith("-")
                or bool(_SCRIPT.match(words[0]))
                or (sure and len(words) > 1)
            )
        else:
            words, end = _plain(text, at)
            first = words[0] if words else ""
            good = bool(words) and (
                (first in PROGRAMS and (sure or first not in _ENGLISH))
                or re.fullmatch(r"--?[a-z][\w-]*", first) is not None
                or (sure and bool(_SCRIPT.match(first)))
            )
        if not good:
            break
        found[words] = None
        joint = _ALTERNATIVE.match(text, end)
        if joint is None or joint.end() == end:
            break
        at = _skip(text, joint.end())
    return tuple(found)


def _skip(text: str, at: int) -> int:
    match = _LEAD.match(text, at)
    return match.end() if match else at


def _plain(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """The words of a command that is not quoted, and where it ends."""
    words: list[str] = []
    for match in re.finditer(r"\S+", text[at:]):
        word = match.group()
        bare = _HAN.sub("", word).rstrip(",.;:!?，。；！？、)*")
        if bare.lower() in _STOP or bare.lower() in ("or", "and", "nor") or not bare:
            return tuple(words), at + match.start()
        words.append(bare)
        if bare != word:
            return tuple(words), at + match.start() + len(bare)
    return tuple(words), len(text)
