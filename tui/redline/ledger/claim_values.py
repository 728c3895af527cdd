"""Values in sentences: numbers with their unit, versions, days, and how two of them compare."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DURATIONS = {
    "ms": 0.001, "msec": 0.001, "millisecond": 0.001, "毫秒": 0.001,
    "s": 1, "sec": 1, "second": 1, "秒": 1, "秒钟": 1,
    "m": 60, "min": 60, "minute": 60, "分钟": 60, "分": 60,
    "h": 3600, "hr": 3600, "hour": 3600, "小时": 3600, "个小时": 3600,
    "d": 86400, "day": 86400, "天": 86400,
    "week": 604800, "周": 604800, "个星期": 604800,
    "month": 2592000, "个月": 2592000, "year": 31536000, "年": 31536000,
}  # fmt: skip
_SIZES = {
    "b": 1, "byte": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
    "ki": 1024, "mi": 1024**2, "gi": 1024**3, "kib": 1024, "mib": 1024**2, "gib": 1024**3,
}  # fmt: skip
_MEASURES = ("px", "hz", "khz", "mhz", "ghz", "rps", "qps", "fps", "baud", "dpi", "mbps")
_PERCENT = ("%", "percent", "％")
_TIMES = {"k": 1e3, "万": 1e4, "千": 1e3, "百万": 1e6, "million": 1e6, "thousand": 1e3}
_COUNTERS = "次个条台页行位元份遍件张字"
_UNITS = sorted(
    {*_DURATIONS, *_SIZES, *_MEASURES, *_PERCENT, *_TIMES, *_COUNTERS}, key=len, reverse=True
)
_UNIT = "|".join(
    f"{re.escape(unit)}{'s?' if unit.isascii() and len(unit) > 2 else ''}" for unit in _UNITS
)
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve"
_WORDS = {
    word: amount
    for amount, word in enumerate(_SMALL.split())
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
     "ninety": 90, "hundred": 100, "twice": 2, "once": 1}  # fmt: skip
_HAN = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|tonight|eod|eow|end of (?:the )?(?:day"
    r"|week"
    r"|month|quarter|year)|(?:next|this) (?:week|month|quarter|sprint)"
    r"|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?"
    r"|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may"
    r"|june?"
    r"|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?: \d{4})?"
    r"|(?:january|february|april|june|july|august|september|october|november|december)(?: \d{4})?"
    r"|q[1-4](?: \d{4})?"
    r"|(?:(?:the )?end of|early|mid|late|(?<=in )|(?<=by )|(?<=until )|(?<=to ))[ -]?(?:january"
    r"|february|march"
    r"|april|may|june|july|august|september|october|november|december)"
)
_HAN_DAY = (
    r"\d{1,2} ?月 ?(?:\d{1,2} ?[日号]|底|初|中旬)|(?:本|这|下)?(?:个)?(?:周|星期"
    r"|礼拜)[一二三四五六日天末]|月底|年底"
    r"|(?:[二两三四五六七八九]|十[一二]?|\d{1,2} ?)点半?"
    r"(?!要求|建议|意见|原因|问题|注意|说明|内容|钟的)"
    r"|(?:明|后)天|下(?:周|个?月)|\d{1,2}[日号](?!机|楼|库|节)"
)
_HAN_TIME = "秒|分钟|小时|天|周|个月|年"
HAN_VALUE = rf"{_HAN_DAY}|(?:[二两三四五六七八九十](?:{_UNIT})|一(?:{_HAN_TIME}))"
VALUE = (
    r"(?P<date>\d{4}-\d\d-\d\d|\d{4}/\d\d?/\d\d?|\d{4}年\d{1,2}月(?:\d{1,2}[日号])?"
    r"|\d{1,2}[:：]\d\d(?!\d)"
    rf"(?:\s?[ap]m)?|\d{{1,2}}\s?[ap]m\b|\b(?i:{_DAY})\b|{_HAN_DAY})"
    r"|(?P<version>(?<![\w.])v?\d+(?:\.\d+)+(?:-[\w.]+)?(?![\w%])|(?<!\w)v\d+(?!\w))(?!\s?(?:"
    + _UNIT
    + r")(?![A-Za-z]))"
    rf"|(?P<number>(?<![\w.])[$€£¥~≈]?\d+(?:[,_]\d{{3}})*(?:\.\d+)?(?:[\s-]?(?i:{_UNIT})(?![A-Za-z]))?(?![A-Za-z_\d]))"
    r"|(?P<spelled>\b(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
    rf"|thirty|forty|fifty|sixty|ninety|twice|once)\b(?:[\s-](?i:{_UNIT})(?![A-Za-z]))?"
    rf"|(?:[二两三四五六七八九十](?:{_UNIT})|一(?:{_HAN_TIME})))"
)
_PARTS = re.compile(r"([$€£¥~≈]?)([\d,._]+|[a-z]+|[一二两三四五六七八九十])[\s-]?(.*)", re.I | re.S)


@dataclass(frozen=True, slots=True)
class Value:
    """One value: its kind (date, version, duration, size, percent, money, number), and its amount
    in the kind's unit as text, equal for equal values."""

    kind: str
    amount: str

    @property
    def bare(self) -> bool:
        """Whether it is a number without a unit, which may be of any kind."""
        return self.kind == "number"

    def fits(self, other: Value) -> bool:
        """Whether both can be values of one thing."""
        if self.kind == other.kind:
            return True
        return (self.bare or other.bare) and not {self.kind, other.kind} & {"date"}


def value_of(group: str, text: str) -> Value:
    """The value of a match of `VALUE` in its group `group`."""
    lower = " ".join(text.lower().split())
    if group == "date":
        return Value("date", lower)
    if group == "version":
        return Value("version", lower.removeprefix("v"))
    match = _PARTS.match(lower)
    if match is None:
        return Value("number", lower)
    money, digits, unit = match.groups()
    amount = float(_HAN.get(digits, _WORDS.get(digits, 0)))
    if digits[0].isdigit():
        amount = float(digits.replace(",", "").replace("_", "").rstrip(".") or 0)
    return _with_unit(amount, unit, money)


def _with_unit(amount: float, unit: str, money: str) -> Value:
    single = unit[:-1] if unit.endswith("s") and unit[:-1] in {*_DURATIONS, *_SIZES} else unit
    if money and money not in "~≈":
        return Value("money", f"{amount:g}")
    if unit in _PERCENT:
        return Value("percent", f"{amount:g}")
    if single in _DURATIONS and unit not in _TIMES:
        return Value("duration", f"{amount * _DURATIONS[single]:g}")
    if unit in _MEASURES:
        return Value(unit, f"{amount:g}")
    if single in _SIZES:
        return Value("size", f"{amount * _SIZES[single]:.15g}")
    return Value("number", f"{amount * _TIMES.get(unit, 1):.15g}")
