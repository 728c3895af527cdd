"""Closed groups of words of which a thing has one: a log level, a theme, a format, a branch."""

from __future__ import annotations

from redline.ledger import claim_words as words

_GROUPS = """
    level: trace debug info warn warning error fatal verbose quiet
    theme: dark light 深色 浅色 暗色 亮色
    quotes: single double
    style: google numpy numpydoc
    case: snake_case kebab-case camelcase pascalcase snake kebab camel pascal
    data-format: csv tsv json jsonl ndjson xml yaml toml parquet avro protobuf excel xlsx xls pdf
    data-format: markdown html arrow msgpack ini docx rst asciidoc
    branch: main master develop dev trunk
    sign-in: jwt jwts cookies oauth oauth2 saml oidc ldap basic sessions passkeys mtls api-keys
    paging: offset cursor keyset
    api-style: rest graphql grpc soap websockets sse polling webhooks trpc
    indent: tabs spaces tab space
    direction: ascending descending asc desc newest oldest
    order: name date size price id created updated 名称 时间 价格 日期
    cadence: hourly daily nightly weekly biweekly monthly quarterly yearly
    merging: rebase squash merge
    compression: gzip zstd brotli lz4 snappy bzip2 xz
    hash: sha1 sha256 sha512 md5 bcrypt argon2 scrypt blake3
    currency: eur usd gbp cny rmb jpy chf euros dollars 人民币 美元 欧元
    license: mit apache-2.0 gpl bsd mpl agpl
    encoding: utf-8 utf8 utf-16 latin-1 ascii gbk gb18030
    zone: utc gmt cet est pst cst jst
    build-tool: gradle maven bazel cmake ninja meson sbt cargo
    secrets: vault ssm doppler 1password sops
    hosting: heroku fly vercel netlify render railway cloudflare
    identity: auth0 keycloak okta cognito clerk firebase
    registry: harbor acr ecr gcr dockerhub ghcr nexus artifactory
    object-store: s3 minio oss cos gcs r2
    tracker: jira linear asana trello youtrack
    mail: sendgrid postmark mailgun ses
    city: 北京 上海 广州 深圳 杭州 成都 南京 武汉 香港 新加坡
    size-class: small medium large xlarge
    visibility: public private internal
    timing: sync async synchronous asynchronous 同步 异步
    casing: uppercase lowercase
    strategy: blue-green canary rolling
    reporting: slack email teams discord telegram 邮件 飞书 钉钉 企业微信 短信
    side: left right 左侧 右侧 左边 右边
"""


def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = dict(words.CATEGORY)
    for line in _GROUPS.strip().splitlines():
        group, _, names = line.strip().partition(":")
        for name in names.split():
            found[name] = found.get(name, frozenset()) | {group}
    return found


GROUPS = _groups()
HAN = tuple(sorted((name for name in GROUPS if not name.isascii()), key=len, reverse=True))
