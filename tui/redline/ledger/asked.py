"""What a sentence asks for, in one form for all its wordings: "never touch vendor/", "vendor/ is
off limits".

Two sentences ask the same where nothing is left that differs: the same words in the same order, for
or against. A ban that does not open the sentence keeps its place among them: "use a, never b" is
not "never use a, always b". What is not known to mean the same counts as different, and so do the
two directions of a word that has them: "call a before b" is not "call b before a".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from redline.ledger.alternatives import GROUPS
from redline.ledger.claim_cues import negated
from redline.ledger.claim_tokens import NAMES, VALUES, Token, concept, tokens
from redline.ledger.claim_words import LANGUAGES
from redline.ledger.restating import restates
from redline.patterns import lazy

LONGEST = 400  # characters of a sentence that is read
_HAN = lazy("[\u3400-\u9fff]")
_SHORT_FORM = lazy(r"\b(?:can)(?=not\b)|n['’]t\b", re.I)
_AIMED = lazy(  # a duty, told as one
    r"\b(?:(?:do not|never) forget to|(?:please )?(?:make|be) sure (?:to|that you|you)"
    r"|ensure (?:that )?you|remember to|it is (?:important|essential|required|mandatory) to"
    r"|you are (?:required|expected|supposed) to"
    r"|(?:must|should|shall|ha(?:ve|s) to|needs? to|ought to)(?! (?:not|never)\b))",
    re.I,
)
_BAN = lazy(
    r"\b(?:(?P<who>you |we |i )?"
    r"(?:(?:must|should|shall|may|can|could|do|does|will|would|is to|are to)"
    r" (?:not|never)(?: ever)?|never(?: ever)?|not to)"
    r"|it is (?:forbidden|prohibited|not allowed) to|you are not allowed to|avoid|refrain from)\b",
    re.I,
)
_NO = lazy(r"^\W*(?:no|zero)\s+(?=[a-z])(?!one\b|need\b|matter\b|longer\b|more\b|less\b)", re.I)
# Of a thing: it is not to be edited.
_HANDS_OFF = tuple(
    lazy(pattern, re.I)
    for pattern in (
        r"^(?P<x>.+?) (?:is|are|stays?|remains?)(?: strictly| completely)? (?:off[- ]limits"
        r"|untouchable|not to be (?:touched|edited|changed|modified))$",
        r"^(?:hands off|keep (?:your )?hands off(?: of)?) (?P<x>.+)$",
        r"^(?:leave|keep) (?P<x>.+?) (?:alone|untouched|unchanged|unmodified|as[- ](?:it )?is"
        r"|(?:exactly )?as (?:it|they) (?:is|are))$",
        r"^(?P<x>.+?) (?:stays?|remains?|(?:is|are|be)(?: to be)? (?:left|kept)) (?:alone|untouched"
        r"|unchanged|unmodified|as[- ](?:it )?is)$",
    )
)
_PASSIVE = lazy(
    r"^(?P<x>.+?)(?P<no> \u00ac)? (?:is|are|be|get|gets)(?P<nor> \u00ac)?(?: to be| be)?"
    r" (?P<v>[a-z]+ed|written|kept|run|built|put|made"
    r"|sent|taken|given|left|held|read)\b(?! by\b)(?P<rest>.*)$",
    re.I,
)
_FIRST = lazy(
    r"^(?P<when>(?:before|after|when|whenever|if|unless|once|while) [^,]{3,120}), (?P<rest>.+)$",
    re.I,
)
_WITHIN = lazy(r"\b(?:anything|any files?|everything) (?:in|under|inside|within|below) ", re.I)
_THING = lazy(
    r"\bthe (?:file|folder|directory|module|package) (?=[`\w./-]*[./_`])"
    r"|(?<=[/`]) (?:file|folder|directory)\b",
    re.I,
)
_LEADING = lazy(  # words that lead up to what is asked
    r"^(?:(?:(?:project |house |ground |our |my )?(?:rule|constraint|note|reminder|requirement)s?"
    r"(?: for [\w ]{1,30})?|important)\s*:\s*"
    r"|(?:please|always|and|also|actually|so|okay|ok|btw|but|then|now)\b[, ]+)+",
    re.I,
)
_WIDTH = lazy(
    r"^(?=.*\b(?:length|width|characters?|chars?|columns?)\b)(?:please |always )*"
    r"(?:(?:keep|limit|wrap|the|all|code|max(?:imum)?) )*lines?(?: length| width)?:?"
    r"(?: (?:must|should|may|be|is|are|stays?|have|has|to|at|most|up|of|under|below|within|no|not"
    r"|longer|wider|shorter|less|than|max(?:imum)?|limited))* (?P<most>\d+)"
    r"(?: (?:characters?|chars?|columns?))?"
    r"(?: (?:long|wide|max(?:imum)?|at most|or less|or fewer))?$",
    re.I,
)
_UNIT = lazy(r"(?<=\d) (?:characters?|chars?|columns?|字符|个字符)(?: long| wide)?$", re.I)
_EACH = lazy(r"\b(before|after) (?:(?:you|we|i|each|every|any|the|a) )+", re.I)
_ANY_CASE = lazy(r",? under any circumstances?\b,?", re.I)
_ONE_NAME = {
    "under no circumstances": "never",
    "check in": "commit",
    "checking in": "commit",
    "by hand": "manually",
}
_UNTOLD = frozenset(
    """
    a an the any please pls always just really also ever simply me you we us i my our your be is
    are am do does did that so kindly strictly absolutely definitely under no circumstances
    """.split()  # noqa: SIM905
) - {"under", "no"}
_FLOATING = frozenset(("directly", "manually", "first", "again"))
_PARTED = lazy(r"[,;:—–]|\b(?:and|but|or|then|not|never|without|unless|if|when)\b", re.I)
_OURS = lazy(r"\b(?:i|we|my|our)\b", re.I)
_YOURS = lazy(r"\b(?:you|your)\b", re.I)
_WHOSE = frozenset("i we my our you your".split())  # noqa: SIM905
_MEANT = {
    name: meant
    for meant, names in (
        ("edit", "edit change changed changing modify modified modifying touch alter"),
        ("delete", "delete remove erase"),
        ("run", "run running ran execute"),
        ("add", "add introduce"),
        ("write", "write written writing"),
        ("each", "each every"),
        ("permission", "permission approval consent okay ok go-ahead"),
        ("keep", "keep kept keeping"),
        ("build", "built"),
    )
    for name in (*names.split(), *(concept(name) for name in names.split()))
}
# It is left to whoever reads it; 不得不 is a duty.
_LEFT_OPEN = lazy(
    r"\b(?:may|can|could|might)\b(?! (?:not|never|only|be at most|have at most))"
    r"|\bneed not\b|\boptional\b|\b(?:(?:not|never) (?:have|need|required|necessary)|no need) to\b"
    r"|\b(?:fine|ok|okay|free|allowed|safe) to\b"
    r"|\bnot (?:required|necessary|needed|forbidden|prohibited)\b"
    r"|(?<!不)可以?(?=[\u3400-\u9fff])|(?<!不)(?<!不被)允许|不得不|不是不|不能不|不可不|不必|不一定"
    r"|不用(?=[\u3400-\u9fff])|不需要?|[没无]必要|没有必要|不要求|无需|无须|不强制",
    re.I,
)
_ALLOWING = lazy(
    r"^\W*(?:it is|it's) (?:fine|ok|okay|allowed|safe) to |\byou (?:may|can) (?!not\b|never\b)"
    r"|(?<!不)可以(?=[\u3400-\u9fff])",
    re.I,
)
NOT = "\u00ac"  # stands for every way of saying not to
_NEGATIVE = frozenset(("not", "never", "no", "cannot", "without", NOT))
# What says where a thing holds, as `Asked` has it.
_LIMITING = frozenset(
    "only unless except if when until before befor after 只 仅 除 前 后 若".split()  # noqa: SIM905
)
_CONSENT = frozenset(("ask", "permission"))
# By which two wordings may differ that name the same things in the same order.
_IDLE = frozenset("keep stay under below now".split())  # noqa: SIM905
_REFUSING = frozenset(("not", "never", "cannot"))
_MARKS = frozenset((NOT, ",", ";", ":"))
_SPELLED = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_NUMBER = lazy(r"\d+(?:\.\d+)?")
_ARTICLES = frozenset(("a", "an"))
_DIRECTING = frozenset("before after from to into without over than instead and or".split())  # noqa: SIM905

_HAN_BAN = lazy(
    r"(?:(?:绝对?|千万|一定|坚决)?(?:不要再?|不准|不许|不得|不能|不可以?|不允许|不应该?|禁止|严禁|切勿|请勿|切忌|避免|别再?|勿))"
)
_HAN_MEANT = tuple(
    (lazy(pattern), meant)
    for pattern, meant in (
        (r"(?:未经|没有|没)(?:我|我们|用户)?的?(?=允许|同意|许可|批准|确认)", "未经"),
        (r"允许|同意|许可|批准", "许"),
        (r"(?<=[\u3400-\u9fffA-Za-z])之?前[,，]?", "前"),
        (r"(?<=[\u3400-\u9fffA-Za-z])[之以]后[,，]?", "后"),
        (r"修改|改动|变更|更改|编辑|触碰|改|(?<![自启移活滚变])动(?![态作手机])|碰", "改"),
        (r"删除|删掉|移除|删", "删"),
        (r"运行|执行|跑", "跑"),
        (r"引入|添加|新增|增加|加入|加(?![密载班])", "加"),
        (r"回答|回复|答复", "答"),
        (r"使用|采用|用(?!户)", "用"),
        (r"写入|编写|撰写|书写|写", "写"),
        (r"英语|英文", "英文"),
        (r"文件夹|目录", "目录"),
        (r"任何|(?<!不)是", ""),
        (r"务必|必须|一定要|一定|始终|总是|一律|统一|永远|每次都?|记得|确保|保证|应该|应当|需要"
         r"|请你?|麻烦你?|我们|你|您", ""),
        (r"[要须应该都的了吧把将得地啊哦]", ""),
    )
)  # fmt: skip
_HAN_FRONTED = lazy(
    r"^(?P<x>[^\u00ac,，]+?)\u00ac(?P<v>改|删|跑|用|提交|推送|合并|部署|格式化|重构)$"
)
_HAN_OFF = lazy(r"^(?:保持)?(?P<x>.+?)(?:保持)?(?:不变|原样|不改)$")
_CLAUSE_HAN = lazy(r"[,，;；:：]+")
_APART_HAN = lazy(r"(?<![a-z0-9])\s+|\s+(?![a-z0-9])|[。.!！、`\"'“”‘’「」]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked, for or `against`: its words in order, by what they mean and as written."""

    against: bool
    words: tuple[str, ...]
    said: tuple[str, ...]


