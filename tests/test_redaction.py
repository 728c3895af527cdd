from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.redaction import marks, redact
from redline.secrets.known_forms import known_forms, worth_building_for
from redline.secrets.prefixes import by_beginning
from tests.redaction_corpus import Secret, harmless, secrets

_SECRETS = [
    ("sk-ant-api03-abcDEF_123-xyz", "sk-ant"),
    ("the key sk-proj-abcdefghij1234567890abcd works", "sk-proj"),
    ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_"),
    ("github_pat_11ABCDEFG0abcdefghijkl_mnop", "github_pat"),
    ("AKIAIOSFODNN7EXAMPLE", "AKIA"),
    ("xoxb-123456789012-abcdefghijkl", "xoxb"),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuvw", "AIza"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "eyJ"),
    ("Authorization: Bearer abc123def456", "abc123"),
    ("Authorization: Basic dXNlcjpwYXNz", "dXNl"),
    ("curl -H 'x-api-key: CANARY2' https://api.example", "CANARY2"),
    ("password=hunter2", "hunter2"),
    ("password: hunter2", "hunter2"),
    ("my password is hunter2.", "hunter2"),
    ("DB_PASSWORD=correcthorse", "correcthorse"),
    ('secret = "s3cr3t-value"', "s3cr3t"),
    ("postgres://bob:s3cret@db.example/shop", "s3cret"),
    ("密码是 abc12345", "abc12345"),
    ("密码：hunter2", "hunter2"),
    ("password: 83920145", "83920145"),
    ("mysql --password hunter2", "hunter2"),
    ("curl -u bob:hunter22 https://example.com", "hunter22"),
    ("token: 'abcd'", "abcd"),
    ("client_secret=9f8a7b6c5d", "9f8a"),
    ("AccountKey=abc123==;EndpointSuffix=core", "abc123"),
    ('{"password": "correcthorse"}', "correcthorse"),
    (r'{"command": "curl -d \'{\\"password\\": \\"correcthorse\\"}\'"}', "correcthorse"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalr"),
]

_HARMLESS = [
    "commit 20224c4f9e0d2a1b3c4d5e6f7a8b9c0d1e2f3a4b",
    "abc1234 Fix the token refresh",
    "550e8400-e29b-41d4-a716-446655440000",
    "token = get_token()",
    "def f(token: str, password: str | None = None):",
    "max_tokens: 4096, input_tokens: 15030",
    "the password is required",
    "tokenizer = tiktoken.get_encoding('o200k_base')",
    "secret = os.environ['X']",
    "/home/dev/shop/src/token/secret.py",
    "pwd: /home/dev/shop",
    "PWD=/home/dev/shop",
    "token: src/auth/token2.py",
    "https://example.com:8080/a@b",
    "session token expired",
    "The key is to use tests",
    "Never touch src/legacy",
    "不要修改 tests 目录",
    "api_key=api_key",
    "token: cancellationToken",
    "sk-learn-is-a-nice-library-to-use",
    "Bearer tokens are used",
    "user@example.com wrote it",
    "PASSWORD=",
    "A=1\nB=2\nC=3\nD=4",
    "see -----BEGIN PRIVATE KEY----- in the docs",
    "between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- stands the key",
    "token: 83920145",
]

_BODY = (
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\nC7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4\nabc"
)


@pytest.mark.parametrize(("text", "secret"), _SECRETS)
def test_a_secret_does_not_leave(text: str, secret: str) -> None:
    redacted = redact(text)
    assert secret not in redacted.text
    assert sum(redacted.found.values()) >= 1
    assert "[redacted: " in redacted.text


@pytest.mark.parametrize(
    "password",
    [
        "Tr0ub4dor&3xxxx", "Tr0ub4dor&&3xx", "abc12(3xx)yy", "abc12[3]xx", "abc12|3xx", "abc12;3xx",
        "abc12<3xx>4", "abc12{3}xx", "Tr0ub,4dor",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["password: ", "my password is ", "DB_PASSWORD=", "密码："])
def test_a_sign_in_the_middle_of_a_password_is_no_end_of_it(name: str, password: str) -> None:
    assert "xx" not in redact(f"{name}{password} and more").text
    assert "4dor" not in redact(f"{name}{password} and more").text
    assert redact(f"{name}{password} and more").text.endswith(" and more")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("curl -d 'password=hunter22&user=bob&x=1' y", "&user=bob&x=1' y"),
        ("{password: hunter22}", "}"),
        ("f(password=hunter22)", ")"),
        ("f(password=hunter22, user=bob)", ", user=bob)"),
        ("password=hunter22;Encrypt=True", ";Encrypt=True"),
        ("password=hunter22&&ls=1", "&&ls=1"),
        ("login(bob, password: hunter22), then", "), then"),
        ("password=hunter22&a[b]=1", "&a[b]=1"),
    ],
)
def test_what_follows_a_password_stays(text: str, left: str) -> None:
    assert redact(text).text.endswith(left)


