"""The words by which English sentences limit, require and prefer, family by family."""

from __future__ import annotations

from redline.ledger.rule import RuleFamily

_COUNT = (
    r"(?:[~$€£]?\s*\d[\d.,]*\s?(?:[kmg]i?b?|%|[mn]?s|px|chars?)?|one|two|three|four|five|six|seven"
    r"|eight|ten|a dozen)"
)
_START, _ANY = True, False
WANTS: tuple[tuple[RuleFamily, bool, str], ...] = (
        (
            RuleFamily.LIMIT, _START,
            r"(?:keep|limit|cap|hold|restrict) (?:[\w\ue000'-]+ ){1,5}(?:to|at|under|below"
            r"|within) (?:about "
            r"|around |a maximum of )?" + _COUNT + r"\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:is|are) always (?:in|at|on|with|written|named|sorted|stored|kept|signed|lower"
            r"|upper"
            r"|plural|singular|given|passed)\b|\b(?:new|every|each|all) (?:[\w\ue000]+ ){1,3}(?:get"
            r"|gets|carry"
            r"|carries|starts? with|ends? (?:in|with)|lives? in|goes? (?:in|into|through)"
            r"|comes? with)\b"
            r"|\b\w+ first, (?:then |and then )?[\w\ue000]+ (?:second|later|afterwards|last)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"leave\b.{1,40}? to (?!(?:be|do|have|see|get)\b)[\w\ue000]+\W*$|(?:each|every|one"
            r"|a single)\b(?: \w+){1,3}?"
            r" (?:per|one|a single) (?!(?:second|minute|hour|day)\b)[\w\ue000]+(?:"
            r" \w+)?\W*(?:please\W*)?$",
        ),
        # limits
        (
            RuleFamily.LIMIT, _ANY,
            r"(?:\b(?:at most|no more than|not more than"
            r"|no longer than|no larger than|no bigger than|no wider than|no fewer than|no less"
            r" than|at least|maximum(?: of)?|max\.?|minimum(?: of)?|under|below|less than|fewer"
            r" than|shorter than|within|up to|not exceed|exceed(?:ing)?|limit(?:ed)? (?:of|to"
            r"|is)|capped? (?:at|to)|(?:grow|increase|rise) by (?:more|over)(?: than)?))\s+(?:the "
            r"|about |around )?"
            + _COUNT + r"\b",
        ),
        (
            RuleFamily.LIMIT, _ANY,
            r"\b(?:budget|limit|cap|maximum|max)\b(?: \w+){0,4}? (?:is|are|of|:|=)\s*" + _COUNT
            + r"|^[^\w\ue000]*" + _COUNT + r"[ -]\w+(?: \w+){0,3} (?:max|maximum|at most|tops"
            r"|limit)\b",
        ),
        # requirements
        (RuleFamily.REQUIRE, _START, r"always (?!fails?|failed|works?|worked|been|had|has|was"
        r"|is|the"
            r" same|happens?|returns?|gets?|got|crash\w*|true|false|wrong|there|a )[\w\ue000]+"),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:you|we|code|tests?|commits?|docs?|functions?|files?|branches|branch names?"
            r"|messages?|prs?|everything|variables?|names?|comments?|i|all \w+|every \w+|each"
            r" \w+|any \w+|new \w+|the \w+(?: \w+)?)\s+(?:must|should|need to|needs to|has to"
            r"|have to|shall|will) (?:always|all|each|every|also always)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"(?<!there )(?<!he )(?<!she )(?<!they )(?<!bug )(?<!problem )(?<!error"
            r" )(?<!something )(?<!cause )(?<!reason )(?<!answer )(?<!issue )(?<!i )\bmust"
            r" (?!(?:be (?:a|an|because|something|wrong|missing|due|caused|related|null|getting"
            r"|happening|coming|doing|going|confused|joking|kidding)|admit|say|confess|have"
            r" been)\b)\w+",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"(?<!where )(?<!what )(?<!how )(?<!which )(?<!if )(?<!whether )\b(?:every|each|all"
            r"|any)(?: new| single| of the| our| public| the)? (?!of\b)[\w\ue000]+(?:"
            r" [\w\ue000]+){0,3} (?:must|should|needs?(?: to)?|has to|have to|gets|requires?"
            r"|goes) (?!been|already|failed|passed|passing|stuck|slower)\w+",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:re-?)?(?:run|do|add|update|write|use|check|format|test|commit|push|build|lint"
            r"|regenerate)\b.{1,80}\b(?:after|on|for|with|in|at) (?:every|each|any)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\bi (?:need|want|expect)(?: for)? you to\b.{3,90}\b(?:every|each|always|all|whenever"
            r"|throughout"
            r"|as you go|no matter)\b",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:make (?:absolutely |damn |very )?(?:sure|certain)|ensure|be sure to|see to it"
            r"|remember to|don'?t (?:ever )?forget to|take care (?:to|that)|be careful (?:to"
            r"|with|not)|mind the|watch out|go easy on)\b(?!.{0,60}\b(?:is|are|it's) (?:also"
            r"|correct|right|fine|used|there)\b)",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:is|are) (?:strictly |absolutely |always )?(?:required|mandatory|a must"
            r"|non-negotiable|obligatory|compulsory|a hard requirement|sacred)\b|\bwhenever"
            r" you\b.{3,}[,]? \w+|\b(?:every|each|any) time you\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:from now on|going forward|from here on|henceforth|from this point|for the"
            r" (?:rest|remainder) of (?:this|the|our)|throughout (?:this|the) (?:session|project"
            r"|whole)|in (?:the )?future[, ]+(?:please|always|never|don'?t|use|run|ask|do|make"
            r"|put|keep|write|just)|as a (?:general )?rule|by default,? (?:use|write|prefer|do"
            r"|run|answer)|starting now)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:code|tests?|commits?(?: messages?)?|comments?|docs?|docstrings?|answers?"
            r"|repl(?:y|ies)|names?|functions?|files?|branch(?:es)?|imports?|errors?|messages?"
            r"|titles?|identifiers?)(?: \w+){0,2} (?:should|must|have to|need to|are to|is to"
            r"|ought to|go|goes|belong|belongs) (?:be (?:in|written|named|formatted|lower|short"
            r"|under|kept|typed|sorted|placed|signed)|use|follow|start|go in|live in|in|into"
            r"|under|have|include|end|pass|match|read)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:has|have|needs?|got) to (?:run|work|compile|build|support|pass|be compatible"
            r"|stay compatible) (?:on|with|under|for|in|everywhere|without|python|node"
            r"|offline)\b|\b(?:must|should|needs? to) (?:run|work|support|compile) (?:on|with"
            r"|under|offline|without)\b",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:always )?(?:write|answer|reply|respond|speak|talk|communicate|comment|document"
            r"|explain)(?: \w+){0,4} in (?:english|chinese|mandarin|german|french|spanish"
            r"|japanese|korean|plain|simple|the same|british|american)\b",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:strictly )?(?:follow|adhere to|conform to|comply with|stick with|obey) (?:the "
            r"|our |my |existing |all |this |those |these |pep|google|semver|[\ue000\w]+"
            r" (?:style|conventions?))",
        ),
        # preferences
        (
            RuleFamily.PREFER, _ANY,
            r"\b(?:use|write|call|pick|choose|take|import|go with|run|prefer"
            r"|want)\s[^?]{1,60}?(?:,? (?:instead of|rather than|in place of) |, not |,? and not"
            r" |; not )[\w\ue000]+|\b(?:prefer|choose|pick|favou?r)\s[^?]{1,60}? over"
            r" [\w\ue000]+|\binstead of [^,]{1,60}, (?:use|write|do|call|run|prefer)\b",
        ),
        (
            RuleFamily.PREFER, _ANY,
            r"(?:^[^\w\ue000]*(?:please |always |and |also |we |i |i'd |i would |generally "
            r"|strongly )*|\b(?:i|we|i'd|would|and|please) )(?:strongly )?prefer\b(?!ences?"
            r" (?:file|page|dialog))|\b(?:i|we)(?:'d| would) (?:rather|like (?:you to|all|the"
            r" (?:code|tests?|api|commits?|docs?)|it to (?:be|stay|look)|us to|every|things|to"
            r" (?:stick|stay|avoid)))\b|\bi (?:like|want|prefer)\b[^,?]{1,50}\b(?:better"
            r"|more) than\b"
            r"|\bi(?:'d| would) like (?!to\b|you\b|it\b|a\b|an\b"
            r"|some\b)[\w\ue000-]+(?: [\w\ue000-]+){0,2} (?:for|in"
            r"|everywhere|throughout)\b|\b(?:wherever|whenever|where|as (?:much|far"
            r"|often) as) possible\b"
            r"|^[^\w\ue000]*(?!(?:it|that|this|there)\b)[\w\ue000-]+(?: (?!is\b|are\b|was\b"
            r"|works?\b)[\w\ue000-]+)?, (?:and )?not"
            r" (?!(?:sure|yet|really|that|so|only|just|the)\b)[\w\ue000-]+(?:,| \w+|\W*$)"
            r"|\bmy preference\b|\b(?:ideally|preferably)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"(?:let'?s|lets|i(?:'d| would) (?:rather|like to)) (?:do|use|have|go (?:with|for)|take"
            r"|make|keep)\b"
            r"[^?]{1,60}? (?:instead of|rather than|over)\b|(?:favou?r|opt for|default to"
            r"|lean towards?|try to (?:keep|avoid|use|limit|not"
            r"|stick|stay|reuse|write|minimi[sz]e)|aim (?:for|to)|minimi[sz]e|reuse (?:existing"
            r"|the|what))\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"keep (?:it|the|your|all|code|things|this|every\w*|changes?|commits?|prs?|diffs?"
            r"|functions?|comments?|answers?|repl\w+|each|any|modules?|files?"
            r"|lines?)\b.{0,60}?\b(?:simple|small|minimal|short|concise|focused|tight|clean"
            r"|brief|terse|self-contained|separate|atomic|readable|pure|low|tiny|out of|free of"
            r"|consistent|lean|dependency[- ]free|sorted|private)\b|be (?:concise|brief|terse"
            r"|conservative|careful|explicit)\b|(?:minimal|small|atomic) (?:changes?|diffs?"
            r"|commits?)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"use\b[^?]{1,70}\b(?:for (?:all|every|each|any|everything|anything|tests?|commits?"
            r"|new)|everywhere|throughout|consistently|exclusively|whenever|wherever|(?:when"
            r"|where|if|as much as) possible|by default|at all times)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"use (?:only |just )?(?:pnpm|npm|yarn|bun|uv|poetry|pip|pytest|unittest|tabs|spaces"
            r"|\d+ spaces|typescript|conventional commits|semantic commits|postgres\w*"
            r"|snake.?case|camel.?case|kebab|single quotes|double quotes|british|american|metric"
            r"|utc|iso|async|type hints|dataclasses|ripgrep|rg|the existing|existing|our (?:own"
            r"|existing)|plain|vanilla|stdlib|the standard library|named exports|functional"
            r"|feature branches|semver|ruff|black|prettier)\b(?!.{0,40}\bto (?:find|check|see"
            r"|look|debug|fix|inspect|search)\b)",
        ),
        (
            RuleFamily.PREFER, _ANY,
            r"\bwe (?:always |only |exclusively )?(?:use|write|follow|stick to|deploy|name"
            r"|target)\b(?=.{0,80}\b(?:here|in this (?:repo|project|codebase)|everywhere"
            r"|exclusively|, not |instead|for (?:all|every)|only|conventions?|by convention"
            r"|always))|\b(?:one|a single) \w+(?: \w+)? (?:at a time|per (?:file|commit|pr|line"
            r"|module|class|function))\b",
        ),
)  # fmt: skip