def values_apart(older: str, newer: str) -> tuple[str, str] | None:
    """The values by which two sentences differ, as written, both empty where they say the same;
    None where they are of two things, or where that is not sure."""
    if left_open(older) != left_open(newer):
        return None
    if older == newer or asks_the_same(older, newer):
        return "", ""
    widths = [_WIDTH.match(text.strip(" .*_")) for text in (older, newer)]
    most = [width["most"] for width in widths if width]
    if len(most) == 2 and most[0] != most[1]:
        return most[0], most[1]
    again = restates(older, newer)
    if again is None or not again.sure:
        return other_value(older, newer)
    differing = set(asked(older).words) ^ set(asked(newer).words)
    if differing & _LIMITING:
        return None
    if _signs(older) != _signs(newer):
        return None
    if again.same:
        apart = turned_around(older, newer) or _numbers(older) != _numbers(newer)
        return None if apart or any(_signs(older)) or differing - _IDLE else ("", "")
    counted = any(letter.isdigit() for letter in again.newer_value)
    if not counted and negated(older) and negated(newer):
        return None  # two things that may not be done
    return again.older_value, again.newer_value


def asks_the_same(one: str, other: str) -> bool:
    """Whether both sentences ask the same, in whatever words; False where that is not sure."""
    first, second = asked(one), asked(other)
    if not first.words or left_open(one) != left_open(other):
        return False
    if first.against == second.against and first.words == second.words:
        return True
    agreed = asked_before(first)
    return agreed != () and agreed == asked_before(second)


