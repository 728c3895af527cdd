"""A handoff in the form of an agent's own summary, for its session file.

The headings are those that Claude Code 2.1, pi 1.6 and Hermes 0.19 to 0.22 write and their users
know (Codex has none). What a writer wrote under them stands as it is; the rest comes from the
handoff, and so does all of it where there was no writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from redline.handoff.handoff import Failure, Handoff
from redline.handoff.writers.writer import SummaryForm
from redline.redaction import redact

_RULES = "The user's rules, word for word (they hold until the user lifts them):"


def summary_text(handoff: Handoff, form: SummaryForm, sections: Mapping[str, str]) -> str:
    """`handoff` as a summary in `form`; `sections` are a writer's own by their heading."""
    clean = {title: redact(text).text for title, text in sections.items() if text.strip()}
    match form:
        case SummaryForm.PI:
            return _pi(handoff, clean)
        case SummaryForm.HERMES:
            return _hermes(handoff, clean)
        case _:
            return _claude_code(handoff, clean)


def _claude_code(handoff: Handoff, said: Mapping[str, str]) -> str:
    solving = [
        *(f"Done: {item}" for item in handoff.done),
        *(f"Decided: {item.content}{_because(item.reason)}" for item in handoff.decisions),
        *(f"Rejected: {item}" for item in handoff.rejected),
        *(f"Blocked: {item}" for item in handoff.blocked),
        *(f"Open: {item}" for item in handoff.open_questions),
    ]
    rules = _rules(handoff)
    changed, read = handoff.files.changed, handoff.files.referenced
    bodies = (
        (
            "Primary Request and Intent",
            "\n\n".join(
                filter(None, (said.get("Primary Request and Intent", handoff.goal), rules))
            ),
        ),
        ("Key Technical Concepts", said.get("Key Technical Concepts", "")),
        (
            "Files and Code Sections",
            _bullets(
                [*(f"{path} (changed)" for path in changed), *(f"{path} (read)" for path in read)]
            ),
        ),
        ("Errors and fixes", _errors(handoff.errors)),
        ("Problem Solving", said.get("Problem Solving") or _bullets(solving)),
        ("All user messages", _bullets(f'"{words.text}"' for words in handoff.user_words)),
        ("Pending Tasks", said.get("Pending Tasks") or _bullets(handoff.next_plan)),
        ("Current Work", said.get("Current Work", handoff.current_state)),
        ("Optional Next Step", said.get("Optional Next Step") or _bullets(handoff.next_plan[:1])),
    )
    lines = []
    for number, (title, body) in enumerate(bodies, start=1):
        lines.append(f"{number}. {title}:\n{_indented(body.strip() or 'None.')}")
    more = _anchors(handoff)
    return "\n\n".join([*lines, *([more] if more else [])]) + "\n"


def _pi(handoff: Handoff, said: Mapping[str, str]) -> str:
    done = said.get("Done") or _bullets(f"[x] {item}" for item in handoff.done)
    decided = said.get("Key Decisions") or _bullets(
        f"**{item.content}**{_because(item.reason)}" for item in handoff.decisions
    )
    context = "\n\n".join(
        filter(
            None,
            (
                said.get("Critical Context", ""),
                _titled("The user's words:", _bullets(f'"{w.text}"' for w in handoff.user_words)),
                _titled("Errors:", _errors(handoff.errors)),
                _anchors(handoff),
            ),
        )
    )
    steps = said.get("Next Steps") or _numbered(handoff.next_plan)
    blocks = [
        f"## Goal\n{said.get('Goal', handoff.goal) or '(none)'}",
        f"## Constraints & Preferences\n{_rules(handoff) or '- (none)'}",
        f"## Progress\n### Done\n{done or '- (none)'}",
        f"### In Progress\n{said.get('In Progress', handoff.current_state) or '- (none)'}",
        f"### Blocked\n{said.get('Blocked') or _bullets(handoff.blocked) or '- (none)'}",
        f"## Key Decisions\n{decided or '- (none)'}",
        f"## Next Steps\n{steps or '- (none)'}",
        f"## Critical Context\n{context or '- (none)'}",
    ]
    for name, paths in (("read", handoff.files.referenced), ("modified", handoff.files.changed)):
        if paths:
            blocks.append(f"<{name}-files>\n" + "\n".join(paths) + f"\n</{name}-files>")
    return "\n\n".join(blocks) + "\n"


def _hermes(handoff: Handoff, said: Mapping[str, str]) -> str:
    """The sections that every version has, and those of one where there is something in them."""
    *earlier, asked = [words.text for words in handoff.user_words] or [""]
    files = [
        *(f"{path} (changed)" for path in handoff.files.changed),
        *(f"{path} (read)" for path in handoff.files.referenced),
    ]
    decided = (f"{item.content}{_because(item.reason)}" for item in handoff.decisions)
    context = "\n\n".join(filter(None, (said.get("Critical Context", ""), _anchors(handoff))))
    bodies = (
        ("Historical Task Snapshot", f'User asked: "{asked}"' if asked else ""),
        ("Goal", said.get("Goal", handoff.goal)),
        ("Constraints & Preferences", _rules(handoff)),
        ("Completed Actions", said.get("Completed Actions") or _numbered(handoff.done)),
        ("Active State", said.get("Active State", handoff.current_state)),
        ("Blocked", said.get("Blocked") or _bullets(handoff.blocked)),
        ("Key Decisions", said.get("Key Decisions") or _bullets(decided)),
        ("Resolved Questions", said.get("Resolved Questions", "")),
        (
            "Historical Pending User Asks",
            said.get("Historical Pending User Asks") or _bullets(handoff.open_questions),
        ),
        ("Relevant Files", _bullets(files)),
        (
            "Historical Remaining Work",
            said.get("Historical Remaining Work") or _numbered(handoff.next_plan),
        ),
        ("Critical Context", context),
    )
    of_one = (
        ("Errors & Fixes", _errors(handoff.errors)),
        (
            "User Messages (verbatim, newest first)",
            _bullets(f'"{text}"' for text in reversed(earlier)),
        ),
    )
    blocks = [f"## {title}\n{body.strip() or 'None.'}" for title, body in bodies]
    blocks += [f"## {title}\n{body}" for title, body in of_one if body]
    return "\n\n".join(blocks) + "\n"


def _rules(handoff: Handoff) -> str:
    rules = [rule.text for rule in handoff.constraints if rule.confirmed]
    unsure = [f"{rule.text} (unconfirmed)" for rule in handoff.constraints if not rule.confirmed]
    return _titled(_RULES, _bullets([*rules, *unsure]))


def _errors(errors: Iterable[Failure]) -> str:
    return _bullets(f"{error.message} -> {error.resolution or 'still open'}" for error in errors)


def _anchors(handoff: Handoff) -> str:
    """What must not be retold, and where the originals are."""
    anchors = handoff.anchors
    parts = [
        _titled("Git commits:", _bullets(anchors.commits)),
        _titled("Issues and pull requests:", _bullets(anchors.issues)),
        _titled("Links:", _bullets(anchors.urls)),
    ]
    if handoff.transcript:
        parts.append(f"The originals lie in {handoff.transcript}")
    return "\n\n".join(filter(None, parts))


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def _titled(title: str, body: str) -> str:
    return f"{title}\n{body}" if body else ""


def _bullets(items: Iterable[str]) -> str:
    return "\n".join("- " + "\n  ".join(item.strip().split("\n")) for item in items if item.strip())


def _numbered(items: Iterable[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))


def _indented(body: str) -> str:
    return "\n".join(f"   {line}" if line else "" for line in body.split("\n"))
