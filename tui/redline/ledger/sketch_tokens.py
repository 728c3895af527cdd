"""The tokens of a sentence as a session is read, and of what types of value each may be one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.ledger import claim_words as words
from redline.ledger import sketch_words as plain
from redline.ledger.alternatives import GROUPS, HAN
from redline.ledger.claim_tokens import VALUES, Token, concept, tokens
from redline.patterns import lazy

_PERSON_VERB = lazy(
    r"\s+(?:now |also |will |still |is now )?(?:owns?|reviews?|leads?|handles?|maintains?|manages?"
    r"|approves?|signs?|writes?|looks? after|takes? (?:care|over)|took over|is (?:on[- ]call"
    r"|responsible|in charge|the)|decides?|answers?|runs? the|merges?|coordinates?|hosts?|does"
    r"|has to|prepares?|checks?|presents?|translates?|moderates?|replaces?|replaced|is what we"
    r"|(?:is )?owner|review)\b"
)
_COUNTED = lazy(
    r" (?:at a time|each|(?!(?:is|are|was|has|in|on|at|to|for|and|or|of|with|from|by|moved|goes"
    r"|listens|runs|now)\b)[a-z]{2,})"
)
_BRANCH = lazy(r"\bbranch|\bprs?\b|\bpull request|\bmerge\b|分支", re.I)
_REGION = lazy(r"[a-z]{2,}-[a-z]+-\d[a-z]?$")
_ZONE = lazy(r"[A-Z][a-z]+/[A-Z][A-Za-z_]+$")
_MASK = lazy(r"[YyMDdHh]{1,4}(?:[-./:][YyMDdHhms]{1,4})+$")
_DOMAIN = lazy(
    r"(?:[\w-]+\.)+(?:com|org|net|io|dev|app|ai|cn|de|eu|co|us|uk|fr|example|local|internal|test"
    r"|cloud|info|lan)(?::\d+)?$"
)
_CONSTANT = lazy(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+$")
_TICKET = lazy(r"#?[A-Za-z]{1,12}-?\d+$|#\d+$")
# Of the words of closed groups those that mean something else where they are not used.
_COMMON = frozenset(
    """
    requests name date size price id created updated error info word render fly linear clerk nose
    rest basic cookies sessions offset trace team teams task just make page order light medium
    small large public private internal newest oldest
    """.split()  # noqa: SIM905
)
_USED = frozenset(
    """
    by with on to use uses using is are be in as via from like prefer = : 用 按 是 改用 换成 改成
    """.split()  # noqa: SIM905
)
_ADDRESSED = frozenset(("ask", "ping", "contact", "cc", "notify"))
_ALSO_PEOPLE = frozenset(("ava", "jasmine"))
_SPOKEN_TO = lazy(r"\b(?:talk|speak|write|report|listen)s? to $", re.I)
_TEAM = lazy(r" (?:team|squad|crew|guild)\b", re.I)
_OBJECT = lazy(r"\b(?:give|make|set|bump|raise|lower|grow|take|allow)\b[^,;]*$", re.I)
_HAN_PERSON = lazy(
    r"(?!小程序|老板|小时)[小老阿][王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁"
    r"魏薛叶余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙段雷钱汤尹黎易常武乔贺赖龚文]"
)
_EMOJI = lazy(r"(?<!\S):[a-z][\w-]*:?")
_COMMAND = lazy(
    r"(?:make|just|npm|pnpm|yarn|npx|cargo|go|python3?|pytest|uv|tox|nox|poetry|docker|gradle"
    r"|\./[\w./-]+"
    r"|bazel|mvn|rake|task|invoke|sh|bash|node|deno|bun|turbo|cmake|ninja|meson|hatch|pdm|composer"
    r"|bundle|rails|mix|dotnet|swift|gulp|grunt|nx|bin/\w+|scripts?/[\w./-]+)"
    r"(?: (?!\d|(?:now|instead|please|for|in|on|and|or|to|the|because|since|from|when|if|with"
    r"|by)\b)"
    r"[-\w./:=@]*\w){1,4}"
)
_RUN_BY = lazy(
    r"\b(?:with|through|via|using|uses?|run(?:s|ning)?|is|be|call|do|:|to|start|by)"
    r" ?[:`]? ?(?:now )?$",
    re.I,
)
_ISSUE = lazy(r"[A-Z]{2,12}-\d+\b")


def whole_tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`, a "#" with the word behind it, and a Chinese alternative as one."""
    waiting: Token | None = None
    skip = 0
    for token in tokens(text):
        if token.start < skip:
            continue
        if token.kind == "digits" and _counts(token, text):
            token = token._replace(kind="number")
        if waiting is not None and waiting.end == token.start and token.kind != "mark":
            token = Token("code", f"#{token.text}", f"#{token.key}", waiting.start, token.end)
            waiting = None
        if token.kind == "mark" and token.text == "#":
            waiting = token
            continue
        if token.text == ":" and (emoji := _EMOJI.match(text, token.start)):
            skip = emoji.end()
            yield Token("code", emoji[0], concept(emoji[0].strip(":").lower()), token.start, skip)
            continue
        if (
            token.kind in ("word", "path")
            and (command := _COMMAND.match(text, token.start))
            and _RUN_BY.search(text[: token.start])
        ):
            skip = command.end()
            yield Token("code", command[0], command[0].lower(), token.start, skip)
            continue
        if token.text[:2].isupper() and (issue := _ISSUE.match(text, token.start)):
            skip = issue.end()
            token = Token("digits", issue[0], issue[0].lower(), token.start, skip)
        if token.text[0] >= "\u3400" and (person := _HAN_PERSON.match(text, token.start)):
            skip = person.end()
            token = Token("word", person[0], person[0], token.start, skip)
        elif token.text[0] >= "\u3400":
            name = next((name for name in HAN if text.startswith(name, token.start)), None)
            if name is not None:
                skip = token.start + len(name)
                token = Token("word", name, name, token.start, skip)
        yield token