def asked_before(found: Asked) -> tuple[str, ...]:
    """What is not to be done without asking first: "ask before x" and "never x without my approval"
    alike; empty where it is something else."""
    if found.against and found.words[-2:-1] == ("without",) and found.words[-1] in _CONSENT:
        return found.words[:-2]
    if not found.against and found.words[:2] == ("ask", concept("before")):
        return found.words[2:]
    return ()


def other_value(older: str, newer: str) -> tuple[str, str] | None:
    """The values as written where both ask the same but for one value that only one thing can
    have: another number, language, or one of a closed group. None for bans, which may both hold."""
    first, second = asked(older), asked(newer)
    if any(_signs(older)) or any(_signs(newer)) or len(first.words) != len(second.words):
        return None
    differing = [
        at for at, (a, b) in enumerate(zip(first.words, second.words, strict=True)) if a != b
    ]
    if len(differing) != 1 or len(first.words) < 2:
        return None
    (at,) = differing
    values = first.said[at], second.said[at]
    return values if _one_of_a_kind(*(value.lower() for value in values)) else None


def left_open(text: str) -> bool:
    """Whether `text` allows something, or says that it need not be: no duty and no ban."""
    return _LEFT_OPEN.search(_SHORT_FORM.sub(_long_form, text)) is not None


