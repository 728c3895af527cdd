"""Constraint cues of English sentences, and what only looks like one."""

from __future__ import annotations

import re

from redline.ledger.rule import RuleFamily

# What a command of the person may stand behind: the start of the sentence or of a clause.
_CLAUSE = re.compile(
    r"(?:^|[,;:(—–!?.…\"“*]|\s-)\W*(?:(?:and|but|so|then|also|please|pls|plz|just|or|though|however|ok"
    r"|okay|btw|remember|note|important|again|no|nope|yes|yeah|well|hey|oh|now|still|instead|as|a"
    r"|reminder|rule|fyi|really|absolutely|definitely|kindly|seriously|ever|dude|man|alright|right"
    r"|sure|fine|great|cool|thanks|heads up|one more thing|lastly|finally|first|second|third"
    r"|also|actually|obviously|you should|you must|you need to|we should|we must|i said|i told you)"
    r"[,:!.]*\s+)*$|\b(?:and|but|so|then|please|just|also|or|because|though|to)\s+(?:please\s+)?$",
    re.I,
)
_OPENER = re.compile(
    r"^\W*(?:and |but |also |ok |please )?(?:when|whenever|if|while|after|before|once|for|in|on|during"
    r"|as|unless|until|at|with|under)\b",
    re.I,
)
_SUBJECT = re.compile(
    r"\b(?:i|we|you|they|he|she|it|who|which|that|why|these|those|there|people|users|some|most|many"
    r"|tests|things|ones)\s+(?:really|just|still|also|actually|generally|usually|simply|definitely)?"
    r"\s*$",
    re.I,
)
_THEIRS = re.compile(
    r"\b(?:the |our |this |that |its |their )?(?:docs?|documentation|read ?me|error|log|logs|message"
    r"|comments?|spec|rfc|linter|compiler|reviewer|coworker|colleague|teammate|boss|manager|he|she|they"
    r"|article|guide|manual|blog|tutorial|stack ?overflow|output|warning|tool|page|book|ticket|issue"
    r"|copilot|chatgpt|gemini|codex|someone|somebody|people|customer|client|vendor|api|claude)s?"
    r"(?: also| just| always| clearly| explicitly| seems to)? (?:says?|said|states?|stated|mentions?"
    r"|claims?|claimed|warns?|warned|reads?|tells?|told|suggests?|suggested|recommends?|recommended"
    r"|wrote|writes|thinks?|complains?|insists?|insisted|argues?|notes?|explains?)\b"
    r"|\b(?:according to|apparently|i (?:read|heard|saw)(?: somewhere)?|it says|says that|quote:)\b",
    re.I,
)
# A bug, a guess or an account of what happened.
_ACCOUNT = re.compile(
    r"\b(?:can'?t|cannot|couldn'?t) (?:reproduce|repro|see|find|figure|understand|tell|remember"
    r"|believe|get|log in|login|connect|open|install|load|wait|say|think|help)\b"
    r"|\b(?:this|that|it|which) (?:should|must) ?(?:never|not|n't)? ?(?:happen|be possible|have)"
    r"|\bshould(?:n'?t| never| not) (?:happen|be happening|have happened)"
    r"|\b(?:must|should|might|could) have\b|\bmust'?ve\b|\bused to\b"
    r"|\b(?:keeps?|kept) (?:failing|crashing|throwing|returning|getting|saying|showing|happening)\b"
    r"|\b(?:it|this|that|there|he|she|they|which) (?:only|always|never|must)\b"
    r"|\b(?:i|we) (?:only|always|never) (?:got|get|had|saw|see|did|said|ran|used|tried|asked|noticed"
    r"|wanted|knew|thought|heard|made|touched|found|seen|met)\b"
    r"|\bno longer (?:works?|exists?|happens?|fails?|there)\b"
    r"|\b(?:do|does|did)(?:n'?t| not) (?:work|exist|compile|build|pass|start|match|show|render|load|run"
    r"|seem|look|appear|happen|make sense|matter|help|respond|return|support)\b",
    re.I,
)
# What a product must do for its users is work, no rule for the agent.
_PRODUCT = re.compile(
    r"\b(?:users?|admins?|customers?|guests?|visitors?|members?|clients?|players?|owners?|people"
    r"|the (?:button|field|form|page|dialog|modal|input|label|menu|user|popup|tooltip|endpoint"
    r"|cache|server|client|worker|job|queue|row|column|value|icon|header|footer|sidebar|screen))"
    r"(?: \w+){0,3} (?:can(?:not|'t)?|may|must|should|shall|will|are|is|have|has)\b",
    re.I,
)
_WORK = re.compile(
    r"^\W*(?:(?:please|now|ok|then|also|next|and|so|can you|could you|let'?s|i (?:want|need) you to"
    r"|we need to|i'd like you to)[, ]+)*(?:add|implement|create|build|write|make|fix|change|update"
    r"|show|display|render|extend|introduce|design|generate|rename|refactor)\b.*?\b(?:that|which|where"
    r"|who|so|when|if|because|where)\b",
    re.I,
)
_QUESTION = re.compile(
    r"\?\W*$|^\W*(?:(?:and|but|so|ok|hmm+|also|wait|well)[, ]+)*(?:why|what|how|who|where|when (?:do|did"
    r"|does|should|will|is|are)|which|is|are|does|do (?:i|we|you|they)|did|should (?:i|we|it|this"
    r"|that)|would|could (?:it|this|that|we)|can (?:i|it|this|that)|shall|has|have (?:you|we)|was"
    r"|were|isn'?t|aren'?t|doesn'?t|didn'?t|won'?t|wouldn'?t|shouldn'?t (?:we|it|this|that)|am i"
    r"|don'?t (?:you|we|they))\b",
    re.I,
)
_POLITE = re.compile(
    r"\b(?:can|could|would|will|may) (?:you|we|u)\b(?: please| pls| also| just| maybe| kindly| make it"
    r" so (?:that )?(?:we|you))*\s+(?:(?:try to|agree to) )?"
    r"(?P<ask>not\b|never\b|only\b|always\b|avoid\b|refrain\b|stick to\b|stop \w+ing\b|leave\b.{1,60}"
    r"\b(?:alone|as is|untouched|as it is)|keep\b(?!\s+(?:going|working|trying|reading))"
    r".{1,80}|limit\b|use\b.{1,50}\b(?:instead|rather|everywhere|from now on)|ask (?:me )?(?:first"
    r"|before)|wait (?:for|until)\b|hold off\b|preserve\b|respect\b|follow\b|make sure\b.{0,30}"
    r"\b(?:not|never|no|always|every|stays?|remains?)\b|ensure\b.{0,30}\b(?:not|never|no|stays?)\b"
    r"|do\b.{1,40}\bwithout\b)"
    r"|\bwould you mind (?:not|keeping|leaving|using)\b|\b(?:can|could) (?:that|this|it|these|they)"
    r" (?:please )?stay\b|\bfrom now on\b|\bgoing forward\b",
    re.I,
)
_SCOLD = re.compile(
    r"\b(?:did(?:n'?t| not) i|have(?:n'?t| not) i|did i not)\s+(?:already )?(?:tell|told|say|said|ask"
    r"|asked|mention)|\bhow (?:many times|often) (?:do|did|have|must) i\b|\bwhy (?:are|did|do) you"
    r" (?:still |keep |again )?.{0,40}\b(?:again|still|when i (?:said|told|asked)|i (?:said|told you))",
    re.I,
)