def _counts(token: Token, text: str) -> bool:
    """Whether a number behind a word is of what follows: "thumbnails 200 px"."""
    if not token.text.isdecimal():
        return False
    return bool(_COUNTED.match(text, token.end) or _OBJECT.search(text[: token.start]))


def types_of(token: Token, text: str, lead: str) -> Iterator[str]:
    lower = token.text.lower().strip("`\"'“”")
    if token.kind in VALUES:
        yield "amount"
        return
    if token.text != "go" and (lower not in _COMMON or lead in _USED):
        for group in GROUPS.get(lower, ()):
            yield f"one of {group}"
    if lower in words.LANGUAGES:
        yield "language"
    if token.kind == "path" and _ZONE.match(token.text):
        yield "one of zone"
    if _TICKET.match(lower) and "-" in lower and lower[0] != "v":
        yield "ticket"
    if token.kind == "path" and lower[0] not in "/~." and "." not in lower and _BRANCH.search(text):
        yield "one of branch"
    if token.kind == "code" and " " in lower:
        yield "command"
    elif token.kind in ("code", "url", "path", "ident", "digits", "flag") and lower not in GROUPS:
        yield "path" if "/" in lower else _form(token.text.strip("`\"'“”"))
    elif (
        token.kind == "word" and "-" in lower and lower not in words.CONCEPT and lower not in GROUPS
    ):
        yield _form(token.text)
    if lead in ("called", "named") and token.key not in plain.SOFT:
        yield "name"
    person = _is_person(token, text, lead)
    if person:
        yield "person"
    spoken_to = _SPOKEN_TO.search(text[: token.start]) is not None
    if token.kind in ("word", "ident") and not spoken_to and (token.start > 0 or person):
        mixed = token.text[0].isupper() and (person or (token.kind == "ident" and "_" not in lower))
        if mixed or (token.text.isupper() and 1 < len(lower) < 6):
            yield "proper"


def _form(name: str) -> str:
    """What a name is the name of, by how it is written."""
    if _MASK.match(name):
        return "mask"
    if _REGION.match(name):
        return "region"
    if _DOMAIN.match(name):
        return "host"
    return "constant" if _CONSTANT.match(name) else "name"


def _is_person(token: Token, text: str, lead: str) -> bool:
    if token.text[0] >= "\u3400":
        return _HAN_PERSON.fullmatch(token.text) is not None
    if token.kind != "word":
        return False
    if lead in _ADDRESSED and token.key not in plain.SOFT and token.key not in words.CONCEPT:
        return True
    if _TEAM.match(text, token.end) and token.key not in plain.SOFT:
        return True
    if not token.text[:1].isupper() or token.text.isupper():
        return False
    lower = token.text.lower()
    if lower in words.CONCEPT or lower in words.LANGUAGES or lower in GROUPS.keys() - _ALSO_PEOPLE:
        return False
    before = text[: token.start].rstrip()
    if before and before[-1] not in ".!?:;":
        return token.key not in plain.SOFT
    return token.key not in plain.SOFT and _PERSON_VERB.match(text, token.end) is not None