def allowed(text: str) -> str:
    """`text`, where it allows something, as what it allows."""
    return _ALLOWING.sub("", text, count=1)


def _signs(text: str) -> tuple[bool | str, ...]:
    """Whether `text` is a ban, and the further words in it that say not to, in order."""
    found = asked(text)
    return found.against, *(word for word in found.words if word in _NEGATIVE)


def _numbers(text: str) -> list[str]:
    """The numbers in `text`, in order of size, those that are spelled too."""
    return sorted(
        str(_SPELLED.index(word) + 1) if word in _SPELLED else number
        for word in asked(text).words
        for number in ([word] if word in _SPELLED else _NUMBER.findall(word))
    )


def turned_around(one: str, other: str) -> bool:
    """Whether the words that both share stand in another order."""
    first, second = asked(one).words, asked(other).words
    shared = set(first) & set(second)
    orders = [[word for word in words if word in shared] for words in (first, second)]
    return orders[0] != orders[1]


@lru_cache(maxsize=8192)
def asked(text: str) -> Asked:
    """What `text`, one sentence, asks. Without words where it cannot be told."""
    clean = unicodedata.normalize("NFKC", text[:LONGEST]).replace("’", "'")
    clean = " ".join(clean.split()).strip(" .。!！;；,，*_")
    if len(text) > LONGEST or not clean or clean.endswith(("?", "？")):
        return Asked(False, (), ())
    return _of_chinese(clean) if _HAN.search(clean) else _of_english(clean)


