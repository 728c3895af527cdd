"""The words by which English sentences forbid, gate, narrow and preserve, family by family."""

from __future__ import annotations

from redline.ledger.english_wants import WANTS
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
_GATE_ACTS = (
    r"(?:you |we |every |each |any |the |a |committing|pushing|merging|making|changing|deleting"
    r"|touching|editing|starting|running|deploying|opening|adding|installing|implementing"
    r"|writing|removing|refactoring|creating|doing|moving|modifying|publishing|releasing"
    r"|(?:even |ever )?(?:thinking|considering|trying)|dropping|applying|bumping|upgrading"
    r"|proceeding|continuing|going|submitting|finishing"
    r"|commits?\b|coding|renaming)"
)

_START, _ANY = True, False
_BANS: tuple[tuple[RuleFamily, bool, str], ...] = (
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
            r"(?:hold|stop|pause|freeze)\b.{1,60}\buntil\b|(?:give|show|send) (?:me"
            r"|us)\b.{1,60}\bbefore\b|wait (?:for|until|till) (?:my|me|i|the|a|us|we)\b|(?:stop"
            r"|pause) (?:there )?and"
            r" (?:ask|wait|let me|show|tell|report|check)|hold (?:off|back)\b"
            r"|check (?:in )?with me\b|get my (?:ok|approval"
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
            r"|pushes|commits|deletes|gets|goes|leaves|writes|is to)\b|\bnever (?:go(?:es)?|end up"
            r"|reach|contain|include|leak|depend|import|know"
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
            RuleFamily.ONLY, _ANY,
            r"\b(?:you|we)(?:'re| are) (?:only )?(?:restricted|limited|confined) to\b",
        ),
        (
            RuleFamily.PROHIBIT, _START,
            r"(?:leave|keep)\b.{1,60}?\bout of\b(?! sync)|leave (?:out|off) \w+"
            r"|leave\b.{1,60}\bout\W*$"
            r"|skip (?:the|any|all|every|over|writing|adding|generating|updating)\b",
        ),
        (
            RuleFamily.GATE, _ANY,
            r"\b(?:if|when|whenever|where) (?:in doubt|unsure|uncertain|(?:you|something|anything"
            r"|it)"
            r"(?:'re| are|'s| is)? (?:unsure|not sure|in doubt|uncertain|stuck|unclear|ambiguous"
            r"|blocked"
            r"|need|want|have to|must|find|hit|run into|think))\b.{0,90}?\b(?:ask|stop|tell me"
            r"|let me know|check with|ping me|come back)\b",
        ),
        (
            RuleFamily.ONLY, _START,
            r"keep (?:[\w\ue000'-]+ ){1,5}(?:inside|within|confined to|limited to)\b"
            r"|(?:please )?(?:stick (?:to|with)|limit (?:yourself|your\w*|it|changes?|the \w+|all"
            r" \w+) to|restrict (?:yourself|it|changes?|the \w+) to|confine|keep (?:it |this "
            r"|everything |your changes |changes |the change |edits )(?:inside|within|to|in)"
            r"|stay (?:within|inside|in|on)|work only|focus only|focus (?:solely|exclusively)"
            r"|just (?:do|fix|touch|change|edit|make) (?:the|what|this"
            r"|that)\b.{0,60}\b(?:nothing|only|not))\b",
        ),
        (
            RuleFamily.ONLY, _ANY,
            r"\bnowhere else\b|\bnobody else\b|\bnothing (?:else|but|other than|outside|beyond"
            r"|more)\b(?!\)| (?:works?|helps?"
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
            r"|fingers) off|keep off|stay (?:off|clear)|hands off|steer clear of"
            r"|stop (?:\w+ly )?\w+ing|quit \w+ing"
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
            r"\b(?:you|we|they)'re not (?:allowed|permitted|supposed|to)\b|\bwithout (?:touching"
            r"|changing"
            r"|breaking|modifying|adding|using|editing|rewriting|moving|renaming|deleting"
            r"|introducing"
            r"|losing)\b|\bunless\b[^?]*\b(?:not|never|no)\b|\bunder no circumstances\b"
            r"|\bin no (?:case|way|event)\b|\bat no (?:point|time)\b"
            r"|\bnot,? under any circumstances\b|\bdon'?t you dare\b|\bno matter what\b"
            r"|\bwhatever you do\b|\bon no account\b",
        ),
        (
            RuleFamily.PROHIBIT, _ANY,
            r"\b(?:i|we)(?: really| absolutely| definitely)? (?:do not|don'?t|never|won'?t|would"
            r" not|wouldn'?t|can'?t|cannot)(?: really| ever)? (?:have any|afford|risk|lose|want"
            r"|need|allow|accept|tolerate|use|commit"
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
        (RuleFamily.PROHIBIT, _START, r"(?<!but )(?:please )?not (?:a single|one|any|in|on|the"
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
            r"|\b(?:stays?|remains?) (?:exactly |just |precisely )?(?:as (?:it |they )?(?:is|are)"
            r"|put"
            r"|untouched|unchanged|intact|identical|the same|the way|where|clean|green|small"
            r"|private|stable|empty|frozen)\b|\b(?:has|have|needs?|must) (?:to )?survive\b",
        ),
        (
            RuleFamily.PRESERVE, _START,
            r"keep (?:the|our|my|all|both|these|those|existing|old|current) (?!(?:user|users|team"
            r"|customer)"
            r"\b)[\w\ue000]",
        ),
)  # fmt: skip
CUES = (*_BANS, *WANTS)
