from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.money import Rates
from redline.places import Places, places
from redline.settings import KEYS, Settings, find_project_file, load_settings


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def own(home: Places, text: str | bytes) -> Path:
    home.config.mkdir(parents=True, exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    home.settings.write_bytes(data)
    return home.settings


def project_file(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    (folder / ".redline.yaml").write_text(text)
    return folder


def failure(
    home: Places,
    *,
    project: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> RedlineError:
    with pytest.raises(RedlineError) as caught:
        load_settings(home, project, environment, flags)
    assert caught.value.status == 2
    return caught.value


def test_without_files_every_value_is_the_default(home: Places) -> None:
    settings = load_settings(home)

    assert settings == Settings()
    assert {settings.origin(name) for name in KEYS} == {"default"}


def test_every_key_is_a_field_and_every_field_a_key() -> None:
    assert list(Settings().values()) == list(KEYS)
    assert set(Settings.__dataclass_fields__) == {*KEYS, "origins"}


def test_later_sources_win_and_each_value_knows_where_it_comes_from(
    home: Places, tmp_path: Path
) -> None:
    path = own(home, "strategy: pi\ntail_tokens: 10k\ntheme: redline-light\nwriter: offline\n")
    folder = project_file(tmp_path, "# ours\nstrategy: fresh\ntail_tokens: 11000\n")

    settings = load_settings(
        home, folder, {"REDLINE_TAIL_TOKENS": "12_000"}, {"tail_tokens": 13, "theme": None}
    )

    assert (settings.strategy, settings.tail_tokens) == ("fresh", 13)
    assert settings.origin("strategy") == f"{folder / '.redline.yaml'}:2"
    assert settings.origin("tail_tokens") == "--tail-tokens"
    assert settings.origin("theme") == f"{path}:3"
    assert settings.origin("editor") == "default"


def test_the_environment_beats_the_files(home: Places) -> None:
    own(home, "strategy: pi")

    settings = load_settings(home, None, {"REDLINE_STRATEGY": "fresh"})

    assert (settings.strategy, settings.origin("strategy")) == ("fresh", "$REDLINE_STRATEGY")


def test_an_empty_variable_sets_nothing(home: Places) -> None:
    assert load_settings(home, None, {"REDLINE_STRATEGY": ""}).strategy == "redline"


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "\ufeff\n", "null\n"])
def test_an_empty_file_sets_nothing(home: Places, text: str) -> None:
    own(home, text)
    assert load_settings(home) == Settings()


def test_a_file_with_bom_and_windows_line_ends_is_read(home: Places) -> None:
    own(home, b"\xef\xbb\xbfstrategy: pi\r\ntheme: redline-light\r\n")

    assert load_settings(home).origin("theme").endswith(":2")


def test_limits_go_by_the_longest_pattern_whatever_the_case(home: Places) -> None:
    own(home, "limits:\n  claude-*: 200k\n  'Claude-Opus-4-8[1m]': 1m\n")

    settings = load_settings(home)

    assert settings.limit("claude-opus-4-8[1m]") == 1_000_000
    assert settings.limit("CLAUDE-opus-4-8") == 200_000
    assert settings.limit("gpt-5") is None
    assert settings.limit(None) is None


def test_tables_can_be_given_in_one_line(home: Places) -> None:
    settings = load_settings(
        home, None, {"REDLINE_LIMITS": "gpt-*=272k, *=100000", "REDLINE_TOKENIZERS": "x=estimate"}
    )

    assert settings.limit("gpt-5") == 272_000
    assert settings.limit("anything") == 100_000
    assert settings.tokenizer_of("x") == "estimate"
    assert settings.tokenizer_of("y") == "o200k_base"


def test_an_unknown_key_is_named_with_file_line_and_the_near_one(home: Places) -> None:
    path = own(home, "theme: redline-light\n\nstrategie: pi\n")

    error = failure(home)

    assert error.message == f"{path}:3: there is no setting 'strategie'"
    assert error.hint == "did you mean strategy?"


def test_an_unknown_key_like_no_other_lists_those_there_are(home: Places) -> None:
    own(home, "zzz: 1\n")

    assert "tail_tokens" in failure(home).hint


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        ("tail_tokens: -5", "above 0", "-5"),
        ("tail_tokens: 0", "above 0", "0"),
        ("tail_tokens: true", "above 0", "True"),
        ("tail_tokens: 1.5", "above 0", "1.5"),
        ("tail_tokens: many", "above 0", "'many'"),
        ("tail_tokens: ٥", "above 0", "'٥'"),
        ("tail_tokens:", "above 0", "nothing"),
        ("tail_tokens: [1]", "above 0", "a list"),
        ("strategy: {a: 1}", "name of a strategy", "a table"),
        ("strategy: ' '", "name of a strategy", "' '"),
        ("limits: 200000", "a table", "200000"),
        ("limits: {a: -1}", "a table", "a table"),
        ("limits: {1: 5}", "a table", "a table"),
        ("tokenizer: gpt2", "o200k_base", "'gpt2'"),
        ("writer: [1]", "offline", "a list"),
        ("writer_base_url: ftp://here", "an address", "what it holds"),
        ("writer_base_url: http://me:secret@here", "an address", "what it holds"),
        ("writer_key_env: 7", "a variable", "a number"),
        ("writer_key_env: sk-live-1234567890", "a variable", "what it holds"),
        ("writer_key_env: sk_live_1234567890", "a variable", "what it holds"),
        ("writer_timeout: 0", "above 0", "0"),
        ("theme: 2026-01-01", "theme", "a date"),
    ],
)
def test_a_value_of_the_wrong_type_says_what_was_expected(
    home: Places, line: str, expected: str, found: str
) -> None:
    path = own(home, f"# first line\n{line}\n")

    message = failure(home).message

    assert message.startswith(f"{path}:2: {line.split(':')[0]} takes ")
    assert expected in message
    assert message.endswith(f"not {found}")


