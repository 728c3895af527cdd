"""The short form of a sentence: without the words that only lead up to what it says.

Identifiers, numbers, names and negations are never among them.
"""

from __future__ import annotations

import re

from redline.patterns import lazy

_LEAD = lazy(
    r"^(?:[\s,;:.!—–-]*(?:(?:btw|by the way|fyi|for (?:your|the) (?:information|record|reference)"
    r"|just so"
    r" you know|just a (?:heads[- ]?up|reminder|note)|heads[- ]?up|please (?:note|remember|be aware"
    r"|keep in"
    r" mind)(?: that)?|(?:quick|small|one|a) (?:note|reminder|thing)(?: more)?|one (?:more|other"
    r"|last) thing"
    r"|note(?: that)?|keep in mind(?: that)?|bear in mind(?: that)?|remember(?: that)?(?=[,:]| the"
    r"| that| we"
    r"| our)|as a reminder|oh(?:,? and)?|ok(?:ay)?|alright|so|also|and|hey|hi"
    r"|anyway"
    r"|basically|please|pls|plz|i(?:'d)? (?:just )?(?:think|guess|believe|suppose"
    r"|reckon)(?: that)?(?= we| you"
    r"| it| the| our)|in my opinion|imo|imho|what i (?:want|need) is|to be clear|let me be clear"
    r"|for context"
    r"|for clarity|very important|as i said(?: before| earlier)?|like i said"
    r"|you should know that"
    r"|i want you to know that|i(?:'d| would)? (?:want|like) you to|it(?:'s| is) (?:important"
    r"|worth (?:noting"
    r"|knowing|mentioning)) that|first of all|finally|lastly|by the by|before i forget"
    r"|(?:right|well|first|important|reminder)(?=[,:;.!—–-])"  # else of a thing: "right encoder"
    r"|thanks)(?=[\s,;:.!—–-]|$)"
    r"|(?:顺便(?:说一下|说一句|提一下|一提)?|另外|还有|对了|请注意|注意|提醒(?:你)?一下|记住|请记住"
    r"|记一下|那么|嗯|好的?|好吧|哦|那个|其实吧"
    r"|先?(?:说|提)(?:一下|一句|明一下)|先补充一(?:下|点|句)|补充一(?:下|点|句)|我觉得|我认为|我想"
    r"|我们应该|麻烦(?:你)?|请|首先|最后|总之|强调一下"
    r"|需要注意的是|要知道)(?=[\s,，:：;；。—-]|[^\W\d_a-zA-Z]))"
    r"[\s,，:：;；.。!！—–-]*)+",
    re.I,
)
_TRAIL = lazy(
    r"(?:[\s,，]*(?:(?<![\w])(?:please|pls|plz|thanks|thank you|thx|cheers|ok(?:ay)?|if (?:you"
    r"|that) (?:can|is ok"
    r"|makes sense)|btw|fyi|by the way|for (?:your|the) (?:information|record))|谢谢|哈|哦|啊|呢|吧"
    r"|好吗)\s*)+(?=[.。!！]*$)[.。!！]*",
    re.I,
)
_NEEDED = lazy(r"[0-9`\"/_]|[\u0080-\uffff]?\b(?:not|no|never|without)\b", re.I)
_WE = lazy(r"^(?:we|you) should (?=\w)", re.I)


def brief(text: str) -> str:
    """`text` without fillers at its start and end; what is left starts as it was written."""
    match = _LEAD.match(text)
    start = match.end() if match else 0
    rest = text[start:]
    if len(rest) < 4:
        return text.strip()
    match = _TRAIL.search(rest)
    if match and match.start() >= 4:
        rest = rest[: match.start()]
    short = rest.strip(" \t,，;；")
    return short if len(short) >= 4 else text.strip()