def test_a_key_without_its_marks_goes_to_its_last_line_and_no_further() -> None:
    lines = [item.text for item in secrets() if item.kind == "private key, without its marks"]
    redacted = redact(f"before\n{lines[0]}\nabc4DEF5==\nand after\n{lines[0]}")
    assert redacted.text == "before\n[redacted: private key]\nand after\n[redacted: private key]"
    escaped = redact(json.dumps({"a": f"before\n{lines[0]}\nand after"})).text
    assert json.loads(escaped) == {"a": "before\n[redacted: private key]\nand after"}


def test_an_image_in_lines_is_left_in_a_text_of_json_too() -> None:
    (image, *_) = [text for text in harmless() if text.startswith("iVBOR")]
    for text in (f"it is\n{image}\n", json.dumps(f"it is\n{image}\n")):
        assert redact(text).text == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('secret = "s3cr3t-value"', 'secret = "[redacted: password]"'),
        ("token: 'abcd'", "token: '[redacted: token]'"),
        ("my password is hunter2.", "my password is [redacted: password]."),
        (
            f"a\n-----BEGIN PRIVATE KEY-----\n{_BODY}\n-----END PRIVATE KEY-----\nb",
            "a\n[redacted: private key]\nb",
        ),
    ],
)
def test_a_secret_goes_to_its_first_and_last_character_and_nothing_beside_it(
    text: str, left: str
) -> None:
    assert redact(text).text == left


@pytest.mark.parametrize("text", _HARMLESS)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert redact(text).text == text
    assert not redact(text).found


@pytest.mark.parametrize(("text", "secret"), _SECRETS)
def test_words_around_a_secret_stay(text: str, secret: str) -> None:
    redacted = redact(f"before it\n{text}\nafter it")
    assert redacted.text.startswith("before it\n")
    assert redacted.text.endswith("\nafter it")


@pytest.mark.parametrize(
    "text",
    [
        f"-----BEGIN PRIVATE KEY-----\n{_BODY}\n-----END PRIVATE KEY-----",
        f"-----BEGIN RSA PRIVATE KEY-----\n{_BODY}",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{_BODY}\n[... 40 lines omitted ...]",
        f"{_BODY}\n-----END PRIVATE KEY-----",
        "     1\t-----BEGIN EC PRIVATE KEY-----\n     2\tMIIEvQIBADANBgkqhkiG9w0BAQEF\n     3\tabc",
        "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\nabc",
    ],
)
def test_of_a_private_key_nothing_is_left_even_when_it_is_cut_off(text: str) -> None:
    redacted = redact(f"it reads:\n{text}\n\nplease fix it")
    for line in ("MIIE", "VJTUt9Us", "abc"):
        assert line not in redacted.text
    assert redacted.text.endswith("please fix it")
    assert redacted.found == {"private key": 1}


def test_a_mark_that_text_speaks_of_and_a_key_without_an_end_take_nothing_else_along() -> None:
    sha = "sha 20224c4f9e0d2a1b3c4d5e6f7a8b9c0d1e2f3a4b\n"
    before = f"see -----BEGIN PRIVATE KEY----- in the docs\n\n{sha}"
    key = f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{_BODY}"
    after = f"\n[... 300 lines omitted ...]\n\nok\n{sha}"
    assert redact(before + key + after).text == before + "[redacted: private key]" + after


