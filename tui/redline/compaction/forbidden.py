"""Whether a simple command is one that a rule forbids."""

from __future__ import annotations

import re
from functools import lru_cache

from redline.compaction.recent import is_test_run
from redline.facts.shell_words import UNKNOWN, Simple, simple_commands
from redline.ledger.bans import Act, CommandBan

_RUNNERS = frozenset(("npx", "bunx", "pnpx", "uvx"))
_RUN_BY = (("uv", "run"), ("poetry", "run"), ("pnpm", "exec"), ("yarn", "exec"), ("pipenv", "run"))
_SAME_FLAGS = {"--recursive": "r", "-R": "r", "--force": "f", "--verbose": "v", "--all": "a"}
_VALUED_GIT = ("-C", "-c", "--git-dir", "--work-tree", "--exec-path", "--namespace")
_DEPLOY = re.compile(
    r"(?:kubectl (?:apply|rollout|create|set)|terraform apply|tofu apply|helm (?:upgrade|install)"
    r"|(?:serverless|sls|wrangler|firebase|fly|flyctl|netlify|gcloud(?: \S+)*?|cdk|amplify|eb"
    r"|railway)"
    r"(?: \S+)*? (?:deploy|up)\b|vercel(?: (?:deploy|--prod)| *$)|pulumi up|ansible-playbook"
    r"|heroku(?: \S+)*? (?:push|release)|(?:npm|pnpm|yarn|bun)(?: run)? [\w:-]*deploy[\w:-]*"
    r"|(?:make|just|task) [\w:-]*deploy[\w-]*|docker stack deploy|git push (?:\S+ )*(?:heroku"
    r"|dokku)\b"
    r"|(?:\S*/)?deploy(?:\.\w+)?(?: |$)|(?:ba|z)?sh \S*deploy[\w.-]*)"
)
_PUBLISH = re.compile(
    r"(?:(?:npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|vsce|lerna|deno|jsr|dart pub|flutter pub)"
    r"(?: npm)? publish|twine upload|gem push|docker push|changeset publish)\b"
)
_RELEASE = re.compile(
    r"(?:gh release (?:create|upload|edit)|(?:npm|pnpm|yarn)(?: run)? [\w:-]*release[\w:-]*"
    r"|semantic-release|release-it|goreleaser|cargo release|standard-version|(?:make"
    r"|just) release)\b"
)
_INSTALL = re.compile(
    r"(?:npm (?:install|i|add)|(?:pnpm|yarn|bun|cargo|poetry|uv|deno|pdm) add|pnpm (?:i|install)"
    r"|bun (?:i|install)|(?:uv )?pip3? install|python3? -m pip install|go get|gem install"
    r"|composer require|(?:brew|apt|apt-get|dnf|yum|conda|snap|pipx|choco) install|apk add"
    r"|cargo install|dotnet add \S+ package)\b(?P<rest>.*)"
)
_FROM_FILE = re.compile(r"(?:^| )(?:-r|-e|--requirement|--editable|-c|\.)(?= |$)")
_MIGRATE = re.compile(
    r"(?:python3? )?(?:\S*manage\.py migrate|alembic (?:upgrade|downgrade)|flyway \S*migrate"
    r"|(?:bin/)?ra(?:ils|ke) db:(?:migrate|rollback)|prisma (?:migrate|db push)|knex migrate\S*"
    r"|(?:bundle exec )?rails db:migrate|sequelize(?:-cli)? db:migrate|typeorm migration:run"
    r"|diesel migration run|goose(?: \S+)* up|migrate(?: \S+)* up|dbmate (?:up|migrate)"
    r"|flask db upgrade"
    r"|php artisan migrate|drizzle-kit (?:migrate|push)|mix ecto\.migrate"
    r"|(?:npm|pnpm|yarn|bun)(?: run)? [\w:-]*migrat[\w:-]*|make [\w-]*migrat[\w-]*"
    r"|sqlx migrate run)\b"
)


def forbids(ban: CommandBan, simple: Simple, branch: str = "") -> bool:
    """Whether `ban` forbids `simple`, run while `branch` is checked out ("" is unknown). In doubt
    it does not."""
    if ban.act is Act.WORDS:
        return _is_that(ban.words, simple)
    words = _plain(simple.words)
    if not words:
        return False
    verb, rest = _git(words)
    line = " ".join(words)
    match ban.act:
        case Act.COMMIT:
            made = verb in ("commit", "cherry-pick", "revert") and not _dry(rest)
            return made and (not ban.targets or branch.lower() in ban.targets)
        case Act.RESET:
            return verb == "reset" and "--hard" in rest
        case Act.AMEND:
            return verb == "commit" and "--amend" in rest
        case Act.PUSH:
            return _pushes(verb, rest) and _to(rest, ban.targets)
        case Act.FORCE:
            forced = any(
                word in ("-f", "--force") or word.startswith(("--force-with-lease", "+"))
                for word in rest
            )
            return _pushes(verb, rest) and forced and _to(rest, ban.targets)
        case Act.MERGE:
            gh = words[:3] in (("gh", "pr", "merge"), ("glab", "mr", "merge"))
            return gh or (verb == "merge" and "--abort" not in rest)
        case Act.REBASE:
            ended = {"--abort", "--quit"}.intersection(rest)
            return (verb == "rebase" and not ended) or (verb == "pull" and "--rebase" in rest)
        case Act.TAG:
            return verb == "tag" and bool(_operands(rest)) and not {"-l", "--list"} & set(rest)
        case Act.STASH:
            return verb == "stash" and rest[:1] not in (("list",), ("show",))
        case Act.DEPLOY:
            return bool(_DEPLOY.match(line))
        case Act.PUBLISH:
            return bool(_PUBLISH.match(line)) and "--dry-run" not in words
        case Act.RELEASE:
            return bool(_RELEASE.match(line)) and "--dry-run" not in words
        case Act.INSTALL:
            return _installs(line, ban.targets)
        case Act.TESTS | Act.ALL_TESTS:
            return is_test_run(line) and (ban.act is Act.TESTS or not _narrowed(words))
        case Act.MIGRATE:
            return bool(_MIGRATE.match(line))


