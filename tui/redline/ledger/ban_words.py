"""The words that say what a rule forbids, English and Chinese, and what only looks like them."""

from __future__ import annotations

import re

# A command that is never forbidden by these: "don't forget to push", "you don't need to commit".
_NOT_MEANT = (
    r"(?!\s+(?:forget|hesitate|mind|worry|need|have to|bother|care|think|know|want to|only\b))"
)
CUE = re.compile(
    r"\b(?:never|do(?:es)? not|don['’]?t|must ?n['’]?t|must not|must never|should ?n['’]?t"
    r"|should not|should never|may not|can ?not|can['’]?t|shall not|not allowed|not permitted"
    r"|not supposed|avoid|stop|refrain from|no|nothing|forbidden|prohibited|is not to|are not to"
    rf"|without ever|not to)\b{_NOT_MEANT}"
    r"|不要|不准|不许|不得|不能|不可以?|不允许|不应该?|不该|禁止|严禁|切勿|请勿|勿|别(?!的|人)"
    r"|不用",
    re.I,
)
# Between the cue and what is forbidden.
_BETWEEN = (
    r"(?:[\s*_,:]|\b(?:ever|make|making|perform|want|please|just|you|to|automatically|auto"
    r"|directly|yourself|again|simply"
    r"|try to"
    r"|attempt to|go and|start|be|get|any|the|a|an|all|new|more|further|accidental|direct|manual"
    r"|manually|even|under any circumstances|in any way|at all|for any reason|by hand|silently"
    r"|going to|supposed|allowed|or|whatsoever|being|unreviewed|unrelated|additional|extra)\b"
    r"|再|随便|擅自|直接|自动|私自|去|轻易|主动|帮我|给我|随意|自行|进行|做|任何|你|我|来|自己|手动"
    r"|再次|偷偷)*"
)


def _forms(*stems: str) -> str:
    return "|".join(stems)