def test_a_tokenizer_spelt_almost_right_is_suggested(home: Places) -> None:
    own(home, "tokenizer: o200k\n")

    assert failure(home).hint == "did you mean o200k_base?"


def test_a_wrong_variable_or_flag_is_named(home: Places) -> None:
    assert failure(home, environment={"REDLINE_TAIL_TOKENS": "x"}).message.startswith(
        "$REDLINE_TAIL_TOKENS: tail_tokens takes"
    )
    assert failure(home, flags={"tail_tokens": -1}).message.startswith("--tail-tokens: ")


def test_a_misspelt_variable_is_reported_and_a_foreign_one_ignored(home: Places) -> None:
    error = failure(home, environment={"REDLINE_STRATEGYY": "pi"})
    assert (error.hint, "$REDLINE_STRATEGYY" in error.message) == ("did you mean strategy?", True)

    foreign = {
        "REDLINE_REAL_SESSIONS": "/x",
        "REDLINE_HOME": "/y",
        "REDLINE_BUILD": "1",
        "TERM": "",
    }
    assert load_settings(home, None, foreign) == Settings()


def test_a_key_set_twice_is_an_error(home: Places) -> None:
    own(home, "theme: a\ntheme: b\n")

    assert failure(home).message.endswith(":2: theme is already set in line 1")


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe\x00",
        b"a: [1, 2",
        b"\tstrategy: pi",
        b"strategy: !!python/object/apply:os.getcwd []",
        b"- a\n- b\n",
        b"? [1]\n: 2\n",
        b"limits: " + b"[" * 5000,
        b"a: \x00",
        b"x" * 1_000_002,
        b"just text",
    ],
)
def test_a_file_that_is_no_settings_file_is_one_clear_error(home: Places, data: bytes) -> None:
    path = own(home, data)

    assert str(path) in failure(home).message


def test_aliases_that_explode_do_not_explode_in_the_error(home: Places) -> None:
    levels = [b"a0: &a0 [x, x]"] + [
        b"a%d: &a%d [*a%d, *a%d, *a%d, *a%d]" % (n, n, *[n - 1] * 4) for n in range(1, 30)
    ]
    own(home, b"strategy: {" + b", ".join(levels) + b"}")

    assert len(failure(home).message) < 400


def test_a_settings_file_that_is_a_folder_is_an_error(home: Places) -> None:
    home.settings.mkdir(parents=True)

    assert failure(home).message == f"{home.settings} is a folder, not a file"


