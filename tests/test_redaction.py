from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.redaction import marks, redact

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
    ("mysql --password hunter2", "hunter2"),
    ("curl -u bob:hunter22 https://example.com", "hunter22"),
    ("token: 'abcd'", "abcd"),
    ("client_secret=9f8a7b6c5d", "9f8a"),
    ("AccountKey=abc123==;EndpointSuffix=core", "abc123"),
    ('{"password": "correcthorse"}', "correcthorse"),
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


def test_an_environment_file_goes_whole() -> None:
    body = "\n".join(["HOST=db", "PORT=5432", "DB_PASSWORD=x1", "# note", "ANSWER=plain", "E=5"])
    redacted = redact(f"$ cat .env\n{body}\n$")
    assert redacted.text == "$ cat .env\n[redacted: environment file]\n$"


def test_the_account_beside_a_password_goes_with_it_and_other_addresses_stay() -> None:
    text = "Signed-off-by: eve@example.com\n\nlogin: bob@example.com\npassword: hunter2\nok"
    redacted = redact(text).text
    assert "bob@example.com" not in redacted
    assert "eve@example.com" in redacted


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