TOUCH = (
    r"(?:hand[- ]?)?(?:touch(?:es|ed|ing)?|edit(?:s|ed|ing)?|chang(?:e|es|ed|ing)"
    r"|modif(?:y|ies|ied|ying|ications?)|alter(?:s|ed|ing)?|updat(?:e|es|ed|ing)"
    r"|overwrit(?:e|es|ten|ing)|writ(?:e|es|ten|ing)(?= (?:to|in|into|inside|under|over"
    r"|anything|any"
    r"|files?)\b)|mess(?:ing)? (?:with|around)|tamper(?:ing)? with|fiddl(?:e|ing) with)"
)
REMOVE = (
    r"delet(?:e|es|ed|ing)|deletions?|remov(?:e|es|ed|ing)|eras(?:e|ed|ing)|wip(?:e|ed|ing)"
    r"|unlink(?:ed|ing)?"
)
MOVE = r"renam(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|relocat(?:e|ed|ing)"
COMMIT = (
    r"(?:git )?commit(?:s|ted|ting)?"
    r"(?!\s+(?:messages?|hash\w*|history|logs?|style|authors?|ids?|titles?|bod(?:y|ies)"
    r"|conventions?)\b)"
)
FORCE = (
    r"(?:git )?force[- ]?push(?:es|ed|ing)?|(?:git )?push(?:ing)? (?:--force|-f)(?:-with-lease)?"
)
PUSH = r"(?:git )?push(?:es|ed|ing)?"
MERGE = r"(?:git )?merg(?:e|es|ed|ing)"
REBASE = r"(?:git )?rebas(?:e|es|ed|ing)"
AMEND = r"amend(?:s|ed|ing)?"
TAG = r"(?:git )?tag(?:s|ged|ging)"
DEPLOY = r"deploy(?:s|ed|ing|ments?)?"
PUBLISH = r"publish(?:es|ed|ing)?"
RELEASE = r"releas(?:e|es|ed|ing)"
READ = (
    r"read(?:s|ing)?(?!-only)|open(?:s|ing)?|look(?:s|ing)? (?:at|into|inside|in)|view(?:s|ing)?"
    r"|cat"
    r"|print(?:s|ing)?|show(?:s|ing)?|display(?:s|ing)?|dump(?:s|ing)?|inspect(?:s|ing)?"
    r"|peek(?:s|ing)? (?:at|into)"
)
RESET = r"(?:git )?hard[- ]?reset(?:s|ting)?|(?:git )?reset(?:s|ting)?(?= --hard\b)"
STASH = r"(?:git )?stash(?:es|ed|ing)?"
INSTALL = r"install(?:s|ed|ing)?"
RUN = (
    r"run(?:s|ning)?|execut(?:e|es|ed|ing)|us(?:e|es|ed|ing)|invok(?:e|es|ed|ing)|call(?:ing)?"
    r"|start(?:ing)?|launch(?:ing)?"
)
_ENGLISH = {
    "force": FORCE,
    "touch": TOUCH,
    "remove": REMOVE,
    "move": MOVE,
    "commit": COMMIT,
    "push": PUSH,
    "merge": MERGE,
    "rebase": REBASE,
    "amend": AMEND,
    "tag": TAG,
    "deploy": DEPLOY,
    "publish": PUBLISH,
    "release": RELEASE,
    "stash": STASH,
    "install": INSTALL,
    "reset": RESET,
    "read": READ,
    "run": RUN,
}
_CHINESE = {
    "force": "强推|强制推送|强制push",
    "touch": "修改|改动|变更|更改|改|动(?!态)|碰|编辑|写入|覆盖|触碰",
    "remove": "删除|删掉|删|移除|清空",
    "move": "重命名|移动|改名",
    "commit": "提交(?!信息|说明|记录|历史)",
    "push": "推送|推到|推(?!荐|断|理|迟)",
    "merge": "合并",
    "rebase": "变基",
    "deploy": "部署|上线",
    "publish": "发布|发版",
    "install": "安装|装",
    "reset": "硬重置|强制重置",
    "read": "读取|读(?!写)|查看|打开|看",
    "run": "运行|执行|跑|启动|使用|用(?!户|例)",
}
DEEDS = tuple(_ENGLISH)
_ONE = "|".join(
    rf"(?P<{name}>\b(?:{pattern})\b{'|' + _CHINESE[name] if name in _CHINESE else ''})"
    for name, pattern in _ENGLISH.items()
)
VERB = re.compile(_ONE, re.I)
# "edit, move or delete": what may stand between two verbs of one list.
JOINT = re.compile(
    r"(?:\s*[,，、/]\s*(?:(?:and|or|nor)\s+)?|\s+(?:and|or|nor)\s+|\s*(?:或者?|和|及|以及)\s*)"
    r"(?:even\s+|to\s+|be\s+|not\s+|any\s+)*",
    re.I,
)
BETWEEN = re.compile(_BETWEEN, re.I)
# What is said to stay as it is, without a verb of its own.
PRESERVE = re.compile(
    r"\b(?:leave|keep|preserve)\b.*\b(?:alone|untouched|unchanged|as[- ]is|as (?:it|they) (?:is"
    r"|are)"
    r"|intact|frozen|be|unmodified|out of (?:it|this))\b"
    r"|\boff[- ]limits\b|\bhands[- ]off\b|\b(?:is|are|as|treat\b.*\bas) (?:strictly )?"
    r"(?:read[- ]only"
    r"|frozen|immutable|sacred|untouchable)\b|\b(?:stay|keep) (?:out of|away from|off)\b"
    r"|\bread[- ]only:"
    r"|\b(?:must|should|shall|has to|have to|needs? to|to) (?:stay|remain|be left|be kept)"
    r" (?:untouched|unchanged|as[- ]is|as (?:it|they) (?:is|are)|intact|alone|frozen|unmodified)\b"
    r"|保持.*(?:不变|原样|原封不动)|原封不动|只读(?!取)|不动(?!产)",
    re.I,
)
FORBIDDEN = re.compile(
    r"\s*\b(?:is|are) (?:strictly |absolutely )?(?:forbidden|prohibited|banned|not allowed"
    r"|off[- ]limits"
    r"|taboo)\b|\s*(?:是)?(?:被)?(?:禁止的|不允许的)|\s*一律(?:禁止|不许)",
    re.I,
)
EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for| in| under)?|other than|apart from|besides|excluding|aside from"
    r"|with the exception of)\b|除了|除非是",
    re.I,
)
OUTSIDE = re.compile(
    r"\b(?:outside(?: of)?|beyond|(?:files?|anything|that (?:is|are)) not (?:in|under|inside))\b"
    r"|(?:以外|之外)",
    re.I,
)
REST = re.compile(
    r"\b(?:any ?(?:thing|other)?|every ?thing|other|else|nothing|all)\b|其他|其它|任何|别的|所有",
    re.I,
)
ONLY = re.compile(
    rf"\bonly (?:ever )?(?:{TOUCH})\b|\b(?:{TOUCH})\b only\b|\b(?:restrict|limit|confine) (?:your"
    r" |all )?(?:edits|changes|modifications|work) to\b|(?:只能?|仅|只准|只许|只可以)"
    r"(?:修改|改动|改|动|碰|编辑)",
    re.I,
)
# A ban that a later word of the person may lift.
GATED = re.compile(
    r"\b(?:(?:unless|until|till) (?:i|we|me|my|told|asked|explicitly|instructed|specifically"
    r"|approved|the"
    r" user|you(?:'re| are|’re) (?:told|asked|instructed))\b|without (?:my|asking|checking"
    r"|explicit|first|prior|permission|approval"
    r"|confirm\w*|consent|a go)|before (?:asking|i |checking|you ask|getting|confirm\w*)|yet"
    r"|(?:ask|check with|consult|confirm with|tell|warn|ping) (?:me|us|the user)\b"
    r"|(?:my|explicit|prior) (?:ok|okay|approval|permission|consent|go-ahead|confirmation))\b"
    r"|除非|未经|没有我|先问|问过?我|问一下我|经过?我|同意|允许之前|确认|批准|等我",
    re.I,
)
ASK_BEFORE = re.compile(
    r"\b(?:ask|check with|consult|confirm|get (?:my )?(?:ok|okay|approval|permission|consent)"
    r"|wait for"
    r"|tell|warn|ping)\b.{0,60}?\bbefore\b(?: you| we| (?:ever|even|you ever))*",
    re.I,
)
ASK_AFTER = re.compile(
    r"(?:之前|以前|前)[,，]?(?:必须|要|都|请|一定|得|先|务必|需要?)*(?:问|征得|经|获得|等|跟我|和我"
    r"|让我|告诉)"
)
APPROVED = re.compile(
    r"\b(?:yes|yep|yeah|ok(?:ay)?|go ahead|go for it|sure|approved?|lgtm|ship it|proceed"
    r"|do it|confirmed|sounds good|looks good|permission granted|you may|you can)\b"
    r"|可以|好的|好吧|同意|确认|批准|继续|没问题|行吧?$",
    re.I,
)
# Where what is forbidden ends and the reason, or another order, starts.
STOP = re.compile(
    r"\b(?:so that|because|since|when|while|if|unless|without|until|before|after|instead"
    r"|rather than"
    r"|just to|in order to|merely to|only to|as long as|even if|even when|for the sake)\b"
    r"|\bto (?=(?:make|fix|get|pass|solve|silence|work|satisfy|match|avoid|suit|save|do|please|let"
    r"|have|help|work|speed|reduce|clean|simplify|support|add|keep)\b)"
    r"|\s[-–—]+\s|[—–]|\bbut\b|\bonly\b(?=\s+(?:edit|change|touch))",
    re.I,
)
# A condition that no call shows: "never push without running the tests".
CONDITION = re.compile(
    r"\b(?:without|unless|until|before|after|if|when|whenever|while|where|as long as)\b", re.I
)
PASSIVE = re.compile(
    rf"\b(?:may|can|must|should|shall|is to|are to|ought to|will) (?:ever )?be (?=(?:{TOUCH}"
    rf"|{REMOVE}"
    rf"|{MOVE})\b)",
    re.I,
)
PURPOSE = re.compile(
    r"为了?[^,，。;；]{1,30}?(?:而(?=\S)|(?=去?(?:修改|改动|更改|改|删除|删|动|碰)))"
)
PIECES = re.compile(
    r"[;；。!！?？]+|\.(?=\s|$)|[,，](?=\s*(?:but|just|only edit|only change|only touch|instead"
    r"|use|put"
    r"|work|do|make|fix|run|add|write|create|edit|change|and (?:then )?(?:edit|put|use|work|ask)"
    r"|只|而|请|先|用|改用|应该)\b)|[,，](?=\s*(?:只|而|请|先|改用|应该|直接))|\s-\s|[—–]+|\bbut\b"
    r"(?! not)|但是?",
    re.I,
)
FOLDER = r"(?:folders?|director(?:y|ies)|dirs?|subtree|subfolder|subdirectory)"
# A plain word that is said to be a folder, or a file.
NAMED_FOLDER = re.compile(
    rf"(?<![\w/.-])(?P<a>[A-Za-z0-9_][A-Za-z0-9_.-]*)(?:[\s'\"`]+{FOLDER}\b|[\s'\"`”」』]*(?:目录"
    rf"|文件夹))"
    rf"|\b{FOLDER} (?:called |named )?['\"`]?(?P<b>[\w][\w.-]*)|(?:目录"
    rf"|文件夹)\s*(?P<c>[A-Za-z0-9_][A-Za-z0-9_.-]*)",
    re.I,
)
NAMED_FILES = re.compile(
    r"\b(Makefile|Dockerfile|LICENSE|README|CHANGELOG|Gemfile|Procfile|Jenkinsfile|Rakefile"
    r"|Justfile"
    r"|CODEOWNERS|Vagrantfile|NOTICE)\b"
)
LOCKFILES = re.compile(r"\block[- ]?files?\b|锁文件", re.I)
LOCKS = (
    "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "uv.lock", "Cargo.lock",
    "Gemfile.lock", "composer.lock", "go.sum", "bun.lock", "bun.lockb", "Pipfile.lock",
)  # fmt: skip
TESTS = re.compile(
    r"\b(?:unit |integration |existing |failing |e2e |the )*(?:tests?|test (?:files?|code"
    r"|cases?|suite)"
    r"|specs?)\b(?!\s+(?:data|database|output|results?|server|env\w*|user|account|plan|runner"
    r"|names?"
    r"|config\w*|coverage|command|framework))|测试(?:文件|代码|用例)?(?!数据|环境|服务|结果|账)",
    re.I,
)
# "touch legacy": a plain word alone that names a folder.
BARE = re.compile(
    r"\s*(?:(?:to|in|into|inside|under|with|at|within|on|of)\s+)?(?:(?:anything|any|all|files?|code"
    r"|stuff|everything|something)\s+(?:files?\s+|code\s+)?(?:in|inside|under|within|from|of)\s+)?"
    r"(?P<word>[a-z][a-z0-9_-]{2,40})\s*(?:$|[.,;:!]|\b(?:or|and|at all"
    r"|again|please"
    r"|ever|anymore|directly|yet|unless|until|without|for now|today)\b)"
    r"|\s*(?P<han>[A-Za-z][\w-]{2,40})\s*(?:$|[,，。;；]|里|下|中|的)"
)
# What may stand between "edit" and a path, so that it is the path that is meant: "any files
# in", not "function signatures in".
_LEADING_WORDS = """
    any anything all everything something stuff file files code the a an in inside under within
    of to at below from folder folders directory directories my our your these those following
    existing generated vendored vendor source sources legacy old frozen production content
    contents single anywhere with part parts or and either dir path paths module modules package
    config configs script scripts test tests document docs doc into over around
"""
LEADING = frozenset(_LEADING_WORDS.split())
NO_FOLDER_WORDS = """
    api apis code anything everything it this that them these those interface interfaces
    behaviour behavior schema database databases signature signatures logic style formatting
    tests test files file name names version versions public function functions class classes
    contract contracts output outputs input inputs data things stuff something nothing type
    types response responses semantics format layout design dependencies dependency folder
    directory project repo repository branch branches main master production prod history state
    settings comments comment others order text wording structure names values defaults default
    imports exports method methods variable variables query queries table tables column columns
    endpoint endpoints url urls line lines more less here there directly manually again changes
    change edits commit commits push
"""
NO_FOLDER = frozenset(NO_FOLDER_WORDS.split())
