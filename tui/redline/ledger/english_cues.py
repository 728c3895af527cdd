"""The words by which English sentences state constraints, family by family."""

from __future__ import annotations

import re

from redline.ledger.rule import RuleFamily

_VERB_NO = (
    r"(?!(?:you )?(?:worry|hesitate|know|think|see|get|remember|mind|care|understand|panic"
    r"|recall|feel|believe|like|love|agree|really|even know|even think\b(?! (?:about|of))|forget"
    r"|you (?:think|know|see|agree|want|need|have|love)|we (?:need|have|already|want|just|do)"
    r"|have (?:to|a|any|the|time|access)|need to|want to know|want to be rude|let me down|give"
    r" up|be sorry|blame|ask me why|work|exist|matter)\b)"
)
_DOING = (
    r"(?:touch|edit|change|modify|use|work|write|read|run|add|commit|push|fix|look|import|test"
    r"|deploy|update|make|create|delete|remove|do|include|support|target|log|return|call|ask"
    r"|answer|output|show|reply|respond|install|merge|format|refactor|rename|bump|upgrade|export"
    r"|depend|rely|allow|accept|reference|cite|mention|print|report|stage|apply|start|implement"
    r"|keep|move|generate)"
)
_COUNT = r"(?:[~$€£]?\s*\d[\d.,]*\s?[kKmM%]?|one|two|three|four|five|six|seven|eight|ten|a dozen)"
_GATE_ACTS = (
    r"(?:you |we |every |each |any |the |a |committing|pushing|merging|making|changing|deleting"
    r"|touching|editing|starting|running|deploying|opening|adding|installing|implementing"
    r"|writing|removing|refactoring|creating|doing|moving|modifying|publishing|releasing"
    r"|dropping|applying|bumping|upgrading|proceeding|continuing|going|submitting|finishing"
    r"|commits?\b|coding|renaming)"
)

