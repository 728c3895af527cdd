"""`redline demo`: the whole way on copies of the sample sessions, in a scratch folder."""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.agents.times import seconds
from redline.cli.output import bar, console, note, share, thousands
from redline.cli.workplace import Workplace
from redline.errors import RedlineError
from redline.files import cannot, expanded, make_folders
from redline.scratch import Purpose, scratch
from redline.text import one_line, safe

if TYPE_CHECKING:
    from redline.model import SessionInfo
    from redline.review import Review

_SAMPLE_HOME = b"/home/dev/"
_TIME = re.compile(rb'"timestamp":"([^"]*)"')
_CLAUDE_MD = (
    "# Shop\n\nA small shop. Totals are in `src/totals.py`.\n\n## Tests\n\nRun `pytest -q`.\n"
)


def run(options: argparse.Namespace) -> int:
    headless = options.headless or not (sys.stdin.isatty() and sys.stdout.isatty())
    with _folder(options.keep, stays=headless) as folder:
        place = furnish(folder)
        if headless:
            walk(place)
            note(f"redline: everything lies in {folder}; delete it when you have looked")
            return 0
        from redline.ui.app import run_app

        return run_app(
            environment=place.environment,
            cwd=place.cwd,
            places=place.places,
            settings=place.settings,
            session=None,
        )


def _folder(wanted: str | None, *, stays: bool) -> AbstractContextManager[Path]:
    """An empty folder to work in, which goes at the end unless it is wanted or `stays`. Raises
    RedlineError where the wanted one is in use."""
    if wanted is not None:
        return nullcontext(_wanted(wanted))
    if stays:
        return nullcontext(Path(tempfile.mkdtemp(prefix="redline-demo-")).resolve())
    return scratch(Purpose.DEMO)


def _wanted(wanted: str) -> Path:
    folder = expanded(wanted).absolute()
    try:
        used = os.path.exists(folder) and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise cannot(error, folder, "read") from error
    if used:
        raise RedlineError(f"{folder} is not an empty folder", "name a new one")
    make_folders(folder)
    return folder.resolve()


def furnish(folder: Path) -> Workplace:
    """Copies the samples into `folder`, as if their projects lay there, and gives a workplace
    that knows nothing outside it."""
    from redline.places import places
    from redline.settings import load_settings
    from redline.shipped import shipped

    samples = shipped("sample_sessions")
    if not samples.is_dir():
        raise RedlineError("the sample sessions are missing", "install redline again")
    projects = folder / "projects"
    for source in sorted(samples.rglob("*")):
        if source.is_file():
            target = folder / _moved(source.relative_to(samples), projects)
            target.parent.mkdir(parents=True, exist_ok=True)
            body = source.read_bytes()
            if source.suffix in (".jsonl", ".json"):
                body = body.replace(_SAMPLE_HOME, os.fsencode(projects) + b"/")
            target.write_bytes(body)
            if times := _TIME.findall(body):  # else it would count as in use
                last = seconds(times[-1].decode())
                os.utime(target, None if last is None else (last, last))
    shop = projects / "shop"
    for name in ("shop", "site"):
        (projects / name).mkdir(parents=True, exist_ok=True)
    (shop / "CLAUDE.md").write_text(_CLAUDE_MD, encoding="utf-8")
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("REDLINE_")},
        "HOME": str(folder),
        "REDLINE_HOME": str(folder / "redline"),
        "CLAUDE_CONFIG_DIR": str(folder / "claude"),
        "PI_CODING_AGENT_DIR": str(folder / "pi"),
    }
    environment.pop("PI_CODING_AGENT_SESSION_DIR", None)
    found = places(environment)
    return Workplace(environment, shop, found, load_settings(found, shop, environment))


def _moved(path: Path, projects: Path) -> Path:
    """The path of a sample below the scratch folder, its project's folder name spelled as its
    agent would for the new place (Claude Code: `-` for all but letters and digits, pi:
    `--path--`)."""
    steps = []
    for step in path.parts:
        if step.startswith("--home-dev-"):
            step = f"--{str(projects).strip('/').replace('/', '-')}-" + step.removeprefix(
                "--home-dev-"
            )
        elif step.startswith("-home-dev-"):
            step = (
                re.sub("[^A-Za-z0-9]", "-", str(projects)) + "-" + step.removeprefix("-home-dev-")
            )
        steps.append(step)
    return Path(*steps)


