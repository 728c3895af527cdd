"""The work around what is planted: prompts that state nothing, tool calls with their output,
replies. The same from the same random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

Item = dict[str, Any]

_AREAS = ("totals", "pager", "mailer", "layout", "parser", "uploads", "renderer", "loader", "menu")
_PARTS = ("view", "model", "store", "form", "table", "tree", "item", "state", "helpers", "index")
_VERBS = ("load", "merge", "render", "collect", "apply", "format", "split", "check", "update")
_ENDINGS = ("ts", "py", "go")
_LEADS = {
    "en": (
        "ok.",
        "alright,",
        "one more thing:",
        "before I forget:",
        "also,",
        "by the way,",
        "",
        "",
    ),
    "zh": ("好。", "对了，", "另外，", "先说一下：", "还有，", "", ""),
}
_ASKS = {
    "en": (
        "Go on with {path}.",
        "Now have a look at {path}.",
        "Can you read {path} and tell me what it does?",
        "Run the tests of {path} again.",
        "Looks fine, next is {path}.",
        "What does {name} do in {path}?",
        "Carry on.",
    ),
    "zh": (
        "继续看 {path}。",
        "现在看看 {path}。",
        "读一下 {path}，说说它做什么。",
        "再跑一遍 {path} 的测试。",
        "可以，接下来是 {path}。",
        "{path} 里的 {name} 是做什么的？",
        "继续。",
    ),
}
_REPLIES = {
    "en": (
        "I read {path}; {name} is the only entry into it.",
        "{path} is small: {name} is called once and gives back a list.",
        "Noted. {path} passes as it stands.",
        "Done with {path}, nothing else calls {name}.",
        "Noted.",
    ),
    "zh": (
        "看完了 {path}，入口只有 {name}。",
        "{path} 很小，{name} 只被调用一次。",
        "明白。{path} 的测试通过。",
        "{path} 处理完了。",
        "明白。",
    ),
}


class Work:
    """Makes turns of work; `name` begins the ids of its calls."""

    def __init__(self, random: Random, language: str, name: str) -> None:
        self._random = random
        self._language = language if language in _ASKS else "en"
        self._name = name
        self._calls = 0

    def prompt(self, statements: Sequence[str]) -> str:
        """What the user says: statements as people string them together, and what to do next."""
        pick = self._random.choice
        said = list(statements)
        ask = self._filled(pick(_ASKS[self._language]))
        if not said:
            return ask
        if len(said) > 1 and self._random.random() < 0.5:
            text = "\n".join(said)
        else:
            text = " ".join(_ended(one, self._language) for one in said)
        lead = pick(_LEADS[self._language])
        text = f"{lead} {text}".strip()
        match self._random.randrange(3):
            case 0:
                return text
            case 1:
                return f"{_ended(text, self._language)} {ask}"
            case _:
                return f"{text}\n\n{ask}"

    def turn(self, statements: Sequence[str], output: int) -> list[Item]:
        """A prompt with `statements`, a call whose result has about `output` characters, a reply.
        Without room for output there is no call."""
        items: list[Item] = [{"role": "user", "content": self.prompt(statements)}]
        if output > 0:
            items += self.call(output)
        reply = self._filled(self._random.choice(_REPLIES[self._language]))
        return [*items, {"role": "assistant", "content": reply}]

    def call(self, output: int) -> list[Item]:
        """A call that reads a file or runs tests, and its result of about `output` characters."""
        path = self.path()
        if self._random.random() < 0.7:
            return self.used("Read", {"file_path": path}, self.code(output))
        return self.used("Bash", {"command": f"run-tests {path}"}, self.tests(output, path))

    def used(self, tool: str, given: Item, result: str) -> list[Item]:
        """A call of `tool` and its result."""
        self._calls += 1
        ident = f"{self._name}-call-{self._calls}"
        use = {"type": "tool_use", "id": ident, "name": tool, "input": given}
        back = {"type": "tool_result", "tool_use_id": ident, "content": result}
        return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [back]}]

    def path(self) -> str:
        """A file of the project."""
        pick = self._random.choice
        return f"app/{pick(_AREAS)}/{pick(_PARTS)}.{pick(_ENDINGS)}"

    def called(self) -> str:
        """A function of the project."""
        pick = self._random.choice
        return f"{pick(_VERBS)}{pick(_AREAS).capitalize()}{pick(_PARTS).capitalize()}"

    def _filled(self, template: str) -> str:
        return template.format(path=self.path(), name=self.called())

    def code(self, size: int) -> str:
        """About `size` characters of a source file."""
        lines: list[str] = []
        while sum(map(len, lines)) + len(lines) < size:
            pick, name = self._random.choice, self.called()
            lines.append(
                pick(
                    (
                        f"export function {name}(items: Item[]): Item[] {{",
                        f"  const {pick(_PARTS)} = items.map((item) => {name}(item));",
                        f"  return {pick(_PARTS)}.filter(Boolean);",
                        "}",
                        "",
                        f"import {{ {name} }} from './{pick(_AREAS)}';",
                    )
                )
            )
        return "\n".join(lines)

    def tests(self, size: int, path: str) -> str:
        """About `size` characters of a test run."""
        lines = [f"running {path}"]
        while sum(map(len, lines)) + len(lines) < size:
            lines.append(f"  ok  {self.called()} gives back what it was given")
        return "\n".join(lines)


def _ended(text: str, language: str) -> str:
    """`text` with a full stop where it has no end."""
    if text.rstrip()[-1:] in ".!?:。！？：":
        return text
    return text + ("。" if language == "zh" else ".")