_START, _ANY = True, False
CUES: tuple[tuple[RuleFamily, bool, re.Pattern[str]], ...] = tuple(
    (family, start, re.compile(pattern, re.I))
    for family, start, pattern in (
        # corrections: what follows says what was meant
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\bi (?:already |clearly |explicitly |just )?(?:said|told you|asked(?: you)?"
            r"|mentioned)(?: that| you| to| it's)?\W+(?:(?:you )?(?:should |must )?(?:not|never"
            r"|no)\b|don'?t|do not|stop|leave|hands)",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\bi (?:already |clearly |explicitly |just )?(?:said|told you|asked(?: you)? (?:to"
            r"|for))\W+(?:to\b|only|use|keep|always|please|we (?:use|want|need)|it (?:must"
            r"|should|has to)|\w+ first|(?:at )?(?:most|least))",
        ),
        (
            RuleFamily.REQUIRE, _ANY,
            r"\b(?:how many times|for the (?:last|second|third|hundredth|nth|\d+th) time|(?:as"
            r"|like) i said(?: \w+){0,3}|i repeat)[,:!]\s*\w+|^[^\w\ue000]*(?:once"
            r" )?again[,:!]\s*\w+",
        ),
        # gates
        (
            RuleFamily.GATE, _ANY,
            r"\bwithout (?:first )?(?:asking|checking with|telling|consulting|confirming|running"
            r" it by|my|our|explicit|prior|approval|permission|consent|me (?:saying|approving"
            r"|asking)|clearing|discussing|a review|review)\b",
        ),
        (
            RuleFamily.GATE, _START,
            r"(?:always )?(?:ask|check with|consult|confirm with|ping|warn|notify|run it by)"
            r" (?:me|us)\b.{0,80}\b(?:before|first|prior|if|when|whenever)\b|tell (?:me"
            r"|us)\b.{0,80}\b(?:before|first|prior)\b",
        ),
        (RuleFamily.GATE, _START, r"(?:always )?ask (?:first|before|for (?:my|permission"
        r"|approval))\b"),
        (
            RuleFamily.GATE, _START,
            r"wait (?:for|until|till) (?:my|me|i|the|a|us|we)\b|(?:stop|pause) (?:there )?and"
            r" (?:ask|wait)|hold (?:off|back)\b|check (?:in )?with me\b|get my (?:ok|approval"
            r"|sign)",
        ),
        (
            RuleFamily.GATE, _ANY,
            r"\b(?:until|unless|once|after|if|when) (?:and until )?i(?:'ve| have)? (?:explicitly"
            r" |specifically |actually )?(?:say|said|approved?|confirm(?:ed)?|tell|told|give"
            r"|gave|given|reviewed|review|sign(?:ed)?|ok(?:'d|ay|ayed)?|ask(?:ed)?|agree"
            r"|request(?:ed)?)\b|\bunless (?:explicitly |specifically )?(?:asked|told|requested"
            r"|necessary|instructed|i )|\b(?:until|before) (?:my (?:ok|approval|review|go)|i get"
            r" back)",
        ),
        (
            RuleFamily.GATE, _ANY,
            r"\bi(?:'d| would)? (?:want|need|like|have|must|get) to (?:review|approve|see|sign"
            r" off|check|read|look at|confirm|ok)\b.{0,60}\b(?:before|first|prior)\b|\b(?:needs?"
            r"|requires?) my (?:ok|approval|sign-?off|review|consent|permission|go)|\brun (?:it"
            r"|that|this|them|any \w+|everything) (?:by|past) me\b|\b(?:show|send)"
            r" me\b.{0,60}\b(?:before|first)\b|\blet me (?:see|look|check|review|read|approve"
            r"|confirm)\b.{0,60}\b(?:before|first)\b|^[^\w\ue000]*\w+ first, (?:then|and then"
            r"|only then)\b",
        ),
        (
            RuleFamily.GATE, _ANY,
            r"\b(?:run|ask|check|wait|confirm|update|get|lint|format|test|verify|build|rebase"
            r"|back ?up"
            r"|read|write|make sure|ensure|review|squash|pull)\b.{0,80}\bbefore " + _GATE_ACTS,
        ),
        (
            RuleFamily.GATE, _START,
            r"before (?!we (?:continue|start|go|move|do|begin|proceed)|i (?:forget|go|leave)"
            r"|that|this,)"
            + _GATE_ACTS + r".{0,80}[,:]?\s\w+",
        ),
        (
            RuleFamily.GATE, _START,
            r"(?:when|whenever|once|every time|each time|after) you(?:'re| are|'ve| have)?"
            r" (?:finish|done|finished|complete|touch|change|add|commit|edit|modify|create|write"
            r"|make|rename)",
        ),
        # exclusive
        (RuleFamily.ONLY, _START, r"only (?:ever )?" + _DOING + r"\b"),
        (
            RuleFamily.ONLY, _ANY,
            r"\bthe only [\w\ue000]+(?: \w+){0,3} (?:you|we)(?:'re| are)? (?:may|can|should|must"
            r"|allowed)|^[^\w\ue000]*(?:[\w.+#]+ ){1,2}only (?:in|for|on|within|from)\b",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:nobody|no one|nothing|only (?:i|me)) (?:edits|touches|changes|modifies|merges"
            r"|pushes|commits|deletes|gets|goes|leaves|writes|is to)\b|\bnever (?:go(?:es)?"
            r"|belongs?|gets?|leaves?|enters?|lands?|appears?|ships?) (?:in|into|to|on|under"
            r"|out)\b|\b(?:you|we|they|files?|tests?) (?:are not|aren't|are never) to [a-z]+",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\bnothing\b.{0,60}\b(?:may|must|should|can|is allowed to)\b(?! (?:be (?:done|seen"
            r"|found)|i|you|we)\b)|\bnever,? (?:and|ever|under)\b",
        ),
        (RuleFamily.PREFER, _START, r"(?:let'?s|lets) (?:stick (?:to|with)|only|always|leave)\b"),
        (
            RuleFamily.REQUIRE, _ANY,
            r",? (?:always|every time|each time|no exceptions|without exceptions?)\W*$"
            r"|\b(?:it'?s|it is|is) (?:very |really |super |absolutely )?(?:important|crucial"
            r"|essential|vital|critical|imperative) (?:that|to|you|we|:)"
            r"|\ball\b.{1,50}\b(?:belong|go|live|come)s? (?:in|into|under|to|with|from)\b"
            r"|\b(?:new|public|existing|all) \w+(?: \w+)? (?:should|must|has to|have to|needs?"
            r" to) (?!work|be (?:fine|ok|there|done)|have (?:been|failed))\w+",
        ),
        (RuleFamily.PRESERVE, _START, r"(?:treat|consider)\b.{1,80}\bas [\w\ue000]+"),
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
            r"(?:please )?(?:stick (?:to|with)|limit (?:yourself|your\w*|it|changes?|the \w+|all"
            r" \w+) to|restrict (?:yourself|it|changes?|the \w+) to|confine|keep (?:it |this "
            r"|everything |your changes |changes |the change |edits )(?:inside|within|to|in)"
            r"|stay (?:within|inside|in|on)|work only|focus only|focus (?:solely|exclusively)"
            r"|just (?:do|fix|touch|change|edit|make) (?:the|what|this"
            r"|that)\b.{0,60}\b(?:nothing|only|not))\b",
        ),
        (
            RuleFamily.ONLY, _ANY,
            r"\bnothing (?:else|but|other than|outside|beyond|more)\b(?!\)| (?:works?|helps?"
            r"|happens?|to (?:do|report|see|add)|matters|changed))|\b(?:exclusively|solely)\b"
            r"|\bnot(?:hing)? (?:one )?(?:line )?(?:more|else)\W*$|\band that'?s (?:it|all)\W*$",
        ),
        (
            RuleFamily.ONLY, _ANY,
            r"(?<!\bif)(?<!\bthe)(?<!\bread)(?<!\bnot) only(?: please| for now| though| from now"
            r" on)?(?:\W*$|\s*[-–—,;])",
        ),
        # prohibitions
        (RuleFamily.PROHIBIT, _START, r"(?:do not|don'?t|dont)\s+(?:you )?(?:ever "
        r"|dare )?" + _VERB_NO
            + r"[\w\ue000]"),
        (RuleFamily.PROHIBIT, _START, r"never\b(?! ?(?:mind|ending|said|did|again\W*$|seen|had"
        r"|heard"
            r"|got|was|been|happened|works?))\s+[\w\ue000]"),
        (
            RuleFamily.PROHIBIT, _START,
            r"(?:avoid|refrain from|stay away from|stay out of|keep out of|keep your (?:hands"
            r"|fingers) off|keep off|hands off|steer clear of|stop (?:\w+ly )?\w+ing|quit \w+ing"
            r"|no touching|forget about|drop the)\b(?! (?:working|failing|responding|compiling"
            r"|happening))",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:you|we|nobody|no one|nothing|code|tests?|commits?|agents?|it|they|file|files"
            r"|changes|branch|api|and)\s+(?:really |absolutely |definitely )?(?:must|may|should"
            r"|shall|can|needs? to|ha(?:s|ve) to)\s*(?:not|never|n'?t|in no way)\b(?! (?:be hard"
            r"|take long|be a problem|be too|be able|be an issue|happen|see|find|tell|be"
            r" difficult|only))|\b(?:must|shall)(?:n'?t| not| never)\b|\bmay not\b(?= \w+)(?!"
            r" (?:be|have|match|contain|cover|reflect|apply|help|always|work|need|know|exist"
            r"|want|fit))|\b(?:you|we|code|tests?|commits?|it|files?|changes) (?:shouldn'?t"
            r"|mustn'?t|can'?t|cannot) (?!be (?:hard|too|a problem|that)|take|happen|have"
            r" (?:happened|been)|see|find)"
            + _DOING,
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:is|are|stays?|remains?|be|,|those|these|that|all|this)\s*(?:absolutely "
            r"|strictly |completely |totally |still |also |now )?(?:not allowed|off[- ]limits"
            r"|forbidden|prohibited|out of bounds|untouchable|not permitted|out of scope|off the"
            r" table|banned|taboo|a no-go|verboten|frozen|read-only|sacred|not to be \w+"
            r"|unacceptable|not acceptable|not an option|a hard no|not ok|not okay"
            r"|deal-?breakers?)\b(?! by (?:cors|the server|the browser|default))"
            r"|^[^\w\ue000]*(?:off[- ]limits|forbidden|out of scope|not allowed|banned)\b",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\bunder no circumstances\b|\bin no (?:case|way|event)\b|\bat no (?:point|time)\b"
            r"|\bnot,? under any circumstances\b|\bdon'?t you dare\b|\bno matter what\b"
            r"|\bwhatever you do\b|\bon no account\b",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:i|we)(?: really| absolutely| definitely)? (?:do not|don'?t|never|won'?t|would"
            r" not|wouldn'?t)(?: really| ever)? (?:want|need|allow|accept|tolerate|use|commit"
            r"|ship|like|merge|write|add|mock|push|do|put|care for)\b(?<!we don't need)(?<!we do"
            r" not need)(?! to (?:know|be|lose|spend|sound|hear|waste|wait|go|bother|miss"
            r"|argue))(?! (?:that|it|this|one|them)?\W*$)(?! (?:know|see|think))|\bi(?:'d|"
            r" would) (?:rather|prefer)(?: you| we| it)?(?: did)?(?: to)? not\b|\bi(?:'d|"
            r" would)? (?:want|like|need)(?: you| it| us)? (?:to not|not to|to never|to avoid)\b"
            r"|\b(?:try|be sure|make sure|please|remember|careful) (?:to )?(?:not|never)(?:"
            r" to)?\b|\bmake sure (?:that )?(?:you|we|it|nothing|no|the \w+)? ?(?:do|does|are"
            r"|is)?(?:n'?t| not| never| no)\b",
        ),
        (
            RuleFamily.PROHIBIT, _START,
            r"(?:absolutely |definitely |please |and |strictly |zero |ok |sorry )*no"
            r" (?!(?:problem|idea|worries|worry|need|way|such|longer|matter|one|luck|rush|doubt"
            r"|clue|errors?|difference|that|it|this|we|i|you|there|they|he|she|the|but|not|and"
            r"|just|please|don|do|let|more than|questions?|thanks|reason|hurry|biggie|sweat"
            r"|result|output|response|change|surprise|wonder|effect|progress|news|point|sign"
            r"|trace|is|a|what|still|can|use|go|sense|comment\b|remove|revert|undo|keep|leave"
            r"|put|take|make|add|move|change|look|try|read|stop|pressure|offense|harm|further"
            r" questions|other way|good|real|luck|tests? (?:found|ran|were)"
            r"|match(?:es)?)\b)(?:[\w\ue000'-]+ ?){1,6}(?:\W|$)(?!(?:found|yet|available|were"
            r"|was|exists?|reported|so far)\b)",
        ),
        (RuleFamily.PROHIBIT, _START, r"(?:let'?s|lets) (?:not|never|avoid|stop)\b(?! forget)"),
        (RuleFamily.PROHIBIT, _START, r"(?:please )?not (?:a single|one|any|in|on|the"
        r"|with)\b.{3,}"),
        # preserve
        (
            RuleFamily.PRESERVE, _START,
            r"(?:leave|let)\b.{1,80}?\b(?:alone|as (?:it |they )?(?:is|are|was|were)|as-is"
            r"|untouched|unchanged|intact|in place|where (?:it|they)|the way (?:it|they)|out of"
            r" (?:it|this)|be\W*$|exactly)\b",
        ),
        (
            RuleFamily.PRESERVE, _START,
            r"(?:keep|maintain|preserve|retain)\b.{1,100}?\b(?:as (?:it |they )?(?:is|are|was"
            r"|were)|as-is|unchanged|intact|around|untouched|working|stable|the same|compatible"
            r"|compatibility|in place|for reference|alive|identical|where (?:it|they)|the way"
            r" (?:it|they)|byte for byte|in sync|up to date|green|passing)\b",
        ),
        (RuleFamily.PRESERVE, _START, r"(?:preserve|retain|respect|honou?r)\b\s+[\w\ue000]+"),
        (
            RuleFamily.PRESERVE, _ANY,
            r"\b(?:must|should|has to|have to|needs? to|got to|gotta|shall|ought to|is to|are"
            r" to) (?:always |still |all )?(?:stay|remain|continue|keep|be (?:left|kept"
            r"|preserved|backwards?|compatible|stable))\b|\bneed to keep\b|\bbackwards?[-"
            r" ]compatib\w+\b(?=.*\b(?:must|keep|required?|stay|important|need|break)\b)"
            r"|\b(?:stays?|remains?) (?:as (?:it )?is|put|untouched|unchanged|the way|where)\b",
        ),
        # limits
        (
            RuleFamily.LIMIT, _ANY,
            r"(?:\b(?:keep|must|should|has to|have to|needs? to|limit|cap|stay|make|want|spend"
            r"|use|write|please|don'?t|budget|only|touch|change|max|maximum|nothing|never|be|are"
            r"|is|with|in|^[^\w\ue000]*)\b.{0,80}?)?(?:\b(?:at most|no more than|not more than"
            r"|no longer than|no larger than|no bigger than|no wider than|no fewer than|no less"
            r" than|at least|maximum(?: of)?|max\.?|minimum(?: of)?|under|below|less than|fewer"
            r" than|shorter than|within|up to|not exceed|exceed(?:ing)?|limit(?:ed)? (?:of|to"
            r"|is)|capped? (?:at|to)))\s+(?:the |about |around )?"
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
            r" [\w\ue000]+){0,3} (?:must|should|needs?(?: to)?|has to|have to|gets?|requires?"
            r"|goes|go|ha(?:s|ve)) (?!been|already|failed|passed|passing)\w+",
        ),
        (
            RuleFamily.REQUIRE, _START,
            r"(?:re-?)?(?:run|do|add|update|write|use|check|format|test|commit|push|build|lint"
            r"|regenerate)\b.{1,80}\b(?:after|on|for|with|in|at) (?:every|each|any)\b",
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
            r" (?:stick|stay|avoid)))\b|\bmy preference\b|\b(?:ideally|preferably)\b",
        ),
        (
            RuleFamily.PREFER, _START,
            r"(?:favou?r|opt for|default to|lean towards?|try to (?:keep|avoid|use|limit|not"
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
    )
)  # fmt: skip
