"""What a sentence is about: its objects, and whether it is for or against doing something to"
" them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from redline.ledger.masking import FILL, hidden
from redline.patterns import lazy

MOST = 12  # objects of one rule
_TRIMMED = " \t`\"'“”‘’「」『』.,;:!?，。；：！？()（）[]*_"
_WORD = lazy(r"[A-Za-z][A-Za-z0-9+#]*(?:-[A-Za-z0-9]+)*|\d+[A-Za-z%]*")
_HAN = lazy(r"[\u3400-\u9fff]+")


_LANGUAGE_NAMES = """
    english chinese german french spanish japanese korean russian portuguese italian dutch
    中文 英文 英语 汉语 日文 日语 韩文 韩语 德文 德语 法文 法语 俄文 俄语
"""
LANGUAGES = frozenset(_LANGUAGE_NAMES.split())
_HAN_LANGUAGE = lazy("|".join(name for name in LANGUAGES if not name.isascii()))


class Verb(StrEnum):
    """What is done to the object; rules conflict only where it is the same."""

    EDIT = "edit"
    RUN = "run"
    USE = "use"
    SEND = "send"
    WRITE = "write"


_VERBS = {
    Verb.EDIT: "touch edit change modify delete remove rewrite refactor rename fix move alter"
    " reformat"
    " format drop break clean leave keep preserve retain",
    Verb.RUN: "run execute start launch invoke rerun",
    Verb.USE: "use add install import introduce depend prefer adopt employ rely require switch"
    " pick",
    Verb.SEND: "commit push merge deploy release publish rebase ship tag",
    Verb.WRITE: "write answer reply respond create document comment explain speak log print"
    " mention",
}  # fmt: skip
_VERB_OF = {word: verb for verb, words in _VERBS.items() for word in words.split()}
_HAN_VERBS = (
    (Verb.EDIT, "修改|改动|变更|更改|改|动|碰|删除|删|重构|重命名|移动|移除|覆盖|破坏|保留|保持"),
    (Verb.RUN, "运行|执行|跑|启动"),
    (Verb.USE, "使用|引入|安装|依赖|采用|添加|新增|加|装|用"),
    (Verb.SEND, "提交|推送|合并|部署|发布|推|上线"),
    (Verb.WRITE, "写|回答|回复|注释|输出|打印|解释"),
)
_HAN_VERB = tuple((verb, lazy(words)) for verb, words in _HAN_VERBS)
_HAN_SPLIT = lazy(
    "不要|不准|不许|不得|不能|不可以|不可|不允许|禁止|严禁|切勿|请勿|必须|务必|一定要|一律|始终|每次|记得|确保|保证|只能|只准|只许|只|仅限|仅"
    "|除了|以外|之外|不超过|最多|至少|以内|尽量|优先|统一|以后|今后|从现在|开始|现在|可以|保持|不变|保留|原封不动|未经|允许|同意|确认|等我|问我|之前"
    "|之后|先|再|都|也|就|了|的|地|得|着|过|把|被|给|在|对|和|与|或|及|并|但|请|你|您|我们|我|他|它|这个|那个|这些|那些|这|那|任何|所有|里面|里|中|上|下"
    "|别|勿|不用|无需|不再|不|要|会|能|是|有|没|一下|一个|吧|吗|呢|啊|取消|解除|作废|算|限制|规则"
    "|修改|改动|变更|更改|改|动|碰|删除|删|重构|重命名|移动|移除|覆盖|破坏|运行|执行|跑|启动|使用|引入|安装|依赖|采用|添加|新增|加|装|用|提交|推送|合并"
    "|部署|发布|推|上线|写|回答|回复|输出|打印|解释"
)
_STOP_WORDS = """
    the a an and or but not no nor of to in on at by for from with without into onto over under
    as is are was were be been being it its this that these those there here you your we our us
    i me my he she they them their his her do does did dont don doesn didn isn aren won can
    can't cannot could would should shall must may might will never always only ever also just
    please any all every each some more most less least than then so if when whenever while
    until unless before after once again now still yet too very really absolutely definitely
    make sure ensure ask wait stop avoid let lets get go want need have has had thing things
    anything everything nothing something else other others rest way time work code file files
    folder directory okay ok fine yes well btw say said told tell new one two first second
    change changes anymore longer rule rules restriction free feel allowed ahead scratch forget
    like put take give keep leave stay remain doing done up out off down about what which who
    how where why because since instead rather s t re ve ll d m im ill youre project session
    repo thanks hey alone untouched as-is unchanged around