def test_a_key_in_a_log_goes_with_its_lines() -> None:
    lines = (_BODY + _BODY).replace("\n", "").replace("abc", "")
    log = "\n".join(f"12:00:0{i} INFO {lines[30 * i : 30 * i + 48]}" for i in range(3))
    text = f"-----BEGIN PRIVATE KEY-----\n{log}\n12:00:09 INFO started"
    assert redact(text).text == "[redacted: private key]\n12:00:09 INFO started"
    prose = f"12:00:09 INFO wrote the digest {lines[:48]} " + "of the file to the list " * 4
    assert redact(f"{text}\n{prose}").text.endswith(prose), "most of that line is no key"
    between = text.replace("\n12:00:09", f"\n{prose}\n12:00:09")
    assert prose in redact(between).text


def test_an_environment_file_goes_whole() -> None:
    body = "\n".join(["HOST=db", "PORT=5432", "DB_PASSWORD=x1", "# note", "ANSWER=plain", "E=5"])
    redacted = redact(f"$ cat .env\n{body}\n$")
    assert redacted.text == "$ cat .env\n[redacted: environment file]\n$"


def test_of_two_settings_only_the_secret_one_goes() -> None:
    left = "HOST=db\nDB_PASSWORD=[redacted: password]\nis what it says"
    assert redact("HOST=db\nDB_PASSWORD=hunter22\nis what it says").text == left


def test_the_account_beside_a_password_goes_with_it_and_other_addresses_stay() -> None:
    text = "Signed-off-by: eve@example.com\n\nlogin: bob@example.com\npassword: hunter2\nok"
    redacted = redact(text).text
    assert "bob@example.com" not in redacted
    assert "eve@example.com" in redacted
    below = "password: hunter2\nlogin: bob@example.com\nSigned-off-by: eve@example.com"
    left = "password: [redacted: password]\nlogin: [redacted: account]"
    assert redact(below).text == f"{left}\nSigned-off-by: eve@example.com"


