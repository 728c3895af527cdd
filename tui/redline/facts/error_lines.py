"""Error lines of a tool's output: the lines a person would quote."""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST = 400  # characters of one line that are kept
MOST = 8  # lines of one result
_SCANNED = 400_000  # characters of one result that are looked at: its start and its end
_HINT = re.compile(
    r"error|fail|panic|traceback|fatal|exception|not ok|cannot|denied|not found|no such|invalid"
    r"|unable|abort|refused|timed? ?out|undefined|unexpected|错误|失败|异常|无法|^E   ",
    re.I | re.M,
)
# Well-known forms of compilers, test runners and package managers: errors wherever they stand.
_KNOWN = re.compile(
    r"^\s*(?:"
    r"(?P<test>FAILED \S+::\S+.*|ERROR \S+\.py(?:::\S+)?.*|--- FAIL: \S+.*|FAIL\s+\S+.*|not ok \d+.*)"
    r"|E   \S.*"
    r"|error(?:\[E?\d+\])?: .+"
    r"|(?:\S+: )?fatal(?: error)?: .+"
    r"|npm (?:ERR!|error) .+"
    r"|thread '[^']*' .*panicked at.*|panic: .+"
    r"|\S+[(:]\d+[,:]\d+\)?:? (?:- )?error.*"
    r"|\S+:\d+: error: .+"
    r"|(?:[A-Za-z_][\w.]*)?(?:Error|Exception)(?:: .*|$)"
    r"|.{0,200}\berror TS\d+:.*"
    r"|\*\* \(\w+(?:\.\w+)*\) .+"
    r"|(?:\S+: )?\d+ errors? (?:found|generated)\b.*"
    r")\s*$"
)
_COUNTED = re.compile(
    r"^\W*(?:Tests?:?\s+)?.{0,80}\b[1-9]\d* (?:failed|failures?|failing)\b.{0,120}$|^# fail [1-9]\d*$",
    re.I,
)
_LOOSE = re.compile(
    r"\berrors?\b|\bfailed\b|\bfailure\b|\bfatal\b|\bexception\b|\bcannot\b|\bcan't\b|\bcould not\b"
    r"|\bdenied\b|not found|no such file|\binvalid\b|\bunable to\b|\brefused\b|timed out|\bunknown\b"
    r"|\bunexpected\b|\bnot allowed\b|\brejected\b|错误|失败|异常|无法",
    re.I,
)
_PASSED = re.compile(
    r"\b0 (?:failures?|failed|failing|errors?)\b|\b[1-9]\d* (?:passed|passing)\b|^# fail 0$|^OK\b"
    r"|\ball (?:checks|tests|files|specs)(?: have)? pass|^BUILD SUCCESS|^ok\s+\S+",
    re.I | re.M,
)
_END = 3_000
_HARMLESS = re.compile(
    r"\b(?:0|no) (?:errors?|failed|failures?)\b|\berror[- _]?(?:handling|handler|message|boundary"
    r"|page|log|code|class|type)s?\b|^\s*at .+:\d+|^\s*(?:✓|✔|PASS|ok)\b|warnings? treated",
    re.I,
)
_NOISE = re.compile(
    r"^\s*(?:Exit code:? -?\d+|Command exited with code -?\d+|\(no output\)|Command aborted"
    r"|Traceback \(most recent call last\):|Waiting for the debugger.*|Debugger attached\."
    r"|npm ERR! *|npm error *|npm (?:ERR!|error) (?:A complete log|Lifecycle script|code |path |errno "
    r"|command |workspace |location |in workspace).*|[-=_~*^\s|│┃━─]*)\s*$"
)
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_TAGS = re.compile(r"</?(?:tool_use_error|error)>")
_TEST = re.compile(r"(?:FAILED|ERROR) (\S+::\S+)|--- FAIL: (\S+)")


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
        or _pick(output, lambda line: bool(_LOOSE.search(line) and not _HARMLESS.search(line)))
        or _pick(output, lambda line: bool(_COUNTED.match(line)))
        or _last(output)
    )


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
        if not _NOISE.match(line[:LONGEST]):
            return [line.strip()[:LONGEST]]
    return []