"""
_STOP = frozenset(_STOP_WORDS.split())
_HAN_STOP = frozenset(
    ("目录", "文件", "代码", "文件夹", "东西", "地方", "内容", "部分", "下面", "这里")
)


@dataclass(frozen=True, slots=True)
class About:
    """Objects in lower case, those a rule is for and those it is against, and the verbs: of which
    kind they are, and in `deeds` the words themselves."""

    wanted: frozenset[str]
    unwanted: frozenset[str]
    verbs: frozenset[Verb]
    order: tuple[str, ...]
    deeds: frozenset[str] = frozenset()

    @property
    def objects(self) -> frozenset[str]:
        return self.wanted | self.unwanted


_INSTEAD = lazy(
    r"\b(?:instead of|rather than|in place of|over)\b|,? not\b|而不是|而非|代替|替代|，?不要"
    "|，?不用|，?别",
    re.I,
)


def about(text: str, masked: str, *, against: bool) -> About:
    """The objects of `text`; `against` is a rule that prohibits. In "use X, not Y" Y is"
    " unwanted."""
    split = None if against else _INSTEAD.search(masked, 4)
    done = _deeds(masked)
    verbs, deeds = frozenset(done.values()), frozenset(done)
    if split:
        first = _objects(text[: split.start()], masked[: split.start()])
        second = _objects(text[split.end() :], masked[split.end() :])
        order = tuple(dict.fromkeys((*first, *second)))[:MOST]
        unwanted = frozenset(second) - frozenset(first)
        return About(frozenset(first), unwanted, verbs, order, deeds)
    found = _objects(text, masked)[:MOST]
    names = frozenset(found)
    empty: frozenset[str] = frozenset()
    wanted, unwanted = (empty, names) if against else (names, empty)
    return About(wanted, unwanted, verbs, tuple(found), deeds)


def _objects(text: str, masked: str) -> list[str]:
    found: dict[str, None] = {}
    for name in hidden(text, masked):
        name = name.strip(_TRIMMED).rstrip("/").lower()
        if name and len(name) <= 200:
            found[name] = None
    plain = masked.replace(FILL, " ")
    for match in _WORD.finditer(plain.lower()):
        word = match.group()
        if word in _STOP or len(word) < 2 or any(stem in _VERB_OF for stem in _stems(word)):
            continue
        found[_singular(word)] = None
    for match in _HAN_LANGUAGE.finditer(plain):
        found[match.group()] = None
    for match in _HAN.finditer(_HAN_LANGUAGE.sub(" ", plain)):
        for piece in _HAN_SPLIT.split(match.group()):
            if len(piece) >= 2 and piece not in _HAN_STOP:
                found[piece] = None
    return list(found)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _stems(word: str) -> list[str]:
    """`word`, and where it is a gerund the verbs it can come from."""
    if len(word) > 5 and word.endswith("ing"):
        return [word, word[:-3], word[:-3] + "e", word[:-4]]
    return [word]


def _deeds(masked: str) -> dict[str, Verb]:
    """The verbs as words, a gerund as what it comes from, each with its kind."""
    found: dict[str, Verb] = {}
    for match in _WORD.finditer(masked.lower()):
        for stem in _stems(match.group()):
            if stem in _VERB_OF:
                found[stem] = _VERB_OF[stem]
    for verb, pattern in _HAN_VERB:
        found |= dict.fromkeys(pattern.findall(masked), verb)
    return found
