"""Made-up secrets in the forms that real ones have, and what looks like one and is none.

The bodies are drawn from a fixed seed, so nothing here ever opened anything, and no text in this
file has the form of a secret itself. Forms are those that the services themselves document.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_ALNUM = string.ascii_letters + string.digits
_WORD = _ALNUM + "_"
_DASHED = _ALNUM + "_-"
_UPPER = string.ascii_uppercase + string.digits
_BASE32 = string.ascii_uppercase + "234567"
_DIGITS = string.digits
_HEX = "0123456789abcdef"
_BASE64 = _ALNUM + "+/"


@dataclass(frozen=True, slots=True)
class Secret:
    """`secret` stands in `text` and must not leave; `by_form` where no name beside it says what it
    is."""

    kind: str
    text: str
    secret: str
    by_form: bool = True


class _Draw:
    """Characters from a fixed seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, alphabet: str, length: int) -> str:
        """`length` characters, a digit and a letter among them where the alphabet has both."""
        while True:
            drawn = "".join(self._random.choice(alphabet) for _ in range(length))
            mixed = any(c.isdigit() for c in drawn) and any(c.isalpha() for c in drawn)
            if mixed or length < 4 or alphabet.isdigit() or alphabet.isalpha():
                return drawn

    def token(self) -> str:
        """A signed web token."""
        head = _web64(json.dumps({"alg": "HS256", "typ": "JWT"}))
        body = _web64(json.dumps({"sub": self(_HEX, 12), "iat": 1_760_000_000}))
        return f"{head}.{body}.{self(_DASHED, 43)}"

    def basic(self) -> str:
        """A user and a password as the header has them."""
        return base64.b64encode(f"bob:{self(_ALNUM, 9)}".encode()).decode()

    def mail(self, place: str) -> str:
        return f"{self(string.ascii_lowercase, 7)}@{place}.example"

    def key_body(self, lines: int) -> str:
        return "\n".join("MII" + self(_BASE64, 61) for _ in range(lines))

    def choice(self, items: tuple[str, ...]) -> str:
        return self._random.choice(items)

    def id(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


def _web64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


# kind -> the secret itself, by the form its service gives it
_FORMS: dict[str, Callable[[_Draw], str]] = {
    "anthropic": lambda d: f"sk-ant-api03-{d(_DASHED, 93)}AA",
    "openai": lambda d: f"sk-{d(_ALNUM, 20)}T3BlbkFJ{d(_ALNUM, 20)}",
    "openai project": lambda d: f"sk-proj-{d(_DASHED, 74)}T3BlbkFJ{d(_DASHED, 74)}",
    "openrouter": lambda d: f"sk-or-v1-{d(_HEX, 64)}",
    "groq": lambda d: f"gsk_{d(_ALNUM, 52)}",
    "xai": lambda d: f"xai-{d(_ALNUM, 80)}",
    "perplexity": lambda d: f"pplx-{d(_ALNUM, 48)}",
    "replicate": lambda d: f"r8_{d(_ALNUM, 37)}",
    "hugging face": lambda d: f"hf_{d(string.ascii_letters, 34)}",
    "aws key id": lambda d: f"AKIA{d(_BASE32, 16)}",
    "aws session key id": lambda d: f"ASIA{d(_BASE32, 16)}",
    "google api key": lambda d: f"AIza{d(_DASHED, 34)}x",
    "google client secret": lambda d: f"GOCSPX-{d(_DASHED, 28)}",
    "google access token": lambda d: f"ya29.{d(_DASHED, 120)}",
    "github classic": lambda d: f"ghp_{d(_ALNUM, 36)}",
    "github app": lambda d: f"ghs_{d(_ALNUM, 36)}",
    "github oauth": lambda d: f"gho_{d(_ALNUM, 36)}",
    "github fine-grained": lambda d: f"github_pat_{d(_ALNUM, 22)}_{d(_ALNUM, 59)}",
    "gitlab": lambda d: f"glpat-{d(_ALNUM, 20)}",
    "gitlab runner": lambda d: f"glrt-{d(_ALNUM, 20)}",
    "gitlab deploy": lambda d: f"gldt-{d(_ALNUM, 20)}",
    "slack bot": lambda d: f"xoxb-{d('123456789', 12)}-{d('123456789', 12)}-{d(_ALNUM, 24)}",
    "slack user": lambda d: f"xoxp-{d('123456789', 12)}-{d('123456789', 12)}-{d(_HEX, 32)}",
    "slack app": lambda d: f"xapp-1-A{d(_UPPER, 10)}-{d('123456789', 13)}-{d(_HEX, 64)}",
    "slack webhook": lambda d: (
        f"https://hooks.slack.com/services/T{d(_UPPER, 9)}/B{d(_UPPER, 9)}/{d(_ALNUM, 24)}"
    ),
    "stripe live": lambda d: f"sk_live_{d(_ALNUM, 24)}",
    "stripe restricted": lambda d: f"rk_live_{d(_ALNUM, 24)}",
    "stripe test": lambda d: f"sk_test_{d(_ALNUM, 24)}",
    "sendgrid": lambda d: f"SG.{d(_DASHED, 22)}.{d(_DASHED, 43)}",
    "mailgun": lambda d: f"key-{d(_HEX, 32)}",
    "mailchimp": lambda d: f"{d(_HEX, 32)}-us12",
    "twilio": lambda d: f"SK{d(_HEX, 32)}",
    "npm": lambda d: f"npm_{d(_ALNUM, 36)}",
    "pypi": lambda d: f"pypi-AgEIcHlwaS5vcmc{d(_DASHED, 80)}",
    "rubygems": lambda d: f"rubygems_{d(_HEX, 48)}",
    "docker hub": lambda d: f"dckr_pat_{d(_DASHED, 27)}",
    "digitalocean": lambda d: f"dop_v1_{d(_HEX, 64)}",
    "telegram": lambda d: f"{d('123456789', 9)}:AA{d(_DASHED, 33)}",
    "discord": lambda d: (
        f"M{d(_ALNUM, 23)}.G{d(_ALNUM, 5)}.{d(_ALNUM, 38)}"
    ),
    "shopify": lambda d: f"shpat_{d(_HEX, 32)}",
    "square": lambda d: f"sq0atp-{d(_DASHED, 22)}",
    "figma": lambda d: f"figd_{d(_DASHED, 40)}",
    "linear": lambda d: f"lin_api_{d(_ALNUM, 40)}",
    "notion": lambda d: f"ntn_{d('123456789', 11)}{d(_ALNUM, 35)}",
    "databricks": lambda d: f"dapi{d(_HEX, 32)}",
    "vault": lambda d: f"hvs.{d(_ALNUM, 95)}",
    "terraform cloud": lambda d: f"{d(_ALNUM, 14)}.atlasv1.{d(_ALNUM, 66)}",
    "doppler": lambda d: f"dp.pt.{d(_ALNUM, 43)}",
    "planetscale": lambda d: f"pscale_tkn_{d(_ALNUM, 43)}",
    "postman": lambda d: f"PMAK-{d(_HEX, 24)}-{d(_HEX, 34)}",
    "grafana": lambda d: f"glsa_{d(_ALNUM, 32)}_{d(_HEX, 8)}",
    "new relic": lambda d: f"NRAK-{d(_UPPER, 27)}",
    "sentry": lambda d: f"sntryu_{d(_HEX, 64)}",
    "dynatrace": lambda d: f"dt0c01.{d(_BASE32, 24)}.{d(_BASE32, 64)}",
    "age": lambda d: f"AGE-SECRET-KEY-1{d('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}",
    "supabase": lambda d: f"sbp_{d(_HEX, 40)}",
    "netlify": lambda d: f"nfp_{d(_ALNUM, 36)}",
    "airtable": lambda d: f"pat{d(_ALNUM, 14)}.{d(_HEX, 64)}",
    "pulumi": lambda d: f"pul-{d(_HEX, 40)}",
    "contentful": lambda d: f"CFPAT-{d(_DASHED, 43)}",
    "tailscale": lambda d: f"tskey-auth-k{d(_ALNUM, 10)}CNTRL-{d(_ALNUM, 32)}",
    "web token": lambda d: d.token(),
}  # fmt: skip

_PLACES = (
    "the one that works is {}",
    "{}",
    '  "value": "{}",',
    "curl https://api.example.com/v1/me?x={}",
    "export X={}\n",
    "I pasted {} by mistake, sorry",
    "新的是 {}，别外传",
    "-  {}\n+  ...",
    "I still have {}. Shall I rotate it?",
    "令牌换成了{}，旧的作废",
    "it (**{}**) was in the log",
    "<{}>; then it failed",
    "we have two: {}, and another",
    '{{"content": "first\\n{}\\nlast"}}',
)

# kind -> (a text with {} where the secret stands, the secret): its name or its place shows it
_NAMED: dict[str, tuple[tuple[str, Callable[[_Draw], str]], ...]] = {
    "aws secret": (
        ("aws_secret_access_key = {}", lambda d: d(_BASE64, 40)),
        ('"SecretAccessKey": "{}"', lambda d: d(_BASE64, 40)),
        ("AWS_SECRET_ACCESS_KEY={} aws s3 ls", lambda d: d(_BASE64, 40)),
    ),
    "password": (
        ("password: {}", lambda d: f"Winter{d(_DIGITS, 4)}!"),
        ("the admin password is {} until tonight", lambda d: f"tr0ub{d(_ALNUM, 6)}4"),
        ("DB_PASSWORD={}", lambda d: d(string.ascii_lowercase, 12)),
        ('{{"user": "root", "password": "{}"}}', lambda d: d(_ALNUM, 14)),
        ("密码是 {}，登录之后改一下", lambda d: f"abc{d(_DIGITS, 5)}"),
        ("口令：{}", lambda d: f"Qw{d(_ALNUM, 8)}1"),
        ("mysql -h db --password {} shop", lambda d: f"p{d(_ALNUM, 9)}1"),
        ("spring.datasource.password={}", lambda d: f"s{d(_ALNUM, 11)}9"),
        ("  passphrase: '{}'", lambda d: f"{d(_ALNUM, 16)}"),
    ),
    "named key": (
        ("api_key = '{}'", lambda d: d(_HEX, 32)),
        ('"apiKey": "{}"', lambda d: d(_ALNUM, 28)),
        ("client_secret={}", lambda d: d(_DASHED, 34)),
        ("CLOUDFLARE_API_TOKEN={}", lambda d: d(_DASHED, 40)),
        ("datadog.api_key: {}", lambda d: d(_HEX, 32)),
        ("JWT_SECRET={}", lambda d: d(_HEX, 48)),
        ("SECRET_KEY = '{}'", lambda d: d(_ALNUM + "!@#^&*", 50)),
        ("--token {} --verbose", lambda d: d(_HEX, 40)),
        ("访问令牌：{}", lambda d: d(_ALNUM, 32)),
    ),
    "header": (
        ("Authorization: Bearer {}", lambda d: d(_ALNUM, 40)),
        ("-H 'X-Api-Key: {}'", lambda d: d(_HEX, 32)),
        ("Authorization: Basic {}", lambda d: d.basic()),
        ("Cookie: sessionid={}", lambda d: d(_ALNUM, 32)),
        ("curl -u deploy:{} https://ci.example.com", lambda d: d(_ALNUM, 12)),
    ),
    "connection string": (
        ("postgres://shop:{}@db.internal:5432/shop", lambda d: d(_ALNUM, 12)),
        ("mysql+pymysql://root:{}@127.0.0.1/app", lambda d: d(_ALNUM, 10)),
        ("mongodb+srv://svc:{}@cluster0.ab1cd.mongodb.net/?w=majority", lambda d: d(_ALNUM, 16)),
        ("redis://:{}@cache:6379/0", lambda d: d(_ALNUM, 20)),
        ("amqps://guest:{}@mq.example.com/vhost", lambda d: d(_ALNUM, 10)),
        ("https://ci:{}@git.example.com/shop.git", lambda d: d(_ALNUM, 20)),
        (
            "Server=tcp:db;Database=shop;User Id=sa;Password={};Encrypt=True",
            lambda d: f"P{d(_ALNUM, 10)}7",
        ),
        (
            "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core",
            lambda d: d(_BASE64, 86) + "==",
        ),
        ("jdbc:postgresql://db/shop?user=shop&password={}", lambda d: f"j{d(_ALNUM, 10)}3"),
    ),
    "account": (
        ("login: {}\npassword: Zeppelin88!", lambda d: d.mail("shop")),
        ("账号 {} 密码 是 qweasd123", lambda d: d.mail("mail")),
    ),
}  # fmt: skip


def secrets(seed: int = 20261130) -> tuple[Secret, ...]:
    """Four of every form in different places, those that a name shows, and private keys."""
    draw = _Draw(seed)
    return (*_by_form(draw), *_by_name(draw), *_private_keys(draw))


def _by_form(draw: _Draw) -> Iterator[Secret]:
    for number, (kind, form) in enumerate(_FORMS.items()):
        for turn in range(4):
            secret = form(draw)
            place = _PLACES[(number + 3 * turn) % len(_PLACES)]
            inner = secret.rsplit("services/", 1)[-1]
            yield Secret(kind, place.format(secret), inner)


def _by_name(draw: _Draw) -> Iterator[Secret]:
    for kind, forms in _NAMED.items():
        for place, form in forms:
            secret = form(draw)
            yield Secret(kind, place.format(secret), secret, by_form=False)


def _private_keys(draw: _Draw) -> Iterator[Secret]:
    for name in ("RSA ", "OPENSSH ", "EC ", "ENCRYPTED ", ""):
        body = draw.key_body(4)
        begin, end = (f"-----{word} {name}PRIVATE KEY-----" for word in ("BEGIN", "END"))
        last = body.rsplit("\n", 1)[-1]
        for kind, text in (
            ("private key", f"{begin}\n{body}\n{end}"),
            ("private key, end cut off", f"{begin}\n{body}\n[... 20 lines omitted ...]"),
            ("private key, start cut off", f"{body}\n{end}"),
        ):
            yield Secret(kind, text, last)
    body = draw.key_body(4)
    last = body.rsplit("\n", 1)[-1]
    numbered = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(body.split("\n"), start=2))
    for text in (
        body,
        f"this one:\n{body}\nqd3f9A==\nthanks",
        f"> {body}".replace("\n", "\n> "),
        json.dumps({"content": f"read:\n{body}\nok"}),
        json.dumps({"result": json.dumps({"content": body})}),
        body.replace("\n", "\r\n"),
        numbered,
    ):
        yield Secret("private key, without its marks", text, last)
    for number in range(4):
        line = ("b3BlbnNzaC1rZXktdjE", "MC4CAQAwBQYDK2Vw", "MHcCAQEEI", "MIGHAgEAMBMGByqGSM49")[
            number
        ]
        rest = draw(_BASE64, 32)
        yield Secret("private key, its first line", f"it began {line}{rest}", rest)