@pytest.mark.parametrize(("text", "_secret"), _SECRETS)
def test_redacting_twice_changes_nothing(text: str, _secret: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@given(
    st.lists(
        st.one_of(
            st.sampled_from([text for text, _ in _SECRETS] + _HARMLESS + [_BODY]),
            st.sampled_from(["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "A=1"]),
            st.text(max_size=20),
        ),
        max_size=8,
    ).map("\n".join)
)
@settings(max_examples=150, deadline=None)
def test_redacting_any_text_twice_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "password=",
        "sk-",
        "eyJ",
        "://",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----\n",
        "password=hunter2 ",
        "x.a@b.",
        "cookie:",
        "-u ",
        "--a-",
        "A=1\n",
        "AAAAAAAAAAAAAAAAAAAAAAAA\n",
        "authorization: ",
        "authorization:",
        "cookie:a=",
        "--token=",
        "api-key:",
        'password="',
        "KEY=1\n",
        ":AA",
        ".abcdef.",
        "aB3dE5gH7jK9mN1pQ3sT5v",
    ],
)
def test_a_secret_behind_hostile_text_is_reached(unit: str) -> None:
    # Quadratic patterns would take minutes here; figures are the benchmarks' affair.
    text = unit * (240_000 // len(unit)) + "\n password=hunter2-Wq9x "
    assert "hunter2-Wq9x" not in redact(text).text


def test_marks_counts_what_was_taken_out_by_kind() -> None:
    redacted = redact("ghp_" + "a1B2" * 9 + " and AKIAIOSFODNN7EXAMPLE, AKIAIOSFODNN7EXAMPLE")
    assert marks(redacted.text) == redacted.found == {"token": 1, "access key": 2}
    assert marks("[redacted: ] [redacted: 1] redacted: token") == {}


_MADE_UP = secrets()


def test_the_made_up_secrets_are_of_more_than_thirty_kinds_beside_as_many_harmless_texts() -> None:
    assert len(_MADE_UP) >= 120
    assert len({item.kind for item in _MADE_UP}) >= 30
    assert len(harmless()) >= 200


@pytest.mark.parametrize("kind", sorted({item.kind for item in _MADE_UP}))
def test_of_no_kind_a_secret_leaves(kind: str) -> None:
    left = [
        item.text
        for item in _MADE_UP
        if item.kind == kind and item.secret in redact(item.text).text
    ]
    assert left == []


def test_none_of_the_harmless_texts_is_changed() -> None:
    assert [text for text in harmless() if redact(text).text != text] == []


def test_the_made_up_secrets_are_gone_from_one_long_text_and_the_harmless_texts_are_not() -> None:
    parts = [item.text for item in _MADE_UP if item.kind != "private key, start cut off"]
    text = "\n\nand then\n\n".join([*parts, *harmless()])
    redacted = redact(text).text
    assert [item.kind for item in _MADE_UP if item.text in parts and item.secret in redacted] == []
    assert [plain for plain in harmless() if plain not in redacted] == []
    assert redact(redacted).text == redacted


@pytest.mark.parametrize("item", [item for item in _MADE_UP if item.by_form], ids=lambda i: i.kind)
def test_the_library_is_asked_wherever_only_it_knows_the_form(item: Secret) -> None:
    known = item.kind.startswith("private key") or any(by_beginning(item.text))
    assert known or worth_building_for(item.text)


def test_commits_uuids_and_names_are_no_reason_to_build_the_library() -> None:
    assert not worth_building_for(
        "commit 20224c4f9e0d2a1b3c4d5e6f7a8b9c0d1e2f3a4b 550e8400-e29b-41d4-a716-446655440000 "
        "claude-sonnet-4-5-20250929 test_the_second_of_3_names SOME_LONG_CONSTANT_2 "
        "openSessionInFolderWithoutAsking src/redline/handoff/offline.py"
    )


@pytest.mark.parametrize("before", ["", "键：", "\ud800 ", "\U0001f511 İ "])
def test_what_the_library_finds_is_taken_out_at_its_place(before: str) -> None:
    token = next(item.secret for item in _MADE_UP if item.kind == "grafana")
    text = f"{before}{token} 之后，{token}"
    assert [text[span.start : span.end] for span in known_forms(text)] == [token, token]
    assert redact(text).text == f"{before}[redacted: token] 之后，[redacted: token]"


@pytest.mark.parametrize("after", ["", ".", ":", ". ", ".\n", ": so", "\\n"])
def test_a_sentence_that_ends_behind_a_key_hides_nothing_of_it(after: str) -> None:
    token = next(item.secret for item in _MADE_UP if item.kind == "grafana")
    assert redact(f"use {token}{after}").text == f"use [redacted: token]{after}"


@pytest.mark.parametrize("remark", ["# gitleaks:allow", "# kingfisher:ignore", "// nosec"])
def test_a_remark_in_the_text_does_not_let_a_secret_pass(remark: str) -> None:
    token = next(item.secret for item in _MADE_UP if item.kind == "linear")
    assert token not in redact(f"{token} {remark}").text


@pytest.mark.parametrize(
    "kind", ["anthropic", "github classic", "slack bot", "npm", "google api key"]
)
def test_a_key_that_is_cut_off_does_not_leave_either(kind: str) -> None:
    token = next(item.secret for item in _MADE_UP if item.kind == kind)
    cut = token[: len(token) * 3 // 4]
    assert cut[-12:] not in redact(f"the output was {cut}\n[... 300 lines left out ...]").text


def test_the_library_is_not_loaded_for_text_that_cannot_hold_what_it_knows() -> None:
    program = (
        "import sys\n"
        "from redline.redaction import redact\n"
        "redact('Never touch src/legacy. password: hunter2 commit 20224c4f9e0d2a1b3c4d5e6f7a8')\n"
        "sys.exit('kingfisher_sdk' in sys.modules)\n"
    )
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=paths, capture_output=True)
    assert done.returncode == 0, done.stderr