_VERB_NO = (
    r"(?!(?:you )?(?:worry|hesitate|know|think|see|get|remember|mind|care|understand|panic|recall|feel"
    r"|believe|like|love|agree|really|even know|even think|forget|you (?:think|know|see|agree|want"
    r"|need|have|love)|we (?:need|have|already|want|just|do)|have (?:to|a|any|the|time|access)|need to"
    r"|want to know|want to be rude|let me down|give up|be sorry|blame|ask me why|work|exist|matter)\b)"
)
_DOING = (
    r"(?:touch|edit|change|modify|use|work|write|read|run|add|commit|push|fix|look|import|test|deploy"
    r"|update|make|create|delete|remove|do|include|support|target|log|return|call|ask|answer|output"
    r"|show|reply|respond|install|merge|format|refactor|rename|bump|upgrade|export|depend|rely|allow"
    r"|accept|reference|cite|mention|print|report|stage|apply|start|implement|keep|move|generate)"
)
_COUNT = r"(?:[~$€£]?\s*\d[\d.,]*\s?[kKmM%]?|one|two|three|four|five|six|seven|eight|ten|a dozen)"
_GATE_ACTS = (
    r"(?:you |we |every |each |any |the |a |committing|pushing|merging|making|changing|deleting"
    r"|touching|editing|starting|running|deploying|opening|adding|installing|implementing|writing"
    r"|removing|refactoring|creating|doing|moving|modifying|publishing|releasing|dropping|applying"
    r"|bumping|upgrading|proceeding|continuing|going|submitting|finishing|commits?\b|coding|renaming)"
)