def _wrapped(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def harmless(seed: int = 20261130) -> tuple[str, ...]:
    """At least 200 texts without a secret: hashes, ids, paths, code, talk of secrets."""
    draw = _Draw(seed + 1)
    drawn = [make(draw) for make in _LOOKING_LIKE for _ in range(6)]
    return (*_PLAIN, *drawn)


_LOOKING_LIKE: tuple[Callable[[_Draw], str], ...] = (
    lambda d: f"commit {d(_HEX, 40)}",
    lambda d: f"{d(_HEX, 7)} Fix the token refresh",
    lambda d: f"index {d(_HEX, 7)}..{d(_HEX, 7)} 100644",
    lambda d: f"sha256:{d(_HEX, 64)}",
    lambda d: f'"integrity": "sha512-{d(_BASE64, 86)}=="',
    lambda d: f"md5 {d(_HEX, 32)}  dist/app.tar.gz",
    lambda d: f"session {d.id()}",
    lambda d: f"toolu_01{d(_ALNUM, 22)}",
    lambda d: f"call_{d(_ALNUM, 24)}",
    lambda d: f"msg_01{d(_ALNUM, 22)} was answered",
    lambda d: f"req_011C{d(_ALNUM, 20)}",
    lambda d: f"/tmp/pytest-of-dev/pytest-{d('123456789', 2)}/{d(_ALNUM, 12)}/out.json",
    lambda d: f"/nix/store/{d('0123456789abcdfghijklmnpqrsvwxyz', 32)}-python3-3.11.9",
    lambda d: f"https://example.com/builds/{d('123456789', 8)}/artifacts/{d(_HEX, 12)}.zip",
    lambda d: f"0x{d(_HEX, 16)} in ?? ()",
    lambda d: f"ETag: W/\"{d(_HEX, 32)}\"",
    lambda d: f"pk_live_{d(_ALNUM, 24)} is the publishable one",
    lambda d: f"data:image/png;base64,iVBORw0KGgo{d(_BASE64, 120)}",
    lambda d: f"class=\"css-{d(_ALNUM, 7)} e{d(_ALNUM, 6)}\"",
    lambda d: f"trace_id={d(_HEX, 32)} span_id={d(_HEX, 16)}",
    lambda d: f"docker.io/library/redis@sha256:{d(_HEX, 64)}",
    lambda d: f"go.sum: h1:{d(_BASE64, 43)}=",
    lambda d: f"PR #{d('123456789', 4)}, line {d('123456789', 3)}, build {d('123456789', 6)}",
    lambda d: "\n".join(d(_HEX, 64) for _ in range(5)),
    lambda d: "\n".join(f"{d(_HEX, 64)}  dist/{d(_HEX, 8)}.whl" for _ in range(5)),
    lambda d: _wrapped(f"iVBORw0KGgo{d(_BASE64, 500)}", 64),
    lambda d: _wrapped(f"/9j/4AAQSkZJRg{d(_BASE64, 500)}", 76),
    lambda d: _wrapped(d(_BASE64, 500), 76),
    lambda d: f"-----BEGIN CERTIFICATE-----\n{d.key_body(9)}\n-----END CERTIFICATE-----",
    lambda d: f"-----BEGIN PUBLIC KEY-----\n{d.key_body(4)}\n-----END PUBLIC KEY-----",
    lambda d: json.dumps(f"-----BEGIN CERTIFICATE-----\n{d.key_body(9)}\n-----END X-----"),
    lambda d: f"{d.key_body(3)}\n-----END CERTIFICATE-----",
    lambda d: f"ssh-rsa AAAAB3NzaC1yc2E{d(_BASE64, 340)} dev@laptop",
    lambda d: "\n".join("A" * 64 for _ in range(4)),
    lambda d: "\n".join((f"src/Shop{n}/Views/Checkout/Methods/" * 3)[:64] for n in range(4)),
    lambda d: f"2026-11-1{d(_DIGITS, 1)}T0{d(_DIGITS, 1)}:15:00.{d(_DIGITS, 6)}Z",
)  # fmt: skip

_PLAIN = (
    "token = get_token()",
    "def f(token: str, password: str | None = None):",
    "max_tokens: 4096, input_tokens: 15030",
    "the password is required",
    "the token is expired and the password is wrong",
    "tokenizer = tiktoken.get_encoding('o200k_base')",
    "secret = os.environ['X']",
    "password = getpass.getpass()",
    "const apiKey = process.env.API_KEY",
    "api_key: ${API_KEY}",
    "password: {{ vault_password }}",
    "PASSWORD=<your password>",
    "Authorization: Bearer $TOKEN",
    "-H 'x-api-key: ${KEY}'",
    "/home/dev/shop/src/token/secret.py",
    "src/auth/password_reset.py:42: error",
    "tests/test_api_key.py::test_a_key_is_refused PASSED",
    "pwd: /home/dev/shop",
    "PWD=/home/dev/shop",
    "token: src/auth/token2.py",
    "https://example.com:8080/a@b",
    "git@github.example:shop/shop.git",
    "ssh://git@git.example.com:2222/shop.git",
    "The key is to use tests",
    "the api key must never be logged",
    "Never touch src/legacy",
    "不要修改 tests 目录",
    "密码不能为空",
    "令牌过期之后要刷新",
    "请输入密码：",
    "api_key=api_key",
    "token: cancellationToken",
    "sk-learn-is-a-nice-library-to-use",
    "risk-assessment-of-the-whole-project-2026",
    "task-force-recommendations-for-teams",
    "Bearer tokens are used",
    "user@example.com wrote it",
    "Signed-off-by: Eve <eve@example.com>",
    "PASSWORD=",
    "A=1\nB=2\nC=3\nD=4",
    "see -----BEGIN PRIVATE KEY----- in the docs",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkq\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD\n-----END PUBLIC KEY-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBv dev@laptop",
    "key: value",
    "primary_key=True",
    "foreign_key: orders.customer_id",
    "keyboard shortcuts: ctrl+k",
    "public_key: ./keys/id_ed25519.pub",
    "cache_key = f'{user}:{page}'",
    "sort(key=lambda item: item.name)",
    "hf_hub_download(repo_id, filename)",
    "npm_config_registry and npm_lifecycle_event are set",
    "ghp_ is the prefix of classic tokens",
    "xoxb tokens start with xoxb-",
    "AKIA is how the key ids start",
    "eyJ is how a web token starts",
    "glpat- followed by twenty characters",
    "secrets.token_hex(16)",
    "use secrets: inherit in the workflow",
    "secret: true",
    "token_count: 1234567",
    "token=csrf_token",
    "reset_password(token, new_password)",
    "SECRET_KEY_BASE must be set",
    "curl -u $USER:$PASSWORD https://example.com",
    "docker run --user 1000:1000 app",
    "chown -R app:app /srv",
    "postgres://localhost:5432/shop",
    "postgres://user:$PGPASSWORD@db/shop",
    "redis://cache:6379/0",
    "mongodb://user:<password>@cluster/shop",
    "cookie: none",
    "set-cookie is sent twice",
    "authorization: none",
    "private key not found in keychain",
    "passwordless login works",
    "token bucket with 10 tokens per second",
    "the tokens are billed: 1.2M in, 30k out",
    "os.environ.get('OPENAI_API_KEY', '')",
    "export ANTHROPIC_API_KEY=...",
    "key-value-store-with-snapshots-and-compaction",
    "SKIP_TESTS=1 make",
    "dapi is our internal name for the data api",
    "r8_total is a register",
    "pulling from origin, pul-request template",
    "lin_api_client.py",
    "figd_ prefix",
    "dp.pt is a module",
    "sbp_report_2026_final_version.xlsx",
    "version 10.0.19045.4651",
    "192.168.100.200:8443",
)
