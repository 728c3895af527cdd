"""No secret of a session leaves it, whatever way out is taken; each way says what was taken out."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.compaction.outline import outline
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.facts.extract import extract
from redline.handoff.auditing import audit
from redline.handoff.document import as_json, as_markdown
from redline.handoff.markdown import render
from redline.handoff.offline import write as write_offline
from redline.handoff.writers.command import CommandAsker
from redline.handoff.writers.fork import prompt_of as prompt_of_fork
from redline.handoff.writers.prompted import PromptWriter
from redline.handoff.writers.writer import Step, SummaryForm
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger
from redline.model import Session
from redline.places import Places
from redline.redaction import marks
from redline.targets.handoff_file import HandoffFile
from redline.targets.rules_block import RulesBlock
from redline.targets.streams import Clipboard, StandardOutput
from tests.compaction.windows import window_of
from tests.handoff.writers.tasks import GOOD, Echo, task_of, written
from tests.redaction_corpus import secrets
from tests.sessions_in_memory import call, ran, reply, result, session, summary, user

_BY_KIND = {item.kind: item for item in secrets()}
_GITHUB, _GRAFANA, _VAULT = (_BY_KIND[k].secret for k in ("github classic", "grafana", "vault"))
_KEY = _BY_KIND["private key, end cut off"]
_NAMED = ("Zeppelin88x", "hunter2-of-the-db", "correct7horse", "s3cret-of-bob")
_SECRETS = (*_NAMED, _GITHUB, _GRAFANA, _VAULT, _KEY.secret, "bob@shop.example")
_RULE = f"Never print the token {_GITHUB} anywhere."


def _shop() -> Session:
    """Secrets in every place a session has: prompts, rules, replies, calls, results, a summary."""
    return session(
        user("old"),
        summary(f"The user's password is {_NAMED[0]}.\n\nNext: use {_VAULT} for the vault."),
        user(f"{_RULE} Log in as bob@shop.example, password: {_NAMED[1]}, and fix src/login.py."),
        reply(f"I log in with the token {_GRAFANA} and decided to keep it in the keychain."),
        *ran(
            f'curl -d \'{{"password": "{_NAMED[2]}"}}\' https://api.example.com',
            f"Error: no route to postgres://bob:{_NAMED[3]}@db/shop\n{_KEY.text}",
            1,
            call_id="a",
        ),
        call(
            "Write", {"file_path": "src/login.py", "content": f"TOKEN = '{_GITHUB}'"}, call_id="b"
        ),
        result("ok", call_id="b", tool="Write"),
        call(
            "TodoWrite",
            {"todos": [{"content": f"Rotate {_GRAFANA}", "status": "pending"}]},
            call_id="c",
        ),
        result("ok", call_id="c", tool="TodoWrite"),
        reply(f"Still failing with {_VAULT}. Next I would rotate {_GRAFANA}."),
        user("go on"),
        context_from=1,
    )


def _plan(given: Session, name: str) -> Plan:
    facts, ledger = extract(given), detect(given)
    shape, window = outline(given.context), window_of(given)
    return strategy(name).propose(window, shape, facts, ledger, StrategySettings(), Pins())


def _everything(given: Session) -> str:
    """All the session says, as a careless writer would hand it on."""
    return "\n\n".join(given.text(part) for message in given.context for part in message.parts)


def _leaks(text: str) -> list[str]:
    return [secret for secret in _SECRETS if secret in text]


def _markdown() -> str:
    given = _shop()
    return render(write_offline(given, None, extract(given), detect(given)))


def test_the_session_has_all_of_the_secrets() -> None:
    assert _leaks(_everything(_shop())) == list(_SECRETS)


def test_the_offline_handoff_holds_none_and_says_what_was_taken_out() -> None:
    text = _markdown()
    assert _leaks(text) == []
    assert {"token", "password", "account"} <= set(marks(text))


@pytest.mark.parametrize("form", ["md", "json"])
def test_the_document_with_all_messages_kept_holds_none(form: str) -> None:
    given = _shop()
    plan = replace(_plan(given, "clear"), actions=(Action.KEEP,) * len(given.context))
    written = as_markdown if form == "md" else as_json
    text = written(_markdown(), given, plan)
    assert _leaks(text) == []
    assert "private key" in marks(text)


@pytest.mark.parametrize("form", ["md", "json"])
def test_a_handoff_file_holds_none_and_the_change_says_so(tmp_path: Path, form: str) -> None:
    everything = _everything(_shop())
    text = everything if form == "md" else json.dumps({"goal": everything})
    places = Places(*(tmp_path / name for name in ("config", "state", "data", "cache")))
    now = datetime(2026, 11, 30, tzinfo=UTC)
    target = HandoffFile(text, session=_shop().info, places=places, now=now, form=form)
    change = target.preview()
    assert _leaks(change.after.decode()) == []
    assert any("private key taken out" in warning for warning in change.warnings)
    assert any("password taken out" in warning for warning in change.warnings)


def test_standard_output_gets_none_and_the_change_says_so() -> None:
    out: list[str] = []
    stream = StandardOutput(_everything(_shop()), write=out.append)
    stream.put()
    assert _leaks("".join(out)) == []
    assert any("token taken out" in warning for warning in stream.preview().warnings)


def test_the_clipboard_gets_none_neither_of_the_machine_nor_of_the_terminal() -> None:
    for taken in (True, False):
        given: list[str] = []

        def native(text: str, *, taken: bool = taken, given: list[str] = given) -> bool:
            given.append(text)
            return taken

        clipboard = Clipboard(
            _everything(_shop()), environment={}, write=given.append, native=native
        )
        clipboard.put()
        assert given
        assert _leaks("".join(given)) == []
        assert any("token taken out" in warning for warning in clipboard.preview().warnings)


def test_a_block_of_rules_in_a_memory_file_holds_none_and_the_change_says_so(
    tmp_path: Path,
) -> None:
    given = _shop()
    rules = [(rule.id, rule.text) for rule in detect(given).rules]
    assert rules
    assert _leaks(" ".join(text for _, text in rules)) == []
    rules.append(("other", f"Always push with {_GITHUB}"))
    change = RulesBlock(rules, to=tmp_path / "CLAUDE.md").preview()
    assert _leaks(change.after.decode()) == []
    assert any("1 x token taken out" in warning for warning in change.warnings)


@pytest.mark.parametrize("form", list(SummaryForm))
@pytest.mark.parametrize("previous", ["", f"Use {_VAULT} and password: {_NAMED[0]}"])
def test_the_prompt_for_a_model_holds_none(form: SummaryForm, previous: str) -> None:
    given = _shop()
    asker = Echo()
    task = task_of(
        given,
        form=form,
        previous=previous,
        focus=f"mind {_GRAFANA}",
        ledger=Ledger(detect(given).rules),
    )
    _, told = written(task, PromptWriter("echo", asker))
    assert asker.prompts
    steps = [piece.what for piece in told if isinstance(piece, Step)]
    assert any(step.startswith("secrets that it is not told: ") for step in steps)
    assert any(" x private key" in step for step in steps)
    assert _leaks("".join(prompt.system + prompt.text for prompt in asker.prompts)) == []


def test_a_session_read_in_parts_gives_none_away_in_any_of_them() -> None:
    asker = Echo(window=2_000)
    turns = [user(f"step {n}: password: {_NAMED[1]} " + "and more words " * 200) for n in range(9)]
    written(task_of(session(*turns)), PromptWriter("echo", asker))
    assert len(asker.prompts) > 2
    assert _leaks("".join(prompt.text for prompt in asker.prompts)) == []


def test_a_program_that_writes_reads_none(tmp_path: Path) -> None:
    seen = tmp_path / "seen.txt"
    code = f"import sys; open({str(seen)!r}, 'w').write(sys.stdin.read()); print({GOOD!r})"
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"}
    asker = CommandAsker((sys.executable, "-c", code), environment, 20)
    written(task_of(_shop()), PromptWriter("program", asker))
    assert "src/login.py" in seen.read_text(encoding="utf-8")
    assert _leaks(seen.read_text(encoding="utf-8")) == []


def test_the_prompt_for_a_fork_holds_none() -> None:
    given = _shop()
    task = task_of(given, focus=f"mind {_GRAFANA}", ledger=Ledger(detect(given).rules))
    assert _leaks(prompt_of_fork(task)) == []


def test_what_a_writer_gives_back_is_searched_as_well() -> None:
    answer = GOOD.replace(
        "The queue keeps", f"With {_GITHUB}, password: {_NAMED[1]}, the queue keeps"
    )
    assert _leaks(answer)
    made, _ = written(task_of(_shop()), PromptWriter("echo", Echo(lambda _prompt: answer)))
    assert _leaks(render(made.handoff)) == []


def test_the_report_of_an_audit_holds_none() -> None:
    from redline.cli.audit import audit_json

    given = _shop()
    found = audit(given, _plan(given, "fresh"), _markdown(), detect(given), extract(given))
    assert _leaks(json.dumps(audit_json(found), ensure_ascii=False, default=str)) == []


def test_an_audit_that_people_read_and_the_session_an_evaluation_keeps_hold_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from redline.cli.audit import print_audit
    from redline.evaluate.keeping import session_text

    given = _shop()
    found = audit(given, _plan(given, "fresh"), _markdown(), detect(given), extract(given))
    print_audit(found)
    assert _leaks(capsys.readouterr().out) == []
    assert _leaks(session_text(given)) == []
