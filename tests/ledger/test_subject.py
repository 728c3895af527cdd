"""Another value is told from another thing by where words stand, whatever the words are."""

from __future__ import annotations

import pytest

from redline.ledger.restating import restates


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # another word before the same noun, behind the same word, at the start
        ("avatar uploads are limited to 2 MB", "attachment uploads are limited to 50 MB now"),
        ("retries on the email job: 5", "retries on the sms job: 7 now"),
        ("Line length is 88 in Python.", "Line length is 100 in TypeScript now."),
        ("Reads are limited to 500 per second.", "Writes are limited to 50 per second now."),
        ("budget for the campaign is 500 euros", "hosting budget went up to 800 euros"),
        # a value that is called after what it is of
        ("The bucket for orders is shop-orders", "The bucket for refunds is shop-refunds now"),
        ("The header is X-Shop-Id.", "The trace header is X-Trace-Id now."),
        # another measure
        ("The gateway retries 3 times.", "The gateway now times out after 5 seconds."),
        ("default page size is 20", "max page size is 100 now"),
        # where a style holds is no value of it
        ("Use single quotes in the TypeScript code.", "In the JavaScript code use single quotes."),
        # what is not to be done to one may be done to another
        ("no force push to main", "we work on feat/cart from here on, that's the branch"),
        ("测试环境的 redis 在 10.0.0.12", "预发环境的 redis 改到 10.0.0.31 了"),
    ],
)
def test_two_things_are_never_taken_for_one(older: str, newer: str) -> None:
    for first, second in ((older, newer), (newer, older)):
        found = restates(first, second)
        assert found is None or not found.sure, (first, second)


@pytest.mark.parametrize(
    ("older", "newer", "values"),
    [
        (
            "the queue for mails is mail_v1",
            "mails go through mail.fifo, the mail_v1 queue got deleted",
            ("mail_v1", "mail.fifo"),
        ),
        (
            "fixtures are in tests/data",
            "I moved the fixtures to spec/data yesterday",
            ("tests/data", "spec/data"),
        ),
        (
            "passwords are hashed with bcrypt",
            "argon2id replaces bcrypt for the passwords",
            ("bcrypt", "argon2id"),
        ),
        ("dates in the ui as DD.MM.YYYY", "show ui dates as YYYY-MM-DD", ("DD.MM.YYYY",) * 2),
        (
            "The worker gets 512Mi of memory.",
            "Memory for the worker was bumped to 1Gi.",
            ("512Mi",),
        ),
        ("地图用高德", "地图还是用百度吧", ("高德", "百度")),
        ("单个文件别超过 300 行", "单个文件放宽到 500 行了", ("300 行", "500 行")),
        (
            "Run `make check` before you commit",
            "Before a commit run `just verify`",
            ("make check",),
        ),
    ],
)
def test_another_value_of_one_thing_is_told_at_least_perhaps(
    older: str, newer: str, values: tuple[str, ...]
) -> None:
    found = restates(older, newer)
    assert found is not None
    assert found.older_value == values[0]
    assert len(values) < 2 or found.newer_value == values[1] or values[0] == values[1]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # each has words of its own
        (
            "session tokens expire after 30 minutes",
            "we raised the session token lifetime to 2 hours",
        ),
        # of a part of what was said
        ("Each pod gets 250m cpu and 256 MB", "each pod gets 512 MB now"),
        # where it holds is said once only
        ("ask Marta to review anything in billing/", "reviews go to Tobias now"),
    ],
)
def test_what_may_be_of_another_is_told_and_replaces_nothing(older: str, newer: str) -> None:
    found = restates(older, newer)
    assert found is None or not found.sure
