"""What the panes beside the transcript say: the plan, the rules, the facts, the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from redline.agents.live_words import live_word
from redline.compaction.layers import LAYER_WORDS, LayerName
from redline.compaction.plan import Action
from redline.compaction.price import Cost
from redline.compaction.strategies.registry import strategy
from redline.context.window import Window
from redline.facts.fact import Facts, FileFact
from redline.ledger.remark import remarks
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import Session
from redline.review import Review
from redline.text import first_line
from redline.ui.history_items import change_of, words_of
from redline.ui.items import Item
from redline.ui.marks import ACTION_MARK, ACTION_WORD, CHECK, CROSS, STATE_MARK, short
from redline.ui.session_items import LIVE

STATE_STYLE = {
    RuleState.PROPOSED: "warn",
    RuleState.ACTIVE: "good",
    RuleState.SUPERSEDED: "faint",
    RuleState.REVOKED: "faint",
    RuleState.DISMISSED: "faint",
}
_COMMANDS_SHOWN = 200
_READ = 12  # lines of what is there to be read: sentences end, and the pane scrolls


def plan_items(
    review: Review,
    row: int,
    cost: Cost,
    spent: str = "",
    advice: Sequence[tuple[str, str]] = (),
) -> list[Item]:
    """The plan in figures, and why the message at `row` is treated as it is. `spent` is what the
    session has cost so far, in words, `advice` what is advised of it, each with its name."""
    plan = review.plan
    counts = {action: plan.actions.count(action) for action in Action}
    tail = plan.settings.get("tail_tokens")
    items = [
        _figure("strategy", review.strategy, strategy(review.strategy).about),
        _figure("tail", f"~{short(tail)} tokens" if isinstance(tail, int) else "no budget"),
        *cost_items(cost, spent),
        *(_advised(name, words) for name, words in advice),
        _blank(),
    ]
    items += [
        Item(
            f"{counts[action]:,} {ACTION_WORD[action]}",
            mark=ACTION_MARK[action],
            style=action_style(action),
            inert=True,
        )
        for action in Action
        if counts[action]
    ]
    if plan.pinned:
        items.append(_figure("pinned", f"{len(plan.pinned)} by you"))
    items += [_blank(), Item("where it goes", heading=True)]
    items += [
        Item(
            f"{layer.name}",
            right=f"{layer.count} / ~{short(layer.tokens)}",
            inert=True,
        )
        for layer in review.layers()
    ]
    if row < len(plan.actions):
        action = plan.actions[row]
        items += [
            _blank(),
            Item(f"message {row + 1}", heading=True),
            Item(
                f"{ACTION_WORD[action]}: {plan.reasons[row]}",
                mark=ACTION_MARK[action],
                style=action_style(action),
                inert=True,
                lines=_READ,
            ),
            _figure("goes to", _where(review, row)),
        ]
    if plan.warnings:
        items += [_blank(), Item("warnings", heading=True)]
        items += [
            Item(text, mark="!", style="warn", inert=True, lines=_READ) for text in plan.warnings
        ]
    return items


def _where(review: Review, row: int) -> str:
    """The layers that the message at `row` goes to, in words."""
    layer = review.layer(row)
    words = LAYER_WORDS[layer]
    if row in review.memory and layer is not LayerName.MEMORY:
        words += f", in part to the {LAYER_WORDS[LayerName.MEMORY]}"
    return words if layer is not LayerName.GONE else "nowhere"


def cost_items(cost: Cost, spent: str = "") -> list[Item]:
    """What a plan frees, costs and saves. `spent` is what the session has cost so far, in words."""
    share = round(100 * cost.freed / max(cost.used, 1))
    return [
        _figure("frees", f"~{short(cost.freed)} of {short(cost.used)}, {share} %"),
        Item(cost.line, word="cache", style="faint", inert=True, lines=_READ),
        *_plainly(cost),
        *([_figure("spent", f"{spent} so far")] if spent else []),
    ]


def _plainly(cost: Cost) -> Iterator[Item]:
    """What is to be said of the cost and is not in its line."""
    for words in cost.words:
        if words not in cost.line:
            yield Item(words, mark="!", style="warn", inert=True, lines=_READ)


def _advised(name: str, words: str) -> Item:
    style = "bad" if name == "alarm" else "warn" if name in ("trigger", "thrash") else "faint"
    return Item(words, word=name, style=style, inert=True, lines=_READ)


def _figure(name: str, value: str, more: str = "") -> Item:
    text = f"{value}: {more}" if more else value
    return Item(text, word=name, style="faint", inert=True, lines=_READ)


def _blank() -> Item:
    return Item("", inert=True)


def action_style(action: Action) -> str:
    """The style of an entry about `action`."""
    if action is Action.KEEP:
        return "good"
    return "bad" if action is Action.DROP else "faint" if action is Action.SUMMARISE else "warn"


def rule_items(ledger: Ledger) -> list[Item]:
    """Rules by state: the proposed ones first, then the active, then the others."""
    items: list[Item] = []
    for state, heading in (
        (RuleState.PROPOSED, "proposed ({}): y yes, d no"),
        (RuleState.ACTIVE, "active ({})"),
        (RuleState.SUPERSEDED, "superseded ({})"),
        (RuleState.REVOKED, "revoked ({})"),
        (RuleState.DISMISSED, "dismissed ({})"),
    ):
        rules = ledger.in_state(state)
        if not rules:
            continue
        items.append(Item(heading.format(len(rules)), heading=True))
        for rule in rules:
            items.append(
                Item(
                    rule.text,
                    mark=STATE_MARK[state],
                    style=STATE_STYLE[state],
                    whole=STATE_STYLE[state] == "faint",
                    lines=4 if state in (RuleState.PROPOSED, RuleState.ACTIVE) else 1,
                    message=rule.message,
                    key=rule.id,
                )
            )
            items += remark_items(rule, lambda name: words_of_rule(ledger.named(name)))
    return items


def remark_items(rule: Rule, name: Callable[[str], str]) -> list[Item]:
    """What is to be said beside a rule, under it. `name` gives the words of another one by its
    id."""
    said = "; ".join(remarks(rule, name))
    lines = 3 if rule.state in (RuleState.PROPOSED, RuleState.ACTIVE) else 1
    return (
        [Item(said, mark=" ", style="faint", whole=True, inert=True, lines=lines)] if said else []
    )


def words_of_rule(rule: Rule | None) -> str:
    """A rule as another one names it; what is no rule is a message."""
    return "what you said later" if rule is None else f'"{first_line(rule.text, 40)}"'


def fact_items(facts: Facts, project: str | None) -> list[Item]:
    """What happened, what is unresolved first. Enter goes to where it comes from."""
    items: list[Item] = []

    def section(name: str, entries: list[Item]) -> None:
        if entries:
            items.append(Item(f"{name} ({len(entries)})", heading=True))
            items.extend(entries[:_COMMANDS_SHOWN])
            if len(entries) > _COMMANDS_SHOWN:
                items.append(
                    Item(f"{len(entries) - _COMMANDS_SHOWN} more", style="faint", inert=True)
                )

    section(
        "open errors",
        [
            Item(error.line, mark=CROSS, style="bad", message=error.message, lines=3)
            for error in facts.open_errors
        ],
    )
    section(
        "files changed",
        [_file(fact, project, "*", "good") for fact in facts.changed],
    )
    section(
        "git commits",
        [
            Item(f"{fact.sha} {fact.subject}", mark="@", style="good", message=fact.message)
            for fact in facts.commits
        ],
    )
    section(
        "decisions",
        [Item(fact.text, mark=">", message=fact.message, lines=2) for fact in facts.decisions],
    )
    section(
        "todo",
        [
            Item(todo.text, mark=CHECK if todo.status == "completed" else "-", message=todo.message)
            for todo in facts.todos
        ],
    )
    section(
        "issues and pull requests",
        [Item(fact.text, mark="#", message=fact.message) for fact in facts.references],
    )
    section("URLs", [Item(fact.text, mark="/", message=fact.message) for fact in facts.urls])
    section(
        "errors that were resolved",
        [
            Item(error.line, mark=CHECK, style="faint", message=error.message)
            for error in facts.errors
            if error.resolved is not None
        ],
    )
    section(
        "commands",
        [
            Item(
                fact.command,
                mark=CROSS if fact.failed else "$",
                style="bad" if fact.failed else "faint",
                right="" if fact.status is None else str(fact.status),
                message=fact.message,
            )
            for fact in reversed(facts.commands)
        ],
    )
    section(
        "files read",
        [_file(fact, project, ".", "faint") for fact in facts.read],
    )
    return items


def _file(fact: FileFact, project: str | None, mark: str, style: str) -> Item:
    return Item(
        inside(fact.path, project),
        mark=mark,
        style=style,
        right=_times(fact.count),
        ending=True,
        message=fact.message,
    )


def inside(path: str, project: str | None) -> str:
    """`path` as it is called inside the project, or as it is."""
    return path.removeprefix(f"{project.rstrip('/')}/") if project else path


def _times(count: int) -> str:
    return f"x{count}" if count > 1 else ""


def history_items(session: Session) -> list[Item]:
    """Past compactions, branches, subagents, and what is wrong with the file."""
    items: list[Item] = []
    if session.resume_lost and session.before is None:
        items.append(
            Item(
                f"a resume would lose {session.resume_lost} of {len(session.context)} messages",
                mark="!",
                style="bad",
                inert=True,
                lines=3,
            )
        )
    if session.compactions:
        count = len(session.compactions)
        items.append(Item(f"past compactions ({count})", heading=True))
    items += [
        Item(
            words_of(past),
            mark="=",
            word=past.kind.value,
            right=change_of(past),
            key=number,
        )
        for number, past in enumerate(session.compactions, start=1)
    ]
    if session.side_branches:
        items.append(Item(f"side branches ({len(session.side_branches)})", heading=True))
        items += [
            Item(
                branch.head or branch.leaf,
                mark="/",
                word="answered" if branch.answered else "draft",
                right=str(branch.records),
                lines=2,
                key=branch,
            )
            for branch in session.side_branches
        ]
    if session.subagents:
        items.append(Item(f"subagents ({len(session.subagents)})", heading=True))
        items += [
            Item(
                agent.description or agent.id,
                mark="&",
                word=agent.kind or "",
                lines=2,
                key=agent,
            )
            for agent in session.subagents
        ]
    if session.being_written is not None:
        said = f"record {session.being_written} is being written"
        items.append(Item(said, mark=LIVE, style="faint", whole=True, inert=True))
    if session.lasting_damage:
        items.append(Item(f"damage ({len(session.lasting_damage)})", heading=True))
        items += [
            Item(
                damage.detail,
                mark="!",
                word=damage.kind.value,
                right=f"record {damage.record}",
                style="warn",
                inert=True,
                lines=2,
            )
            for damage in session.lasting_damage[:500]
        ]
    return items


def remark(session: Session, window: Window, *, gone: bool = False) -> str:
    """Whether it is in use or its file is gone, agent, model and window in a line."""
    live = f"{LIVE} live ({live_word(session.info.live_by)})" if session.info.live else ""
    live = "file gone" if gone else live
    pieces = [live, session.info.agent.value, session.info.model or ""]
    if window.limit is None:
        pieces.append("window unknown")
    else:
        pieces.append(f"{short(window.limit)} window ({window.limit_source})")
    return "  ".join(filter(None, pieces))
