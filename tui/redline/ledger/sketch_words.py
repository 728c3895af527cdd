"""Words that say little of what a sentence is about, beside an earlier one; words for a change."""

from __future__ import annotations

import re

from redline.ledger import claim_words as words
from redline.ledger.claim_tokens import concept
from redline.patterns import lazy

_DOING = """
    run start launch execute call invoke name rename label write rewrite store save land show
    display render send give hand assign take put place keep hold serve listen expose
    point live sit go come use pick choose prefer adopt require support need want ask have let
    make set change move switch migrate convert bump raise lower grow shrink increase decrease
    reduce cut extend push pull slip postpone delay bring turn work base book file open
    create recreate rebuild relocate reside belong get find look see speak talk do happen
    begin begins schedul plan hit target pin stay remain become should enough agree decide settle
    say tell mean fall rise stand handle allow permit accept reach apply insist host print emit
    swap replace try treat compile upgrade downgrade reschedule transfer reassign extend double
    halve tighten loosen relax retire deprecate freeze respond finish complete continue carry
    proceed collaborate track manage publish like love hate lead leave cut hear
"""
DOING = frozenset((*map(concept, _DOING.split()), *_DOING.split())) - words.SOFT
NEUTRAL = frozenset(
    map(
        concept,
        """
    run use go come live sit get give have set change move switch migrate convert bump raise
    lower grow shrink increase decrease reduce cut extend push pull slip postpone delay turn stay
    remain become should want need upgrade downgrade swap replace pick choose adopt agree decide
    settle assign reassign transfer rename name call allow permit accept hit fall rise let make
    put keep say tell ask relax tighten loosen double halve handle manage belong point support
    talk like publish cut leave
    """.split(),  # noqa: SIM905
    )
)
_LITTLE = """
    command way thing stuff one plan different address current actual usual whole everything every
    each new old just already yet please mind moment place part bit kind sort lot ones week
    today tomorrow yesterday ago soon early late later early fyi news info now then here there time
    times ours mine theirs yours last long only other others same good better best nice fine bad
    both big little much many few per total value default? first? thanks please guys folks everybody
    everyone anybody else really simply basically honestly apparently finally eventually again
    ok okay before after nowadays meanwhile otherwise though however anyway maybe perhaps until till
"""
_HAN_LITTLE = (
    "每天每次改给到成了也再点条把个跑放写看找请让归管负责接手交由装调设升降提加减换搬移迁挪叫是在用"
)
SOFT = (
    words.SOFT
    | DOING
    | {concept(word) for word in _LITTLE.split() if not word.endswith("?")}
    | set(_HAN_LITTLE)
    | {"的", "min", "max", "limit", "owner", "all"}
) - {"all", "min", "max", "limit", "owner", "retry", "port"}
# What tells two things of a kind apart, though it says little by itself.
APART = (
    frozenset(
        """
    second third previous left right old inner outer upper lower top bottom min max minimum
    maximum daily weekly monthly yearly hard soft primary secondary input output public
    private internal external source destination local remote mobile web desktop ios android
    windows linux macos mac client server frontend backend user admin guest
    """.split()  # noqa: SIM905
    )
    | words.ENVIRONMENTS
)
_ALIKE = """
    goal: aim target objective
    max: ceil ceiling limit cap
    min: floor
    owner: own maintain
    ticket: issue epic story
    flag: toggle toggl
    email: mail
    image: picture
    document: wiki handbook
    frontend: ui
    meeting: sync standup
    customer: client
    dashboard: board
    interval: frequency cadence
    thumbnail: thumb
    colour: color
    artefact: artifact
    indent: indentation
"""
SYNONYMS = {
    name: meant.strip()
    for meant, _, names in (line.partition(":") for line in _ALIKE.strip().splitlines())
    for name in names.split()
}
ANNOUNCED = lazy(
    r"^\W*(?:(?:ok(?:ay)?|so|hey|hi|hmm+|oh|ah|also|and|but|yes|no|please"
    r"|sorry|(?:right|well)(?=[,:;.!]))\b[\s,:]*)*"
    r"(?:change of plans?|plans? (?:have |has )?changed|(?:small|quick|one) (?:change|correction"
    r"|update|note|thing)|one more thing|heads?[- ]up|fyi|update|correction|news|reminder|rename"
    r"|note"
    r"|by the way|btw|quick question|new info(?:rmation)?|for the record|good news|bad news"
    r"|(?:i )?(?:have |'ve )?changed my mind(?: (?:about|on))?|(?:i )?(?:have |'ve )?thought "
    r"(?:about"
    r" it|again)|on second thoughts?|in the end|as discussed|after (?:the|our|today's)"
    r" (?:meeting|call|discussion|review|retro)"
    r"|(?:the )?(?:product|legal|marketing|ops|security|qa|design|sales|support|finance|compliance"
    r"|management|client|customers?|boss|lead|team|cto|ceo|pm|users|everyone|people|they|we|i)"
    r"(?: team| lead| people| folks)? (?:now )?(?:wants?|asked (?:for|us to use)|asks for|says?"
    r"(?: that)?|said(?: that)?|insists? on|decided(?: on| that| to)?|agreed(?: on| that| to)?"
    r"|prefers?|requires?|requested|demands?|need|needs|settled on|voted for))\b[\s:,]*"
    r"|^[\u3400-\u9fff]{1,4}(?:说|要求|希望|想要?|觉得|通知|反馈|确认|规定)(?:的是)?"
    r"|更正|补充|通知一下|说一下|改主意了|另外通知|跟大家说下",
    re.I,
)
_WHEN = (
    r"(?:(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|(?:the |this |next )+"
    r"(?:week"
    r"|month|sprint|release|year))"
)
# Since when it is so, which is no value.
SINCE = lazy(
    r"\bfrom (?:the |our |next |this )?[\w-]+ on(?:wards?)?(?=[.,;!]|$)"
    r"|\bsince (?:yesterday|today|last \w+|this \w+|monday)\b"
    rf"|\b(?:from|as of|starting|beginning|effective) {_WHEN}\b(?: on(?:wards?)?\b)?",
    re.I,
)
STRONG = lazy(
    r"\b(?:from (?:now|here|then|today) on|no longer|after all|these days|nowadays|by now|as of"
    r"|(?:bump|lower|extend|postpon|delay|grow|double|halv|rais|increas|reduc|decreas|shrink"
    r"|reschedul|rebas|relocat|recreat|renam|replac|switch|swapp?|upgrad|downgrad|migrat"
    r"|transferr?|reassign)"
    r"(?:e|es|ed|ing|s)?|grew|shrank|cut (?:\S+ ){0,5}to|(?:up|down|back|over|forward) (?:to|from)"
    r"|(?:mov|chang|shift|ris|climb|drop|fall|jump|flip|sink|cut)(?:e|es|s|ed|ped|ing)?"
    r" (?:\S+ ){0,4}?(?:in|over )?(?:to|down|up)"
    r"|slip(?:s|ped|ping)?|pushed (?:back|out|to)|(?:has|have|had|was|were|been|got) (?:been"
    r" )?(?:moved|renamed|changed|pushed|a new|bumped)|moved (?:in)?to"
    r"|earlier|later|sooner|the place of|different|misremembered|misspoke|i was wrong|handed|took"
    r" over|takes over|taking over"
    r"|left (?:the|us)|settled (?:on|for)|picked|chose|opted for|went with|going with|(?:is|are)"
    r" gone|was wrong|decided|agreed|becomes?|became|change of plans?"
    r"|plans? changed|instead|turn(?:ed)? (?:\S+ ){0,6}(?:on|off|down|up)|ignore what|make (?:it"
    r"|that)"
    r"|(?:is|are|it's|that's|should|have|has|can|runs?|uses?|goes|go|lives?) now|now (?:is|are|has"
    r"|have|runs?|uses?|lives?|goes?|belongs?)|went (?:to|up|down|from|over)"
    r"|(?:the )?(?:old|previous|former|other) \w+ (?:is|was|are|were|isn't|can't|got|has|have)"
    r"|(?:the|that|this) (?:old|previous|former|other) (?:one|thing)|(?:nobody|no one) (?:wants"
    r"|uses"
    r"|reads|likes)|can't (?:\w+ ){1,2}the other|since (?:yesterday|today|last \w+)|changed hands"
    r"|ended up|(?:have|has|got|gets|found) an? new|(?:got|was|were|has been|have been)"
    r" (?:[a-z]{2,}ed|[a-z]{3,}en|split|cut)|from (?:the |our )?\w+ on(?=[.,;!]|$)|gone|rewr\w+"
    rf"|(?:from|as of|starting|beginning|effective) {_WHEN})\b"
    r"|(?<!不要)(?<!别)(?<!勿)(?<!可以)改(?!善|进|造|天|动)|换|变成|变为|升到|升级|降到|降为|减到|加到"
    r"|增加到|调到|调成|调高|调低|提高|提到|提前|推迟|延期|延到|以后|今后|不再|现在|还是用|[砍减加增升降调提缩延拉扩收涨跌翻][高低大小长短]?[到成为至]|挪到|搬到"
    r"|迁到|迁移到|移到|移交|接手|转给|交给|给到|缩短|放宽|收紧",
    re.I,
)
WEAK = lazy(
    r"\b(?:should|must|has to|have to|needs? to|please|let's|we can|you can|want|wants|decided"
    r"|no,|can be|can now|now|new|ought)\b|应该|要|得|请"
    r"|(?:^|[:,;])\W*(?:make|give|set|use|put|start|show|have|let|go|call|tag|name|page|write)\b",
    re.I,
)
LATER = lazy(r"(?<=\w )\bnow\b", re.I)
# "now run the tests" says what is next, not what is different.
NEXT = lazy(r"^\W*(?:and |ok(?:ay)?,? |so |then )*(?:now|next|then|also)\b(?!,? (?:on|that))", re.I)
ADDS = lazy(
    r"\b(?:additional(?:ly)?|extra|add|adds|added|(?:stays?|remains?) (?:as|at|on|in|the same"
    r"|where)"
    r"|stays?\s*(?:[,.;]|$)|unchanged|plus|next to)\b|仍|保持|不变|额外|增加一个|再加|新增",
    re.I,
)