def _of_english(text: str) -> Asked:
    text = _ANY_CASE.sub(" ", _SHORT_FORM.sub(_long_form, text))
    for said, meant in _ONE_NAME.items():
        text = re.sub(rf"\b{said}\b", meant, text, flags=re.I)
    if first := _FIRST.match(text):
        text = f"{first['rest']} {first['when']}"
    text = _UNIT.sub("", _THING.sub("", _WITHIN.sub("", _EACH.sub(r"\1 ", text))))
    text = _LEADING.sub("", text.strip())
    text = _AIMED.sub(" ", text)
    both = _OURS.search(text) and _YOURS.search(text)
    text = _BAN.sub(lambda ban: f" {(both and ban['who']) or ''} {NOT} ", text)
    text = _NO.sub(f"{NOT} ", text) if NOT not in text else text
    text = " ".join(text.split())
    if NOT not in text and "," not in text:
        for pattern in _HANDS_OFF:
            if found := pattern.match(text):
                text = f"{NOT} edit {found['x']}"
                break
    if (passive := _PASSIVE.match(text)) and NOT not in passive["x"]:
        no = NOT if passive["no"] or passive["nor"] else ""
        text = f"{no} {passive['v']} {passive['x']}{passive['rest']}".strip()
    against = text.startswith(NOT)
    text = text.removeprefix(NOT)
    words = list(_words(text, against=against))
    return Asked(against, tuple(word for word, _ in words), tuple(said for _, said in words))


def _long_form(found: re.Match[str]) -> str:
    return "can " if found[0].lower() == "can" else " not"


def _words(text: str, *, against: bool) -> Iterator[tuple[str, str]]:
    """The words of a sentence, by what they mean and as written; those that may stand anywhere in
    it come last. Behind a ban a comma and an "always" say where it ends."""
    floating: list[tuple[str, str]] = []
    parted = _PARTED.search(text) is not None
    untold = _UNTOLD - _WHOSE if _OURS.search(text) and _YOURS.search(text) else _UNTOLD
    banned = against
    found = [token for token in tokens(text) if token.kind != "mark" or token.text in _MARKS]
    for at, token in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        lower = token.text.lower()
        if token.kind == "mark" or lower == "always":
            banned = banned or lower == NOT
            if banned:
                yield lower, token.text
            continue
        for key in _keys(token, following, untold):
            banned = banned or key == NOT
            if key == "use" and against and not at:
                continue  # "no emojis", "never use emojis"
            if key in _FLOATING and not parted:
                floating.append((key, token.text))
            else:
                yield key, token.text
    yield from sorted(floating)


def _keys(token: Token, following: Token | None, untold: frozenset[str]) -> Iterator[str]:
    if token.text.lower() in _REFUSING:
        yield NOT
        return
    if token.kind in NAMES or token.kind in VALUES:
        yield token.key
        return
    lower = token.text.lower()
    if lower in _ARTICLES and (following is None or following.text.lower() in _DIRECTING):
        yield lower
        return
    if lower in untold:
        return
    if lower in _NEGATIVE:
        yield lower
        return
    for part in lower.split("-") if lower not in _MEANT else (lower,):
        key = _MEANT.get(part) or concept(part)
        yield _MEANT.get(key, key)


def _of_chinese(text: str) -> Asked:
    text = _HAN_BAN.sub(NOT, text.lower())
    for pattern, meant in _HAN_MEANT:
        text = pattern.sub(meant, text)
    text = _CLAUSE_HAN.sub("，" if NOT in text else "", text)
    text = _APART_HAN.sub("", text).strip("，")
    if found := _HAN_FRONTED.match(text):
        text = f"{NOT}{found['v']}{found['x']}"
    elif NOT not in text and (found := _HAN_OFF.match(text)):
        text = f"{NOT}改{found['x']}"
    against = text.startswith(NOT)
    text = text.removeprefix(NOT)
    if not _HAN.search(text):
        return Asked(against, (), ())
    words = tuple(re.findall(r"[a-z0-9_./@*#%+-]+|英文|中文|\S", text.replace("/目录", "目录")))
    return Asked(against, words, words)


def _one_of_a_kind(one: str, other: str) -> bool:
    """Whether both words are values of one kind, of which a thing has one."""
    numbers = [re.fullmatch(r"\d+(?:\.\d+)*%?", word) for word in (one, other)]
    if all(numbers):
        return True
    if {one, other} <= {*LANGUAGES}:
        return True
    return bool(GROUPS.get(one, frozenset()) & GROUPS.get(other, frozenset()))
