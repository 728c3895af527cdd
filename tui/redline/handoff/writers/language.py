"""Which language the user writes in, so that the notes are in it too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_PROSE_CHARS = 20_000
_FENCE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|^[ \t]*[>|].*$", re.S | re.M)
_SCRIPTS = (
    ("Japanese", re.compile("[\u3040-\u30ff]")),
    ("Korean", re.compile("[\uac00-\ud7af]")),
    ("Chinese", re.compile("[\u3400-\u9fff]")),
    ("Russian", re.compile("[\u0400-\u04ff]")),
    ("Greek", re.compile("[\u0370-\u03ff]")),
    ("Hebrew", re.compile("[\u0590-\u05ff]")),
    ("Arabic", re.compile("[\u0600-\u06ff]")),
    ("Hindi", re.compile("[\u0900-\u097f]")),
    ("Thai", re.compile("[\u0e00-\u0e7f]")),
)
_UKRAINIAN = re.compile("[іїєґІЇЄҐ]")
_WORD = re.compile(r"[^\W\d_]+")
# The commonest words that a language shares with none of the others here.
_WORDS = {
    "English": "the and is of that this with for you it not please should are what have",
    "German": "und der das ist nicht ein eine mit auf für ich bitte wir auch aber noch wenn",
    "French": "le les des est une dans pour pas que avec vous sur il faut mais ce cette",
    "Spanish": "el los las es una para con por favor pero esto está como más hay que",
    "Portuguese": "não uma para com você isso está mas também fazer mais os dos ao",
    "Italian": "il che per una non con sono questo della anche ma gli più deve",
    "Dutch": "het een niet en van dat voor met zijn maar ook moet deze wel",
}
_OF_WORD: dict[str, list[str]] = {}
for _language, _words in _WORDS.items():
    for _word in _words.split():
        _OF_WORD.setdefault(_word, []).append(_language)


def language_of(texts: Iterable[str]) -> str:
    """The English name of the language of `texts`, the newest last; English where it is unsure.

    A script with a seventh of the letters decides: Chinese prose about code is full of English
    names, English prose holds next to no Chinese.
    """
    text = ""
    for one in reversed(list(texts)):
        text = f"{_FENCE.sub(' ', one[:_PROSE_CHARS])}\n{text}"
        if len(text) > _PROSE_CHARS:
            break
    letters = len(re.findall(r"[^\W\d_]", text))
    if not letters:
        return "English"
    for name, script in _SCRIPTS:
        if len(script.findall(text)) * 7 >= letters:
            return "Ukrainian" if name == "Russian" and _UKRAINIAN.search(text) else name
    seen: Counter[str] = Counter()
    for word in _WORD.findall(text.lower()):
        seen.update(_OF_WORD.get(word, ()))
    best = seen.most_common(1)
    return best[0][0] if best and best[0][1] > seen["English"] and best[0][1] >= 3 else "English"