_START, _ANY = True, False
_CUES: tuple[tuple[RuleFamily, bool, re.Pattern[str]], ...] = tuple(
    (family, start, re.compile(pattern, re.I))
    for family, start, pattern in (
        # corrections: what follows says what was meant
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\bi (?:already |clearly |explicitly |just )?(?:said|told you|asked(?: you)?|mentioned)"
            r"(?: that| you| to| it's)?\W+(?:(?:you )?(?:should |must )?(?:not|never|no)\b|don'?t|do not"
            r"|stop|leave|hands)",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\bi (?:already |clearly |explicitly |just )?(?:said|told you|asked(?: you)? (?:to|for))"
            r"\W+(?:to\b|only|use|keep|always|please|we (?:use|want|need)|it (?:must|should|has to)"
            r"|\w+ first|(?:at )?(?:most|least))",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:how many times|for the (?:last|second|third|hundredth|nth|\d+th) time|as i said|like i"
            r" said|once again|i repeat|again)[,:!]\s*\w+",
        ),
        # gates
        (
            RuleFamily.GATE, _ANY,
            r"\bwithout (?:first )?(?:asking|checking with|telling|consulting|confirming|running it by"
            r"|my|our|explicit|prior|approval|permission|consent|me (?:saying|approving|asking)"
            r"|clearing|discussing|a review|review)\b",
        ),
        (
            RuleFamily.GATE, _START,
            r"(?:always )?(?:ask|check with|consult|confirm with|ping|warn|notify|tell|run it by)"
            r" (?:me|us)\b.{0,80}\b(?:before|first|prior|if|when|whenever)\b",
        ),
        (RuleFamily.GATE, _START, r"(?:always )?ask (?:first|before|for (?:my|permission|approval))\b"),
        (
            RuleFamily.GATE, _START,
            r"wait (?:for|until|till) (?:my|me|i|the|a|us|we)\b|(?:stop|pause) (?:there )?and (?:ask|wait)"
            r"|hold off (?:on |until|with|for)|check (?:in )?with me\b|get my (?:ok|approval|sign)",
        ),
        (
            RuleFamily.GATE, _ANY,
            r"\b(?:until|unless|once|after|if|when) (?:and until )?i(?:'ve| have)? (?:explicitly |"
            r"specifically |actually )?(?:say|said|approved?|confirm(?:ed)?|tell|told|give|gave|given"
            r"|reviewed|review|sign(?:ed)?|ok(?:'d|ay|ayed)?|ask(?:ed)?|agree|request(?:ed)?)\b"
            r"|\bunless (?:explicitly |specifically )?(?:asked|told|requested|necessary|instructed|i )"
            r"|\b(?:until|before) (?:my (?:ok|approval|review|go)|i get back)",
        ),
        (
            RuleFamily.GATE, _ANY,
            r"\bi(?:'d| would)? (?:want|need|like|have|must|get) to (?:review|approve|see|sign off|check"
            r"|read|look at|confirm|ok)\b.{0,60}\b(?:before|first|prior)\b"
            r"|\b(?:needs?|requires?) my (?:ok|approval|sign-?off|review|consent|permission|go)"
            r"|\brun (?:it|that|this|them|any \w+|everything) (?:by|past) me\b"
            r"|\b(?:show|send) me\b.{0,60}\b(?:before|first)\b",
        ),
        (
            RuleFamily.GATE, _ANY,
            r"\b(?:run|ask|check|wait|confirm|update|get|lint|format|test|verify|build|rebase|back ?up"
            r"|read|write|make sure|ensure|review|squash|pull)\b.{0,80}\bbefore " + _GATE_ACTS,
        ),
        (
            RuleFamily.GATE, _START,
            r"before (?!we (?:continue|start|go|move|do|begin|proceed)|i (?:forget|go|leave)|that|this,)"
            + _GATE_ACTS + r".{0,80}[,:]?\s\w+",
        ),
        (
            RuleFamily.GATE, _START,
            r"(?:when|whenever|once|every time|each time|after) you(?:'re| are|'ve| have)? (?:finish"
            r"|done|finished|complete|touch|change|add|commit|edit|modify|create|write|make|rename)",
        ),
        # exclusive
        (RuleFamily.ONLY, _START, r"only (?:ever )?" + _DOING + r"\b"),
        (
            RuleFamily.ONLY, _ANY,
            r"\b(?:you|we) (?:can|may|should|must|are(?: allowed)? to|will)(?: only| just) \w+"
            r"|\b(?:you|we) only (?:need to |have to )?" + _DOING + r"\b",
        ),
        (
            RuleFamily.ONLY, _ANY,
            r"\bi(?:'d| would)?(?: only| just) (?:want|need|care about|accept|like)\b"
            r"|\b(?:should|must|may|can|to|please|will|be) only (?:be |ever )?" + _DOING
            + r"|\b(?:should|must) only (?:live|go|be|contain|have|talk)\b",
        ),
        (
            RuleFamily.ONLY, _START,
            r"(?:please )?(?:stick (?:to|with)|limit (?:yourself|your\w*|it|changes?|the \w+|all \w+) to"
            r"|restrict (?:yourself|it|changes?|the \w+) to|confine|keep (?:it |this |everything |your"
            r" changes |changes |the change |edits )(?:inside|within|to|in)|stay (?:within|inside|in|on)"
            r"|work only|focus only|focus (?:solely|exclusively)|just (?:do|fix|touch|change|edit|make)"
            r" (?:the|what|this|that)\b.{0,60}\b(?:nothing|only|not))\b",
        ),
        (
            RuleFamily.ONLY, _ANY,
            r"\bnothing (?:else|but|other than|outside|beyond|more)\b(?! (?:works?|helps?|happens?|to"
            r" (?:do|report|see|add)|matters|changed))|\b(?:exclusively|solely)\b|\bnot(?:hing)? (?:one"
            r" )?(?:line )?(?:more|else)\W*$|\band that'?s (?:it|all)\W*$",
        ),
        (
            RuleFamily.ONLY, _ANY,
            r"(?<!\bif)(?<!\bthe)(?<!\bread)(?<!\bnot) only(?: please| for now| though| from now on)?"
            r"(?:\W*$|\s*[-–—,;(])",
        ),
        # prohibitions
        (RuleFamily.PROHIBIT, _START, r"(?:do not|don'?t|dont)\s+(?:you )?(?:ever |dare )?" + _VERB_NO
            + r"[\w\ue000]"),
        (RuleFamily.PROHIBIT, _START, r"never\b(?! ?(?:mind|ending|said|did|again\W*$|seen|had|heard"
            r"|got|was|been|happened|works?))\s+[\w\ue000]"),
        (
            RuleFamily.PROHIBIT, _START,
            r"(?:avoid|refrain from|stay away from|stay out of|keep out of|keep your (?:hands|fingers)"
            r" off|keep off|hands off|steer clear of|stop (?:\w+ly )?\w+ing|quit \w+ing|no touching"
            r"|forget about|drop the)\b(?! (?:working|failing|responding|compiling|happening))",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:you|we|nobody|no one|nothing|code|tests?|commits?|agents?|it|they|file|files|changes"
            r"|branch|api|and)\s+(?:really |absolutely |definitely )?(?:must|may|should|shall|can|need"
            r"s? to|ha(?:s|ve) to)\s*(?:not|never|n'?t|in no way)\b(?! (?:be hard|take long|be a problem"
            r"|be too|be able|be an issue|happen|see|find|tell|be difficult|only))"
            r"|\b(?:must|shall)(?:n'?t| not| never)\b|\bmay not\b(?= \w+)(?! (?:be|have|work|need|know"
            r"|exist|want|fit))"
            r"|\b(?:you|we|code|tests?|commits?|it|files?|changes) (?:shouldn'?t|mustn'?t|can'?t|cannot)"
            r" (?!be (?:hard|too|a problem|that)|take|happen|have (?:happened|been)|see|find)" + _DOING,
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:is|are|stays?|remains?|be|,|those|these|that|all|this)\s*(?:absolutely |strictly"
            r" |completely |totally |still |also |now )?(?:not allowed|off[- ]limits|forbidden|prohibited"
            r"|out of bounds|untouchable|not permitted|out of scope|banned|taboo|a no-go|verboten|frozen"
            r"|read-only|sacred|not to be \w+|unacceptable|not acceptable|not an option|a hard no|not ok"
            r"|not okay|deal-?breakers?)\b(?! by (?:cors|the server|the browser|default))"
            r"|^\W*(?:off[- ]limits|forbidden|out of scope|not allowed|banned)\b",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\bunder no circumstances\b|\bin no (?:case|way|event)\b|\bat no (?:point|time)\b"
            r"|\bnot under any circumstances\b|\bno matter what\b|\bwhatever you do\b|\bon no account\b",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:i|we)(?: really| absolutely| definitely)? (?:do not|don'?t|never|won'?t|would not"
            r"|wouldn'?t)(?: really| ever)? (?:want|need|allow|accept|tolerate|use|commit|ship|like"
            r"|merge|write|add|mock|push|do|put|care for)\b(?! to (?:know|be|lose|spend|sound|hear|waste"
            r"|wait|go|bother|miss|argue))(?! (?:that|it|this|one|them)?\W*$)(?! (?:know|see|think))"
            r"|\bi(?:'d| would) (?:rather|prefer)(?: you| we| it)?(?: did)?(?: to)? not\b"
            r"|\bi(?:'d| would)? (?:want|like|need)(?: you| it| us)? (?:to not|not to|to never|to avoid)\b"
            r"|\b(?:try|be sure|make sure|please|remember|careful) (?:to )?(?:not|never)(?: to)?\b"
            r"|\bmake sure (?:that )?(?:you|we|it|nothing|no|the \w+)? ?(?:do|does|are|is)?(?:n'?t| not|"
            r" never| no)\b",
        ),
        (
            RuleFamily.PROHIBIT, _START,
            r"(?:absolutely |definitely |please |and |strictly |zero |ok |sorry )*no (?!(?:problem|idea"
            r"|worries|worry|need|way|such|longer|matter|one|luck|rush|doubt|clue|errors?|difference"
            r"|that|it|this|we|i|you|there|they|he|she|the|but|not|and|just|please|don|do|let|more than"
            r"|questions?|thanks|reason|hurry|biggie|sweat|result|output|response|change|surprise"
            r"|wonder|effect|progress|news|point|sign|trace|is|a|what|still|can|use|go|sense|comment\b"
            r"|pressure|offense|harm|further questions|other way|good|real|luck|tests? (?:found|ran"
            r"|were)|match(?:es)?)\b)"
            r"(?:[\w\ue000'-]+ ?){1,6}(?:\W|$)(?!(?:found|yet|available|were|was|exists?|reported|so far)\b)",
        ),
        (RuleFamily.PROHIBIT, _START, r"(?:let'?s|lets) (?:not|never|avoid|stop)\b(?! forget)"),
        (RuleFamily.PROHIBIT, _START, r"(?:please )?not (?:a single|one|any|in|on|the|with)\b.{3,}"),
        # preserve
        (
            RuleFamily.PRESERVE, _START,
            r"(?:leave|let)\b.{1,80}?\b(?:alone|as (?:it |they )?(?:is|are|was|were)|as-is|untouched"
            r"|unchanged|intact|in place|where (?:it|they)|the way (?:it|they)|out of (?:it|this)|be\W*$"
            r"|exactly)\b",
        ),
        (
            RuleFamily.PRESERVE, _START,
            r"(?:keep|maintain|preserve|retain)\b.{1,100}?\b(?:as (?:it |they )?(?:is|are|was|were)|as-is"
            r"|unchanged|intact|around|untouched|working|stable|the same|compatible|compatibility"
            r"|in place|for reference|alive|identical|where (?:it|they)|the way (?:it|they)|byte for byte"
            r"|in sync|up to date|green|passing)\b",
        ),
        (RuleFamily.PRESERVE, _START, r"(?:preserve|retain|respect|honou?r)\b\s+[\w\ue000]+"),
        (
            RuleFamily.PRESERVE, _ANY,
            r"\b(?:must|should|has to|have to|needs? to|got to|gotta|shall|ought to|is to|are to)"
            r" (?:always |still |all )?(?:stay|remain|continue|keep|be (?:left|kept|preserved"
            r"|backwards?|compatible|stable))\b|\bneed to keep\b|\bbackwards?[- ]compatib\w+\b(?=.*\b(?:"
            r"must|keep|required?|stay|important|need|break)\b)|\b(?:stays?|remains?) (?:as (?:it )?is"
            r"|put|untouched|unchanged|the way|where)\b",
        ),
        # limits
        (
            RuleFamily.LIMIT, _ANY,
            r"(?:\b(?:keep|must|should|has to|have to|needs? to|limit|cap|stay|make|want|spend|use|write"
            r"|please|don'?t|budget|only|touch|change|max|maximum|nothing|never|be|are|is|with|in|^\W*)"
            r"\b.{0,80}?)?(?:\b(?:at most|no more than|not more than|no longer than|no larger than"
            r"|no bigger than|no wider than|no fewer than|no less than|at least|maximum(?: of)?|max\.?"
            r"|minimum(?: of)?|under|below|less than|fewer than|shorter than|within|up to|not exceed"
            r"|exceed(?:ing)?|limit(?:ed)? (?:of|to|is)|capped? (?:at|to)))\s+(?:the |about |around )?"
            + _COUNT + r"\b",
        ),
        (
            RuleFamily.LIMIT, _ANY,
            r"\b(?:budget|limit|cap|maximum|max)\b(?: \w+){0,4}? (?:is|are|of|:|=)\s*" + _COUNT
            + r"|^\W*" + _COUNT + r"[ -]\w+(?: \w+){0,3} (?:max|maximum|at most|tops|limit)\b",
        ),
        # requirements
        (RuleFamily.REQUIRE, _START, r"always (?!fails?|failed|works?|worked|been|had|has|was|is|the"
            r" same|happens?|returns?|gets?|got|crash\w*|true|false|wrong|there|a )[\w\ue000]+"),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:you|we|it|they|code|tests?|commits?|docs?|functions?|files?|branches|branch names?"
            r"|messages?|prs?|everything|variables?|names?|comments?|i|all \w+|every \w+|each \w+|any"
            r" \w+|new \w+|the \w+(?: \w+)?)\s+(?:must|should|need to|needs to|has to|have to|shall|will)"
            r" (?:always|all|each|every|also always)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"(?<!it )(?<!this )(?<!that )(?<!there )(?<!he )(?<!she )(?<!they )(?<!bug )(?<!problem )"
            r"(?<!error )(?<!something )(?<!cause )(?<!reason )(?<!answer )(?<!issue )(?<!i )"
            r"\bmust (?!(?:be (?:a|an|because|something|wrong|missing|due|caused|related|null|getting"
            r"|happening|coming|doing|going|confused|joking|kidding)|admit|say|confess|have been)\b)\w+",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:every|each|all|any)(?: new| single| of the| our| public| the)? [\w\ue000]+(?: [\w\ue000]"
            r"+){0,3} (?:must|should|needs?(?: to)?|has to|have to|gets?|requires?|goes|go|ha(?:s|ve)) "
            r"(?!been|already|failed|passed|passing)\w+",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:make (?:absolutely |damn |very )?(?:sure|certain)|ensure|be sure to|see to it|remember to"
            r"|don'?t (?:ever )?forget to|take care (?:to|that)|be careful (?:to|with|not)|mind the"
            r"|watch out)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:is|are) (?:strictly |absolutely |always )?(?:required|mandatory|a must|non-negotiable"
            r"|obligatory|compulsory|a hard requirement|sacred)\b|\bwhenever you\b.{3,}[,]? \w+"
            r"|\b(?:every|each|any) time you\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:from now on|going forward|from here on|henceforth|from this point|for the (?:rest|"
            r"remainder) of (?:this|the|our)|throughout (?:this|the) (?:session|project|whole)|in (?:the"
            r" )?future[, ]+(?:please|always|never|don'?t|use|run|ask|do|make|put|keep|write|just)|as a"
            r" (?:general )?rule|by default,? (?:use|write|prefer|do|run|answer)|starting now)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:code|tests?|commits?(?: messages?)?|comments?|docs?|docstrings?|answers?|repl(?:y|ies)"
            r"|names?|functions?|files?|branch(?:es)?|imports?|errors?|messages?|titles?|identifiers?)"
            r"(?: \w+){0,2} (?:should|must|have to|need to|are to|is to|ought to|go|goes|belong|belongs)"
            r" (?:be (?:in|written|named|formatted|lower|short|under|kept|typed|sorted|placed|signed)|use"
            r"|follow|start|go in|live in|in|into|under|have|include|end|pass|match|read)\b",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:has|have|needs?|got) to (?:run|work|compile|build|support|pass|be compatible|stay"
            r" compatible) (?:on|with|under|for|in|everywhere|without|python|node|offline)\b"
            r"|\b(?:must|should|needs? to) (?:run|work|support|compile) (?:on|with|under|offline|without)\b",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:always )?(?:write|answer|reply|respond|speak|talk|communicate|comment|document|explain)"
            r"(?: \w+){0,4} in (?:english|chinese|mandarin|german|french|spanish|japanese|korean|plain"
            r"|simple|the same|british|american)\b",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:strictly )?(?:follow|adhere to|conform to|comply with|stick with|obey) (?:the |our |my"
            r" |existing |all |this |those |these |pep|google|semver|[\ue000\w]+ (?:style|conventions?))",
        ),
        # preferences
        (
            RuleFamily.PREFER, _ANY,
            r"\b(?:use|write|call|pick|choose|take|import|go with|run|prefer|want|need)\s[^?]{1,60}?"
            r"(?:,? (?:instead of|rather than|in place of|over) |, not |,? and not |;? not )[\w\ue000]+"
            r"|\binstead of [^,]{1,60}, (?:use|write|do|call|run|prefer)\b",
        ),
        (
            RuleFamily.PREFER, _ANY,
            r"(?:^\W*(?:please |always |and |also |we |i |i'd |i would |generally |strongly )*|\b(?:i|we|i'd"
            r"|would|and|please) )(?:strongly )?prefer\b(?!ences? (?:file|page|dialog))"
            r"|\b(?:i|we)(?:'d| would) (?:rather|like (?:you to|all|the (?:code|tests?|api|commits?|docs?)"
            r"|it to (?:be|stay|look)|us to|every|things|to (?:stick|stay|avoid)))\b"
            r"|\bmy preference\b|\b(?:ideally|preferably)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"(?:favou?r|opt for|default to|lean towards?|try to (?:keep|avoid|use|limit|not|stick|stay"
            r"|reuse|write|minimi[sz]e)|aim (?:for|to)|minimi[sz]e|reuse (?:existing|the|what))\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"keep (?:it|the|your|all|code|things|this|every\w*|changes?|commits?|prs?|diffs?|functions?"
            r"|comments?|answers?|repl\w+|each|any|modules?|files?|lines?)\b.{0,60}?\b(?:simple|small|minimal"
            r"|short|concise|focused|tight|clean|brief|terse|self-contained|separate|atomic|readable|pure"
            r"|low|tiny|out of|free of|consistent|lean|dependency[- ]free|sorted|private)\b"
            r"|be (?:concise|brief|terse|conservative|careful|explicit)\b|(?:minimal|small|atomic) (?:changes?"
            r"|diffs?|commits?)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"use\b[^?]{1,70}\b(?:for (?:all|every|each|any|everything|anything|tests?|commits?|new)"
            r"|everywhere|throughout|consistently|exclusively|whenever|wherever|(?:when|where|if|as much"
            r" as) possible|by default|at all times)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"use (?:only |just )?(?:pnpm|npm|yarn|bun|uv|poetry|pip|pytest|unittest|tabs|spaces|\d+ spaces"
            r"|typescript|conventional commits|semantic commits|postgres\w*|snake.?case|camel.?case|kebab"
            r"|single quotes|double quotes|british|american|metric|utc|iso|async|type hints|dataclasses"
            r"|ripgrep|rg|the existing|existing|our (?:own|existing)|plain|vanilla|stdlib|the standard"
            r" library|named exports|functional|feature branches|semver|ruff|black|prettier)\b"
            r"(?!.{0,40}\bto (?:find|check|see|look|debug|fix|inspect|search)\b)",
        ),
        (
            RuleFamily.PREFER, _ANY,
            r"\bwe (?:always |only |exclusively )?(?:use|write|follow|stick to|deploy|name|target)\b"
            r"(?=.{0,80}\b(?:here|in this (?:repo|project|codebase)|everywhere|exclusively|, not |instead"
            r"|for (?:all|every)|only|conventions?|by convention|always))|\b(?:one|a single) \w+(?: \w+)? (?:at a time|per (?:file|commit"
            r"|pr|line|module|class|function))\b",
        ),
    )
)  # fmt: skip
_WEAK = 150  # characters of a sentence that a cue of a plain "no ..." or "again" may have
_WEAK_CUE = re.compile(r"\W*(?:no|again|once again|not)\b", re.I)


def english_family(sentence: str) -> RuleFamily | None:
    """What the masked English `sentence` asks of the agent, None where it states no constraint."""
    polite = _POLITE.search(sentence)
    scold = _SCOLD.search(sentence)
    if _QUESTION.search(sentence) and not polite and not scold:
        return None
    if _THEIRS.search(sentence) or (_ACCOUNT.search(sentence) and not scold):
        return None
    product = _PRODUCT.search(sentence)
    work = _WORK.search(sentence)
    for family, start, cue in _CUES:
        for match in cue.finditer(sentence):
            before = sentence[: match.start()]
            if start and not _leads(before):
                continue
            if product and match.end() > product.start() and product.start() < match.end():
                continue
            if (
                work
                and match.start() >= work.end()
                and "," not in sentence[work.end() : match.start()]
            ):
                continue
            if _WEAK_CUE.match(match.group()) and len(sentence) > _WEAK:
                continue
            return family
    if polite:
        return _asked(polite.group("ask") or "")
    if scold:
        return RuleFamily.PROHIBIT
    return None


def _leads(before: str) -> bool:
    """Whether a command may start behind `before`."""
    if _CLAUSE.search(before):
        return not _SUBJECT.search(before)
    return bool(_OPENER.match(before)) and not _SUBJECT.search(before)


def _asked(what: str) -> RuleFamily:
    word = what.partition(" ")[0].lower()
    if word in ("not", "never", "avoid", "refrain", "stop"):
        return RuleFamily.PROHIBIT
    if word in ("keep", "leave", "preserve"):
        return RuleFamily.PRESERVE
    if word in ("only", "stick", "limit"):
        return RuleFamily.ONLY
    return RuleFamily.GATE if word in ("ask", "wait", "hold") else RuleFamily.REQUIRE
