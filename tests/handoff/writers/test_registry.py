"""Which writer a name means, whether it has what it needs, and the prompts that are shipped."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.handoff.writers.command import CommandAsker
from redline.handoff.writers.condition import condition
from redline.handoff.writers.failure import FailureKind
from redline.handoff.writers.keys import Key, key_of, provider_of
from redline.handoff.writers.language import language_of
from redline.handoff.writers.model import ModelAsker
from redline.handoff.writers.prompted import PromptWriter
from redline.handoff.writers.registry import OfflineWriter, base_url, model_name, writer_of
from redline.handoff.writers.templates import template, versions
from redline.handoff.writers.writer import known_as
from redline.settings import Settings

SECRET = "sk-ant-abcdef123456789"
LOCAL = Settings(writer_base_url="http://127.0.0.1:11434/v1")


def asker(name: str, settings: Settings | None = None) -> ModelAsker | CommandAsker:
    made = writer_of(name, settings or Settings(), {"ANTHROPIC_API_KEY": SECRET})
    assert isinstance(made, PromptWriter)
    assert isinstance(made.asker, ModelAsker | CommandAsker)
    return made.asker


def test_names_mean_writers() -> None:
    assert isinstance(writer_of(" offline ", Settings(), {}), OfflineWriter)
    command = asker("command: claude -p '--tools' ''")
    assert isinstance(command, CommandAsker)
    assert command.argv == ("claude", "-p", "--tools", "")
    model = asker("anthropic/claude-sonnet-4-5")
    assert isinstance(model, ModelAsker)
    assert model.window == 200_000
    assert SECRET not in repr(model)
    with pytest.raises(RedlineError):
        writer_of("command:", Settings(), {})


def test_a_window_can_be_set_for_models_and_programs() -> None:
    assert asker("qwen3", Settings(limits={"qwen*": 8_000})).window == 8_000
    assert asker("command: pi -p", Settings(limits={"pi": 9_000})).window == 9_000
    assert asker("openai/nobody-knows").window is None


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("anthropic/claude-x", "anthropic"),
        ("openrouter/anthropic/claude-x", "openrouter"),
        ("claude-opus-4-6", "anthropic"),
        ("gpt-4o", "openai"),
        ("qwen3", None),
    ],
)
def test_the_provider_is_told_by_the_name(model: str, provider: str | None) -> None:
    assert provider_of(model) == provider


def test_at_an_address_of_ones_own_a_bare_name_speaks_openais_form() -> None:
    assert model_name("qwen3", LOCAL) == "openai/qwen3"
    assert model_name("qwen3", Settings()) == "qwen3"
    assert model_name("anthropic/x", LOCAL) == "anthropic/x"
    assert base_url("anthropic/x", LOCAL) == "http://127.0.0.1:11434"
    assert base_url("openai/x", LOCAL) == "http://127.0.0.1:11434/v1"
    assert base_url("openai/x", Settings()) is None


def test_a_key_is_taken_from_the_providers_variable_or_the_one_named() -> None:
    environment = {"OPENAI_API_KEY": "o", "GOOGLE_API_KEY": "g", "MINE": "m", "EMPTY": ""}
    assert key_of("openai/x", Settings(), environment).value == "o"
    assert key_of("gemini/x", Settings(), environment).value == "g"
    assert key_of("openai/x", Settings(writer_key_env="MINE"), environment).value == "m"
    for settings, variable in (
        (Settings(), "ANTHROPIC_API_KEY"),
        (Settings(writer_key_env="EMPTY"), "EMPTY"),
    ):
        key = key_of("anthropic/x", settings, environment)
        assert key.fault is not None
        assert key.fault.kind is FailureKind.NO_KEY
        assert variable in key.fault.message
    assert "SECRET" not in repr(Key("X", "SECRET"))


def test_a_server_of_ones_own_and_a_login_of_its_own_need_no_key() -> None:
    for model, settings in (
        ("openai/x", LOCAL),
        ("ollama/x", Settings()),
        ("bedrock/x", Settings()),
    ):
        key = key_of(model, settings, {})
        assert key.fault is None
        assert not key.there
        assert not key.needed


@pytest.mark.parametrize(
    ("settings", "ok", "said"),
    [
        (Settings(), True, "offline"),
        (Settings(writer="anthropic/claude-opus-4-6"), True, "with the key in $ANTHROPIC_API_KEY"),
        (Settings(writer="openai/gpt-4o"), False, "no key in $OPENAI_API_KEY"),
        (Settings(writer="qwen3", writer_base_url="http://localhost:1/v1"), True, "without a key"),
        (Settings(writer="qwen3", writer_base_url="http://localhost:1/v1"), True, "not known"),
        (Settings(writer="qwen3"), False, "provider/model"),
        (Settings(writer=f"command: {sys.executable} -p"), True, sys.executable),
        (Settings(writer="command: no-such-thing-1"), False, "no such program"),
        (Settings(writer="command: 'open"), False, "close every quote"),
        (Settings(writer="fork"), True, "fork of the session"),
    ],
)
def test_how_a_writer_stands_is_told_without_its_key(
    settings: Settings, ok: bool, said: str
) -> None:
    found = condition(settings, {"ANTHROPIC_API_KEY": SECRET})
    assert found.ok is ok
    assert said in found.detail
    assert SECRET not in found.detail


def test_looking_at_a_writer_loads_no_litellm_and_opens_no_socket() -> None:
    program = (
        "import socket, sys\n"
        "def no(*_a, **_k): raise SystemExit('a socket')\n"
        "socket.socket.connect = socket.getaddrinfo = no\n"
        "from redline.handoff.writers.condition import condition\n"
        "from redline.handoff.writers.registry import writer_of\n"
        "from redline.settings import Settings\n"
        "made = Settings(writer='anthropic/claude-opus-4-6')\n"
        "condition(made, {}); writer_of(made.writer, made, {})\n"
        "sys.exit('litellm is loaded' if 'litellm' in sys.modules else 0)\n"
    )
    source = str(Path(__file__).parents[3] / "tui")
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": source},
    )
    assert done.returncode == 0, done.stderr


def test_every_prompt_says_its_name_and_version() -> None:
    folder = Path(__file__).parents[3] / "tui/redline/handoff/writers/prompts"
    names = sorted(path.stem for path in folder.glob("*.md"))
    assert "handoff" in names
    for name in names:
        assert template(name).version >= 1
        assert not template(name).text.startswith("<!--")
    assert versions(("handoff", "system")) == (
        f"handoff {template('handoff').version}, system {template('system').version}"
    )


def test_gaps_are_filled_once_and_none_is_left() -> None:
    filled = template("previous").filled(mark="m", previous="{{mark}} {{nothing}}")
    assert "{{mark}} {{nothing}}" in filled
    with pytest.raises(KeyError):
        template("previous").filled(mark="m")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "English"),
        ("```\nsrc/a.py\n```", "English"),
        ("fix `导出` in the code please", "English"),
        ("把 export.py 里的超时改成 30 秒，别动 tests 目录", "Chinese"),
        ("エクスポートを直してください", "Japanese"),
        ("내보내기를 고쳐 주세요", "Korean"),
        ("Исправь экспорт и не трогай тесты", "Russian"),
        ("Виправ експорт і не чіпай тести", "Ukrainian"),
        ("Bitte nicht die Tests ändern, das ist wichtig und ich will es so", "German"),
        ("Corrige le bug dans les exports, il ne faut pas toucher aux tests pour le moment",
         "French"),
        ("Por favor arregla el error, pero no toques los tests que ya están", "Spanish"),
        ("OK", "English"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_the_users_prose(text: str, language: str) -> None:
    assert language_of([text]) == language


def test_the_newest_words_count_where_there_are_too_many() -> None:
    assert (
        language_of(["Bitte nicht ändern, das ist und " * 2_000, "别改测试。" * 5_000]) == "Chinese"
    )


def test_a_wheel_holds_the_prompts(tmp_path: Path) -> None:
    hatchling = pytest.importorskip("hatchling.builders.wheel")
    root = Path(__file__).parents[3]
    builder = hatchling.WheelBuilder(str(root))
    (made,) = builder.build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(made) as wheel:
        assert "redline/handoff/writers/prompts/handoff.md" in wheel.namelist()


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("command: /usr/local/bin/claude -p --key x", "claude"),
        ("command: pi", "pi"),
        ("command: '/a b/tool' -p", "tool"),
        ("command:", "command"),
        ("anthropic/claude-opus-4-6", "anthropic/claude-opus-4-6"),
        ("offline", "offline"),
    ],
)
def test_a_command_is_known_by_its_program(name: str, known: str) -> None:
    assert known_as(name) == known
