"""The database of decisions: kept, private, and never lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from redline import database
from redline.database import Database
from redline.errors import RedlineError
from redline.ledger.rows import RuleRows
from redline.stored import SessionKey, StoredDraft, StoredPins, StoredRule

KEY = SessionKey("pi", "one")
RULE = StoredRule(
    "r123456", "Never touch a", "never touch a", "prohibit", "active", "project", "m1",
    "2026-01-01T00:00:00+00:00", ("a",), None, True,
)  # fmt: skip


def rules(store: Database, key: SessionKey) -> tuple[StoredRule, ...]:
    return tuple(RuleRows(store).of(key).own.values())


def save(store: Database, key: SessionKey, saved: Iterable[StoredRule]) -> None:
    with RuleRows(store).changing(key, None) as change:
        change.save("confirm", "", {(key, rule.id): rule for rule in saved})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "state" / "redline.sqlite"


def test_a_missing_file_reads_as_empty_and_reading_makes_nothing(path: Path) -> None:
    store = Database(path)
    assert rules(store, KEY) == ()
    assert store.pins(KEY) == StoredPins()
    assert store.draft(KEY) is None
    assert not path.parent.parent.exists()


def test_what_was_saved_is_there_for_the_next_run(path: Path) -> None:
    save(Database(path), KEY, [RULE])
    assert rules(Database(path), KEY) == (RULE,)
    assert rules(Database(path), SessionKey("claude-code", "one")) == ()
    assert rules(Database(path), SessionKey("pi", "two")) == ()


def test_a_rule_saved_again_keeps_its_place(path: Path) -> None:
    store = Database(path)
    second = StoredRule("r2", "b", "b", "require", "active", "session")
    save(store, KEY, [RULE, second])
    changed = StoredRule("r123456", "c", "c", "only", "dismissed", "session", by="m9")
    save(store, KEY, [changed])
    assert rules(store, KEY) == (changed, second)


def test_pins_replace_the_earlier_ones(path: Path) -> None:
    store = Database(path)
    store.save_pins(KEY, StoredPins("m4", {"m1": "keep"}, {("m2", 0): "clear", ("m2", 3): "keep"}))
    assert store.pins(KEY) == StoredPins(
        "m4", {"m1": "keep"}, {("m2", 0): "clear", ("m2", 3): "keep"}
    )
    store.save_pins(KEY, StoredPins(None, {"m7": "drop"}))
    assert store.pins(KEY) == StoredPins(None, {"m7": "drop"})


def test_a_draft_replaces_only_the_one_of_the_same_message(path: Path) -> None:
    store = Database(path)
    store.save_draft(KEY, StoredDraft("first", "as written", "focus", "m1", "t1"))
    store.save_draft(KEY, StoredDraft("second", message="m2"))
    store.save_draft(KEY, StoredDraft("third", message="m2"))
    assert [draft.text for draft in store.drafts(KEY)] == ["third", "first"]
    assert store.draft(KEY) == StoredDraft("third", message="m2")


def test_lone_surrogates_and_zero_characters_come_back_unchanged(path: Path) -> None:
    store = Database(path)
    key = SessionKey("pi", "\ud800")
    store.save_draft(key, StoredDraft("a\udcffb\x00c 修改 🙂", message="\udfff"))
    draft = store.draft(key)
    assert draft is not None
    assert (draft.text, draft.message) == ("a\udcffb\x00c 修改 🙂", "\udfff")
    save(store, key, [StoredRule("r1", "\ud800", "", "x", "y", "z", objects=("\ud800",))])
    assert rules(store, key)[0].objects == ("\ud800",)


def test_the_file_and_its_folders_are_for_this_user_only(path: Path) -> None:
    before = os.umask(0)
    try:
        save(Database(path), KEY, [RULE])
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("harm", ["text", "truncated", "zero page", "garbage at the end"])
def test_a_damaged_file_is_kept_aside_and_the_next_write_works(path: Path, harm: str) -> None:
    save(
        Database(path), KEY, [StoredRule(f"r{i}", "x" * 900, "", "a", "b", "c") for i in range(50)]
    )
    whole = path.read_bytes()
    page = 4096
    harmed = {
        "text": b"this is no database\n" * 30,
        "truncated": whole[:100],
        "zero page": whole[:page] + bytes(page) + whole[2 * page :],
        "garbage at the end": whole[: 3 * page] + b"\xff" * (len(whole) - 3 * page),
    }[harm]
    path.write_bytes(harmed)
    store = Database(path)
    assert rules(store, KEY) == ()
    kept = path.with_name("redline.sqlite.damaged-1")
    assert kept.read_bytes() == harmed
    assert len(store.notices) == 1
    assert kept.name in store.notices[0]
    save(store, KEY, [RULE])
    assert rules(store, KEY) == (RULE,)
    assert len(store.notices) == 1


def test_a_damaged_file_does_not_stop_a_write_and_no_copy_is_overwritten(path: Path) -> None:
    for number in (1, 2):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"harm %d" % number * 99)
        store = Database(path)
        save(store, KEY, [RULE])
        assert rules(store, KEY) == (RULE,)
        kept = path.with_name(f"redline.sqlite.damaged-{number}")
        assert kept.read_bytes() == b"harm %d" % number * 99


@pytest.mark.parametrize("version", [database.VERSION + 1, 9999])
def test_a_newer_schema_is_refused_and_not_a_byte_is_changed(path: Path, version: int) -> None:
    save(Database(path), KEY, [RULE])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(RedlineError, match="newer"):
        rules(Database(path), KEY)
    with pytest.raises(RedlineError, match="newer"):
        save(Database(path), KEY, [RULE])
    assert path.read_bytes() == before
    assert sorted(item.name for item in path.parent.iterdir()) == [path.name]


def test_what_a_newer_redline_left_in_its_log_is_not_written_into_the_file(
    path: Path, tmp_path: Path
) -> None:
    save(Database(path), KEY, [RULE])
    left = tmp_path / "left" / path.name
    left.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as newer:
        newer.execute(f"PRAGMA user_version = {database.VERSION + 1}")
        newer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        newer.execute("CREATE TABLE theirs (note)")
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{left}{ending}")
    before = {item.name: item.read_bytes() for item in left.parent.iterdir()}
    assert before[f"{path.name}-wal"]
    with pytest.raises(RedlineError, match="newer"):
        rules(Database(left), KEY)
    assert {item.name: item.read_bytes() for item in left.parent.iterdir()} == before


def test_rules_of_the_first_schema_are_read_and_changed(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        for statement in database.MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute("PRAGMA user_version = 1")
        connection.execute(
            "INSERT INTO rules VALUES ('pi', 'one', 'r123456', 1, 'Never touch a', 'never touch a',"
            " 'prohibit', 'active', 'project', 'm1', '2026-01-01T00:00:00+00:00',"
            " '[\"a\"]', NULL, 1)"
        )
        connection.commit()
    store = Database(path)
    assert rules(store, KEY) == (RULE,)
    save(store, KEY, [replace(RULE, state="revoked")])
    (step,) = RuleRows(store).steps("r123456")
    assert (step.before, step.after) == (RULE, replace(RULE, state="revoked"))


def test_an_older_schema_is_brought_up_to_date_with_its_rows(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(Database(path), KEY, [RULE])
    step = ("ALTER TABLE rules ADD COLUMN note TEXT",)
    monkeypatch.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, step))
    monkeypatch.setattr(database, "VERSION", 3)
    assert rules(Database(path), KEY) == (RULE,)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("SELECT note FROM rules").fetchall() == [(None,)]


def test_a_migration_that_fails_leaves_the_version_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(Database(path), KEY, [RULE])
    step = ("ALTER TABLE rules ADD COLUMN note TEXT", "no SQL at all")
    with monkeypatch.context() as changed:
        changed.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, step))
        changed.setattr(database, "VERSION", 3)
        with pytest.raises(RedlineError):
            rules(Database(path), KEY)
    assert rules(Database(path), KEY) == (RULE,)


def test_a_file_that_another_program_writes_to_is_named_busy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    store = Database(path)
    save(store, KEY, [RULE])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert rules(store, KEY) == (RULE,)
        with pytest.raises(RedlineError, match="busy"):
            save(store, KEY, [RULE])


def test_a_write_that_fails_half_way_stores_nothing(path: Path) -> None:
    store = Database(path)
    store.save_pins(KEY, StoredPins("m1"))
    with pytest.raises(OverflowError):
        store.save_pins(KEY, StoredPins("m2", {}, {("m3", 1 << 70): "keep"}))
    assert store.pins(KEY) == StoredPins("m1")


def test_threads_write_at_once_without_a_loss(path: Path) -> None:
    stores = [Database(path), Database(path)]

    def write(number: int) -> None:
        rule = StoredRule(f"r{number}", str(number), "", "a", "b", "c")
        save(stores[number % 2], KEY, [rule])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rules(Database(path), KEY)) == 16


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    store = Database(blocked / "state" / "redline.sqlite")
    assert rules(store, KEY) == ()
    with pytest.raises(RedlineError, match="cannot write"):
        save(store, KEY, [RULE])


def test_a_folder_in_the_place_of_the_file_is_a_clear_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(RedlineError):
        rules(Database(path), KEY)
    with pytest.raises(RedlineError):
        save(Database(path), KEY, [RULE])