@lru_cache(maxsize=256)
def _parsed(words: tuple[str, ...]) -> tuple[str, ...]:
    found = simple_commands(" ".join(words)).commands
    through = found[0].through[:1] if found else ()
    return (*through, *found[0].words) if found else words


def _is_that(said: tuple[str, ...], simple: Simple) -> bool:
    """Whether `simple` is the command that was `said`, with what options and operands ever."""
    if said[0].startswith("-"):
        return set(said) <= set(simple.words[1:])
    wanted = _parsed(said)
    if wanted[0] in simple.through:
        return len(wanted) == 1 or _is_that(wanted[1:], Simple(simple.words))
    for words in dict.fromkeys((simple.words, _plain(simple.words))):
        if words and _same(wanted, words):
            return True
    script = wanted[0].removeprefix("./")
    return "/" in wanted[0] and any(word.removeprefix("./") == script for word in simple.words[:2])


def _same(wanted: tuple[str, ...], words: tuple[str, ...]) -> bool:
    program = words[0].rsplit("/", 1)[-1]
    if program != wanted[0].rsplit("/", 1)[-1]:
        return False
    if program == "git":
        words = ("git", *_git_words(words))
    flags, operands = _flags(words[1:]), _operands(words[1:])
    asked, named = _flags(wanted[1:]), _operands(wanted[1:])
    return asked <= flags and operands[: len(named)] == named


def _flags(words: tuple[str, ...]) -> frozenset[str]:
    found: set[str] = set()
    for word in words:
        if word in _SAME_FLAGS:
            found.add(_SAME_FLAGS[word])
        elif word.startswith("--"):
            found.add(word.partition("=")[0])
        elif word.startswith("-") and len(word) > 1:
            found.update(("r" if letter == "R" else letter) for letter in word[1:])
    return frozenset(found)


def _operands(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if not word.startswith("-"))


def _plain(words: tuple[str, ...]) -> tuple[str, ...]:
    """`words` without what only runs another program of the project."""
    if words and words[0] in _RUNNERS:
        return _without_flags(words[1:])
    if words[:2] in _RUN_BY:
        return _without_flags(words[2:])
    return words


def _without_flags(words: tuple[str, ...]) -> tuple[str, ...]:
    while words and words[0].startswith("-"):
        words = words[1:]
    return words


def _git_words(words: tuple[str, ...]) -> tuple[str, ...]:
    rest = words[1:]
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in _VALUED_GIT else rest[1:]
    return rest


def _git(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """git's subcommand with its words; "" where this is not git."""
    if words[0].rsplit("/", 1)[-1] != "git":
        return "", ()
    rest = _git_words(words)
    return (rest[0], rest[1:]) if rest else ("", ())


def _dry(rest: tuple[str, ...]) -> bool:
    return not {"--dry-run", "--abort", "--help", "--quit"}.isdisjoint(rest)


def _pushes(verb: str, rest: tuple[str, ...]) -> bool:
    return verb == "push" and not {"--dry-run", "-n", "--help"}.intersection(rest)


def _to(rest: tuple[str, ...], targets: frozenset[str]) -> bool:
    """Whether a push goes to one of `targets`; where it does not say, it is not known to."""
    if not targets:
        return True
    for operand in _operands(rest)[1:]:
        branch = operand.removeprefix("+").rpartition(":")[2].removeprefix("refs/heads/")
        if branch.lower() in targets:
            return True
    return "--all" in rest or "--mirror" in rest


def _installs(line: str, names: frozenset[str]) -> bool:
    match = _INSTALL.match(line)
    if match is None:
        return False
    rest = match["rest"]
    given = [word for word in rest.split() if not word.startswith("-")]
    if not given or _FROM_FILE.search(rest):
        return False  # what the project asks for anyway
    if not names:
        return True
    return any(re.split(r"[@=<>~\[]", word.lower())[0] in names for word in given)


def _narrowed(words: tuple[str, ...]) -> bool:
    """Whether a run of tests names which."""
    return any(
        word in ("-k", "-m", "-t", "--grep", "--filter", "-run")
        or "/" in word
        or "::" in word
        or re.search(r"\.(?:py|[jt]sx?|rb|go|rs|php)$", word)
        for word in words[1:]
        if UNKNOWN not in word
    )
