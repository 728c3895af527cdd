"""Made-up texts as coding sessions hold them: code, logs, listings, prose in English and Chinese.

Every line is put together anew from words and identifiers, of which there are tens of thousands;
as in real texts few of them are frequent, and each session has its own. Of 1,000 characters
about 190 start a run of three that is new among 32,000; in real sessions 110 do.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from random import Random

_SYLLABLES = (
    "ac al an ar be bo ca ce con da de di do dra en er fe fi for ga ge gra ha hi in is ka ke la le"
    " li lo ma me mi mo na ne no or pa pe pi po pre pro qua ra re ri ro sa se si so sta ta te ti to"
    " tra un ur va ve vi wa wi xe za zo"
)
_COMMON = (
    "the a of to and in is that for it on with as this be are from or not an by at which when if"
    " we you can will should must has have was were all one two file test error value function"
    " module session result check before after first last only each there where because"
)
_HAN = (
    "错误 文件 测试 函数 返回 参数 配置 数据 用户 请求 服务 接口 缓存 日志 修改 目录 提交"
    " 分支 合并 构建 部署 版本 依赖 模块 类型 变量 循环 条件 异常 处理 检查 验证 更新 删除"
    " 添加 查询 索引 搜索 会话 消息 上下文 压缩 摘要 规则 约束 项目 代码 程序 线程 进程 内存"
    " 时间 网络 连接 超时 重试 成功 失败 问题 原因 解决 方案 需要 可以 应该 不要 已经 正在"
    " 然后 因为 所以 如果 但是 并且 这个 那个 我们 现在 之前 之后 所有 每个 第一 最后 结果"
)
_HAN_SINGLE = "的了在是和有不对中上下大小新旧前后里外把被让给从到向与及或再又也都就还只很更最"
_ENDINGS = ("py", "ts", "go", "rs", "md", "json", "yaml", "sql")
_WEIGHTS = tuple(accumulate(1 / (rank + 3) for rank in range(2_500)))  # as Zipf has it
_LEVELS = ("DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR")


class Texts:
    """Makes texts; the same ones from the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        pick, syllables = self.random.choice, _SYLLABLES.split()
        self._words = ["".join(pick(syllables) for _ in range(n % 3 + 2)) for n in range(9_000)]
        self._names = [self._name(n) for n in range(45_000)]
        self._common, self._han = _COMMON.split(), _HAN.split()
        self.turn()

    def turn(self) -> None:
        """Turns to another session, with words, names and paths of its own."""
        pick = self.random.choice
        self.words = self.random.sample(self._words, k=2_500)
        self.names = self.random.sample(self._names, k=1_200)
        self.numbered = [f"fn_{self.random.randrange(1_000_000)}" for _ in range(200)]
        self.requests = [f"{self.random.getrandbits(48):012x}" for _ in range(120)]
        self.paths = [
            f"src/{pick(self.words)}/{pick(self.names)}.{pick(_ENDINGS)}" for _ in range(300)
        ]

    def _drawn(self, names: list[str], count: int) -> list[str]:
        """`count` of `names`, the first ones much more often than the last ones."""
        return self.random.choices(names, cum_weights=_WEIGHTS[: len(names)], k=count)

    def _name(self, number: int) -> str:
        pick = self.random.choice
        first, second = pick(self._words), pick(self._words)
        match number % 5:
            case 0:
                return f"{first}_{second}"
            case 1:
                return first + second.capitalize()
            case 2:
                return f"{first}_{second}_{number}"
            case 3:
                return first.capitalize() + second.capitalize()
            case _:
                return f"{first[:4].upper()}_{second.upper()}"

    def prose(self, words: int = 14) -> str:
        """A sentence in English words, made-up ones among them."""
        random = self.random
        said = random.choices(self._common, k=words * 2 // 3)
        said += self._drawn(self.words, words - len(said) - 1)
        said += self._drawn(self.names, 1)
        random.shuffle(said)
        return " ".join(said).capitalize() + "."

    def han(self) -> str:
        """A sentence in Chinese with an identifier in it."""
        random = self.random
        words = random.choices(self._han, k=8)
        singles = random.choices(_HAN_SINGLE, k=4)
        half = f"{words[0]}{singles[0]}{words[1]}{words[2]}{singles[1]}"
        return (
            f"{half} {self._drawn(self.names, 1)[0]} {''.join(words[3:])}{singles[2]}{singles[3]}。"
        )

    def code(self) -> str:
        """A line of code."""
        random = self.random
        one, two, three = self._drawn(self.names, 3)
        indent = "    " * random.randrange(4)
        match random.randrange(6):
            case 0:
                return f"{indent}def {one}(self, {two}: {three}) -> None:"
            case 1:
                return f"{indent}{one} = {two}({three}, {random.randrange(10_000)})"
            case 2:
                return f'{indent}if {one}.{two} != "{random.choice(self.words)}":'
            case 3:
                return f"{indent}return [{one}({two}) for {two} in {three}]"
            case 4:
                return f"{indent}# {self.prose(8)}"
            case _:
                return f"{indent}self.{one}.{two}({three}={random.choice(self.numbered)})"

    def log(self) -> str:
        """A line of a log."""
        random = self.random
        day = f"2026-0{random.randrange(1, 10)}-1{random.randrange(10)}"
        clock = f"{random.randrange(24):02}:{random.randrange(60):02}:{random.randrange(60):02}"
        return (
            f"{day}T{clock}.{random.randrange(1000):03}Z {random.choice(_LEVELS)}"
            f" [{self._drawn(self.words, 1)[0]}] {self._drawn(self.names, 1)[0]}"
            f" took {random.randrange(9_000)} ms, request {random.choice(self.requests)}"
        )

    def listing(self) -> str:
        """A line as grep prints it."""
        return f"{self.random.choice(self.paths)}:{self.random.randrange(900)}:{self.code()}"

    def block(self, characters: int) -> str:
        """About so many characters, lines of one sort, as the output of a tool."""
        makers: tuple[Callable[[], str], ...] = (
            *([self.code] * 4),
            *([self.listing] * 2),
            *([self.prose] * 2),
            self.log,
            self.han,
        )
        make = self.random.choice(makers)
        lines: list[str] = []
        size = 0
        while size < characters:
            line = make()
            lines.append(line)
            size += len(line) + 1
        return "\n".join(lines)

    def said(self, sentences: int) -> str:
        """What a person or a model says: every fifth text is Chinese."""
        make = self.han if self.random.random() < 0.2 else self.prose
        return " ".join(make() for _ in range(sentences))

    def sealed(self, characters: int) -> str:
        """What only the provider can read."""
        return f"gAAAA{self.random.getrandbits(characters * 4):x}"
