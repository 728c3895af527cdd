"""Commands that prove something: the last run of every test, build and lint."""

from __future__ import annotations

import re

from redline.facts.fact import CommandFact, Facts

_CHARS = 400  # a longer command is a script, whose status says little
_RUNNER = (
    r"npm|pnpm|yarn|bun|deno|cargo|go|make|just|mise|task|dotnet|mvn|gradle|\./gradlew|bazel|swift|"
    r"mix|rake|composer|zig|hatch|pdm|rye|nx|turbo"
)
_TOOL = (
    r"pytest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|ruff|mypy|pyright|eslint|biome|tsc|"
    r"flake8|pylint|golangci-lint|shellcheck|playwright|unittest"
)
_TASK = r"tests?|build|lint|check|typecheck|type-check|vet|clippy|verify|ci|e2e|tsc"
_CHECK = re.compile(
    rf"(?:^|&&|;|\|\|)\s*(?:\w+=\S+\s+|(?:uv|poetry|pipenv|hatch|pdm)\s+run\s+|npx\s+|bunx\s+|time\s+|"
    rf"(?:\S*/)?python[\d.]*\s+-m\s+|bundle\s+exec\s+)*"
    rf"(?:(?:\S*/)?(?:{_TOOL})(?![\w-])|(?:{_RUNNER})\s+(?:run\s+|-\S+\s+)*[\w-]*:?(?:{_TASK})\b)"
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
# After these the status is of something else than the check.
_HIDES = re.compile(r"\||;|(?<![>&\d])&(?![&>\d])|\n")


# How much a check prints does not make it another one.
_LOUDNESS = re.compile(r"\s+(?:-[qvs]+|--(?:quiet|verbose)|2>&1)(?=\s|$)")


def last_checks(facts: Facts) -> list[CommandFact]:
    """The last run of every check, in order."""
    last: dict[str, CommandFact] = {}
    for command in facts.commands:
        if len(command.command) <= _CHARS and _CHECK.search(command.command):
            key = " ".join(_LOUDNESS.sub("", command.command).split())
            last.pop(key, None)
            last[key] = command
    return list(last.values())


def still_failing(facts: Facts) -> list[CommandFact]:
    """The checks whose last run failed, but for those of which all errors were resolved since (by
    a run that another command made)."""
    resolved = {error.command for error in facts.errors if error.resolved is not None}
    resolved -= {error.command for error in facts.open_errors}
    return [c for c in last_checks(facts) if c.failed and c.command.strip() not in resolved]


def proves(command: CommandFact) -> bool:
    """Whether the run shows that the check passed: its own status tells, and it is good."""
    hidden = _HIDES.search(_QUOTED.sub("''", command.command))
    return not command.failed and command.status in (0, None) and not hidden