def test_the_nearest_file_up_to_the_git_root_counts(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    inner = root / "a" / "b"
    inner.mkdir(parents=True)
    (root / ".git").write_text("gitdir: elsewhere\n")
    (tmp_path / ".redline.yaml").touch()
    assert find_project_file(inner) is None

    (root / ".redline.yaml").touch()
    assert find_project_file(inner) == root / ".redline.yaml"

    (inner.parent / ".redline.yaml").touch()
    assert find_project_file(inner) == inner.parent / ".redline.yaml"


def test_outside_a_git_repository_only_the_folder_itself_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    (tmp_path / ".redline.yaml").touch()
    assert find_project_file(inner) is None

    (inner / ".redline.yaml").touch()
    assert find_project_file(inner) == inner / ".redline.yaml"


@pytest.mark.parametrize("line", ["editor: rm -rf x", "handoffs: /etc", "keymap: {quit: q}"])
def test_a_project_cannot_set_programs_keys_or_folders(
    home: Places, tmp_path: Path, line: str
) -> None:
    folder = project_file(tmp_path, line)

    error = failure(home, project=folder)

    assert "cannot be set in a project's file" in error.message
    assert str(home.settings) in error.hint


def test_a_folder_is_relative_to_the_file_that_names_it(home: Places) -> None:
    own(home, "handoffs: notes\n")

    assert load_settings(home).handoffs == home.config / "notes"


def test_own_prices_are_dollars_a_million_tokens(home: Places) -> None:
    own(
        home,
        "prices:\n"
        "  my-*: {input: 3, output: 15, cache_read: 0.3, cache_write: 3.75}\n"
        "  other: 1/2\n",
    )
    settings = load_settings(home)
    assert settings.price("My-Model") == Rates(3e-6, 15e-6, 0.3e-6, 3.75e-6)
    assert settings.price("other") == Rates(1e-6, 2e-6)
    assert settings.price("nobody") is None
    told = load_settings(home, environment={"REDLINE_PRICES": "my-*=3/15/0.3/3.75/6, x=0/0"})
    assert told.price("my-model") == Rates(3e-6, 15e-6, 0.3e-6, 3.75e-6, 6e-6)


@pytest.mark.parametrize(
    "value",
    [
        "3",
        "{a: 3}",
        "{a: {input: 3}}",
        "{a: {input: 3, output: -1}}",
        "{a: {input: .nan, output: 1}}",
        "{a: {input: .inf, output: 1}}",
        "{a: {input: true, output: 1}}",
        "{a: {input: [1], output: 1}}",
        "{a: {input: 3, output: 15, cached: 1}}",
        "{a: three/four}",
        "{a: 1/2/3/4/5/6}",
    ],
)
def test_a_price_that_is_none_is_refused_with_what_it_takes(home: Places, value: str) -> None:
    own(home, f"prices: {value}\n")
    with pytest.raises(RedlineError, match="dollars a million tokens"):
        load_settings(home)


def test_the_weights_score_and_turns_of_scored_are_read_wherever_they_are_set(home: Places) -> None:
    own(home, "weights:\n  rule: 0.5\n  error: 0\nscore: 0.6\nturns: 7\n")

    settings = load_settings(home)
    assert settings.weights == {"rule": 0.5, "error": 0.0}
    assert (settings.score, settings.turns) == (0.6, 7)

    named = {"REDLINE_WEIGHTS": "change=0.3", "REDLINE_SCORE": "0.45", "REDLINE_TURNS": "6"}
    settings = load_settings(home, None, named, {"turns": 8})
    assert settings.weights == {"change": 0.3}
    assert (settings.score, settings.turns) == (0.45, 8)
    assert settings.origin("weights") == "$REDLINE_WEIGHTS"


@pytest.mark.parametrize(
    "text",
    [
        "weights: 0.4",
        "weights: {}",
        "weights: {rules: 0.4}",
        "weights: {rule: 1.5}",
        "weights: {rule: yes}",
        "score: -0.1",
        "score: high",
        "score: .nan",
        "turns: 0",
        "turns: 2.5",
        "turns: true",
    ],
)
def test_a_weight_score_or_number_of_turns_that_is_none_is_refused(home: Places, text: str) -> None:
    path = own(home, text)

    error = failure(home)
    assert error.message.startswith(f"{path}:1: {text.partition(':')[0]} takes ")


def test_triggers_are_read_with_their_origin(home: Places) -> None:
    own(home, "trigger_share: 0.6\ntrigger_calls: 30\n")

    settings = load_settings(home, environment={"REDLINE_TRIGGER_CALLS": "20"})

    assert (settings.trigger_share, settings.trigger_calls) == (0.6, 20)
    assert settings.origin("trigger_share").endswith("config.yaml:1")
    assert settings.origin("trigger_calls") == "$REDLINE_TRIGGER_CALLS"


@pytest.mark.parametrize(
    "text",
    [
        "trigger_share: 0",
        "trigger_share: 75",
        "trigger_share: most",
        "trigger_share: .nan",
        "trigger_share: true",
        "trigger_calls: 0",
        "trigger_calls: -3",
        "trigger_calls: 1.5",
        "trigger_calls: many",
    ],
)
def test_a_trigger_that_is_none_is_refused(home: Places, text: str) -> None:
    own(home, text + "\n")

    assert f"{text.partition(':')[0]} takes a number" in failure(home).message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("theme: x\ntail_tokens: [1\nwriter: offline\n", ":3: no YAML: "),
        ("theme: 'x\n", ":2: no YAML: "),
        ("a: b: c\n", ":1: no YAML: mapping values are not allowed here"),
        ("- theme\n", ":1: settings are a table"),
        (b"theme: \xff\xfe\n", ": no YAML in UTF-8"),
    ],
)
def test_a_file_that_is_no_table_is_told_with_its_line(
    home: Places, text: str | bytes, told: str
) -> None:
    path = own(home, text)
    assert failure(home).message.startswith(f"{path}{told}")
