"""Error lines of a tool's output: the lines a person would quote."""

from __future__ import annotations

import re
from collections.abc import Callable

from redline.patterns import lazy

LONGEST = 400  # characters of one line that are kept
MOST = 8  # lines of one result
_SCANNED = 400_000  # characters of one result that are looked at: its start and its end
_HINT = lazy(
    r"error|fail|panic|traceback|fatal|exception|not ok|cannot|denied|not found|no such|invalid"
    r"|unable|abort|refused|timed? ?out|undefined|unexpected|错误|失败|异常|无法|^E   ",
    re.I | re.M,
)
# Well-known forms of compilers, test runners and package managers: errors wherever they stand.
_KNOWN = lazy(
    r"^\s*(?:"
    r"FAILED \S+::\S+.*|ERROR \S+\.py(?:::\S+)?.*|--- FAIL: \S+.*|FAIL\s+\S+.*|not ok \d+.*"
    r"|E   \S.*"
    r"|error(?:\[E?\d+\])?: .+"
    r"|(?:\S+: )?fatal(?: error)?: .+"
    r"|npm (?:ERR!|error) .+"
    r"|thread '[^']*' .*panicked at.*|panic: .+"
    r"|\S+[(:]\d+[,:]\d+\)?:? (?:- )?error.*"
    r"|\S+:\d+: error: .+"
    # file:line:column: as compilers and linters name a place
    r"|\S+\.[A-Za-z]{1,6}:\d+:\d+: (?!\s*(?:warning|warn|note|info|hint|help|remark)\b).*\w.*"
    r"|\W*\[[A-Z]\] [↑↗→↘↓] .+"
    r"|(?:[A-Za-z_][\w.]*)?(?:Error|Exception)(?:: .*|$)"
    r"|.{0,200}\berror TS\d+:.*"
    r"|\*\* \(\w+(?:\.\w+)*\) .+"
    r"|(?:\S+: )?\d+ errors? (?:found|generated)\b.*"
    r")\s*$"
)
_COUNTED = lazy(
    r"^\W*(?:Tests?:?\s+)?.{0,80}\b[1-9]\d* (?:failed|failures?|failing)\b.{0,120}$"
    r"|^# fail [1-9]\d*$",
    re.I,
)
_LOOSE = lazy(
    r"\berrors?\b|\bfailed\b|\bfailure\b|\bfatal\b|\bexception\b|\bcannot\b|\bcan't\b|\bcould not\b"
    r"|\b(?:not|un)[ -]?defined\b|\boutside\b|does(?: not|n't) exist|\bmissing\b|\bconflict\b"
    r"|\bunrecognized\b|\bignored by\b|\bunused\b|not formatted"
    r"|\bdenied\b|not found|no such file|\binvalid\b|\bunable to\b|\brefused\b|timed out"
    r"|\bunknown\b|\bunexpected\b|\bnot allowed\b|\brejected\b|错误|失败|异常|无法",
    re.I,
)
_PASSED = lazy(
    r"\b0 (?:failures?|failed|failing|errors?)\b|\b[1-9]\d* (?:passed|passing)\b|^# fail 0$|^OK\b"
    r"|\ball (?:checks|tests|files|specs)(?: have)? pass|^BUILD SUCCESS|^ok\s+\S+",
    re.I | re.M,
)
_END = 3_000
_HARMLESS = lazy(
    r"\b(?:0|no) (?:errors?|failed|failures?)\b|\berror[- _]?(?:handling|handler|message|boundary"
    r"|page|log|code|class|type)s?\b|^\s*at .+:\d+|^\s*(?:✓|✔|PASS|ok)\b"
    r"|\[?\bwarn(?:ing)?\b|^\s*>?\s*\d+ *[│|]",
    re.I,
)
_NOISE = lazy(
    r"^\s*(?:Exit code:? -?\d+|Command exited with code -?\d+|\(no output\)|Command aborted"
    r"|Traceback \(most recent call last\):|Waiting for the debugger.*|Debugger attached\."
    r"|npm (?:ERR!|error) *|npm (?:ERR!|error) (?:A complete log|Lifecycle script|code |path "
    r"|errno |command |workspace |location |in workspace).*|hint: .*|[-=_~*^\s|│┃━─]*)\s*$"
)
_ADVICE = lazy(r"\W*(?:(?:Use|Run|See|Try) [`'\"]|For more (?:information|details)|usage: )", re.I)
_JSON = lazy(r"\s*(?:\{.*|\[\s*[\[{\"].*|\"[^\"]*\"\s*:.*|.*[}\]],?)\s*")
_ESCAPES = lazy(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_TAGS = lazy(r"</?(?:tool_use_error|error)>")
_PLACE = lazy(r"(\.\w{1,5})(?:\(\d+,\d+\)|:\d+(?::\d+)?)")
_CHECK = lazy(
    r"(?:npx |pnpm |yarn |bun |bunx |npm (?:run )?)?(?P<node>tsc|tsgo|check|build|compile"
    r"|type-?check)\b|(?P<cargo>cargo (?:check|build|test|clippy))\b"
    r"|(?P<go>go (?:build|vet|test))\b"
    r"|(?P<python>(?:python3? -m )?(?:mypy|pyright))\b|(?P<mix>mix (?:compile|test))\b"
)
_TEST = lazy(r"(?:FAILED|ERROR) (\S+::\S+)|--- FAIL: (\S+)")


def known_errors(output: str) -> list[str]:
    """Lines in a well-known form; what is left to trust where a status says nothing. None where the
    output ends with a count of passed tests and no failed one."""
    if not _HINT.search(output):
        return []
    end = output[-_END:]
    if _PASSED.search(end) and not _pick(end, lambda line: bool(_COUNTED.match(line))):
        return []
    return _pick(output, lambda line: bool(_KNOWN.match(line) or _COUNTED.match(line)))


def error_lines(output: str) -> list[str]:
    """The lines that say why a result failed: well-known forms, or lines that speak of an error, or
    the last line there is. Empty where the result says nothing."""
    return (
        _pick(output, lambda line: bool(_KNOWN.match(line)))
        or _pick(output, lambda line: _speaks(line) and not _JSON.fullmatch(line))
        or _pick(output, _speaks)
        or _pick(output, lambda line: bool(_COUNTED.match(line)))
        or _last(output)
    )


def _speaks(line: str) -> bool:
    return bool(_LOOSE.search(line) and not _HARMLESS.search(line))


def first_line(output: str) -> list[str]:
    """The sentence in which a tool that is no shell says why it failed: one or none."""
    for line in output[:20_000].split("\n"):
        if not _NOISE.match(line[:LONGEST]):
            return [line.strip()[:LONGEST]]
    return []


def form_of(line: str) -> str:
    """`line` without the place in a file it names: the same for an error that moved."""
    return _PLACE.sub(r"\1", line)


def check_of(key: str) -> str | None:
    """The kind of check a command is ("node", "python", ...), None where it is none.

    One that passes shows that what another of its kind found in a file is gone.
    """
    match = _CHECK.match(key)
    return match.lastgroup if match else None


def test_of(line: str) -> str | None:
    """The id of the test that an error line names, None where it names none."""
    match = _TEST.match(line)
    return (match[1] or match[2]) if match else None


def clean(output: str) -> str:
    """`output` without escape sequences and the agent's own tags, at most its two ends."""
    if len(output) > _SCANNED:
        output = output[: _SCANNED // 2] + "\n" + output[-_SCANNED // 2 :]
    if "\x1b" in output:
        output = _ESCAPES.sub("", output)
    if "\r" in output:
        output = output.replace("\r\n", "\n").replace("\r", "\n")
    return _TAGS.sub("", output) if "</" in output else output


def _pick(output: str, wanted: Callable[[str], bool]) -> list[str]:
    found: dict[str, None] = {}
    for whole in output.split("\n"):
        line = whole[: 2 * LONGEST]
        if wanted(line) and not _NOISE.match(line):
            found[line.strip()[:LONGEST]] = None
            if len(found) == MOST:
                break
    return list(found)


def _last(output: str) -> list[str]:
    for line in reversed(output[-20_000:].split("\n")):
        if not _NOISE.match(line[:LONGEST]) and not _ADVICE.match(line):
            return [line.strip()[:LONGEST]]
    return []