def walk(place: Workplace) -> None:
    """The whole way once: see, cut, pin, focus, write, audit, commit, undo, redo."""
    from redline.agents.discover import discover

    out = console()
    sessions = discover(place.environment).sessions
    out.print(f"sessions    {len(sessions)} found below {place.cwd.parent.parent}")
    for info in sessions:
        out.print(
            safe(f"            {info.agent.value:<12} {thousands(info.billed):>5}  {info.title}")
        )
    chosen = max(sessions, key=lambda info: info.billed or 0)
    review = _planned(place, chosen)
    review = _written(review)
    _committed(place, review)


def _planned(place: Workplace, info: SessionInfo) -> Review:
    from redline.agents.opening import open_session
    from redline.compaction.plan import Action
    from redline.review import Choice

    out = console()
    session = open_session(info)
    review = place.review(session, Choice(place.settings.strategy))
    window = review.window
    now = {name.value: count for name, count in review.bar_now().items()}
    out.print(safe(f"\nopened      {info.title} ({info.id})"))
    out.print(
        f"window      {bar(now, window.limit, 50)}  {thousands(window.used)} of "
        f"{thousands(window.limit)}, {share(window.used, window.limit)}"
    )
    out.print(f"cut         tail from message {_place(review)}")
    review = review.cut_by_turn(-1)
    out.print(f"            moved one turn up: from message {_place(review)}")
    first = next(message for message in session.context if message.prompts)
    review = review.pin([first.id], Action.KEEP)
    out.print(f"pinned      keep: {one_line(first.head, 70)}")
    after = {name.value: count for name, count in review.bar_after().items()}
    out.print(f"after      ~{bar(after, window.limit, 50)}  {thousands(sum(after.values()))}")
    store = place.ledger_store()
    ledger = store.confirm(session, [rule.id for rule in review.ledger.proposed])
    for rule in ledger.rules:
        out.print(f"rule        {rule.state.value:<10}  {one_line(rule.text, 70)}")
    return review.with_ledger(ledger)


def _place(review: Review) -> str:
    cut = review.plan.cut
    total = len(review.outline.messages)
    return f"{cut.index + 1} of {total}" if cut else f"none of {total}"


def _written(review: Review) -> Review:
    out = console()
    review = review.with_focus("the rounding and the failing test").write()
    edited = review.text.rstrip("\n") + "\n\n## Note\n\nCheck the totals by hand once.\n"
    review = review.with_text(edited).audited()
    assert review.audit is not None
    good = sum(item.verdict.value == "word for word" for item in review.audit.items)
    out.print(
        f"handoff     {len(review.text)} characters, edited by hand; "
        f"{good} of {len(review.audit.items)} items word for word, "
        f"{'nothing required is lost' if review.audit.ok else 'something is lost'}"
    )
    return review


def _committed(place: Workplace, review: Review) -> None:
    from redline.handoff.document import as_markdown
    from redline.targets.commit import commit
    from redline.targets.handoff_file import HandoffFile
    from redline.targets.receipts import Receipts
    from redline.targets.rules_block import RulesBlock

    out = console()
    now = datetime.now(UTC)
    info = review.session.info
    rules_file = Path(info.project or place.cwd) / "CLAUDE.md"
    before = rules_file.read_bytes() if rules_file.exists() else None
    text = as_markdown(review.text, review.session, review.plan)
    targets = (
        HandoffFile(text, session=info, places=place.places, now=now),
        RulesBlock([(rule.id, rule.text) for rule in review.ledger.active], to=rules_file),
    )
    changes = tuple(target.preview() for target in targets)
    receipt = commit(changes, session=info, places=place.places, now=now)
    for change in changes:
        out.print(safe(f"wrote       {change.label}: {change.path}"))
    receipts = Receipts(place.places)
    undone = receipts.undo(receipt.id, now=now)
    same = (rules_file.read_bytes() if rules_file.exists() else None) == before
    out.print(f"undone      {receipt.id}: CLAUDE.md is {'as before' if same else 'NOT as before'}")
    if not (same and undone.complete):
        raise RedlineError("undo did not bring back what was there", "please report this")
    receipts.undo(undone.receipt, now=now)
    out.print("redone      both are written again, for you to look at")
