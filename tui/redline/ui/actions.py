"""Every command of the screens, declared once.

A declaration gives the binding, its place in the footer, its entry in the palette and in the help,
and the name under which the settings can give it another key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from textual.binding import Binding, BindingType


@dataclass(frozen=True, slots=True)
class Command:
    """What a key does.

    `name` is for the settings (`keys:` there), `keys` are Textual's names with commas between,
    `action` the method without its `action_`, with arguments as Textual writes them. `label` is one
    or two words for the footer; neighbours with the same label stand together. `help` says it
    all. A command without `footer` is found in the help and the palette only.
    """

    name: str
    keys: str
    action: str
    label: str
    help: str
    footer: bool = True


def _command(name: str, keys: str, action: str, label: str, text: str) -> Command:
    return Command(name, keys, action, label, text)


def _hidden(name: str, keys: str, action: str, label: str, text: str) -> Command:
    return Command(name, keys, action, label, text, footer=False)


COMMANDS: Mapping[str, tuple[Command, ...]] = {
    "app": (
        _command("app.help", "question_mark,f1", "help", "help", "Help for what has the focus"),
        _hidden("app.palette", "ctrl+p,colon", "command_palette", "palette", "Find any command"),
        _hidden("app.receipts", "f8", "receipts", "receipts", "What was written so far; undo it"),
        _hidden("app.theme", "f9", "next_theme", "theme", "The next theme"),
        _hidden("app.copy", "ctrl+c", "copy", "copy", "Copy the selection, or the whole row"),
        _hidden("app.suspend", "ctrl+z", "suspend_process", "suspend",
                "To the shell for a while; fg comes back"),
        _command("app.quit", "q,ctrl+q", "leave", "quit", "Leave redline; nothing is lost"),
    ),
    "list": (
        _hidden("list.down", "down,j", "line_down", "down", "One row down"),
        _hidden("list.up", "up,k", "line_up", "up", "One row up"),
        _hidden("list.page_down", "pagedown,ctrl+f", "page_down", "page down", "One page down"),
        _hidden("list.page_up", "pageup,ctrl+b", "page_up", "page up", "One page up"),
        _hidden("list.first", "home,g", "first", "first", "The first row"),
        _hidden("list.last", "end,G", "last", "last", "The last row"),
        _hidden("list.open", "enter", "open", "open", "Open the row"),
    ),
    "sessions": (
        _command("sessions.open", "enter", "open", "open", "Open the session at the desk"),
        _command("sessions.filter", "slash", "filter", "filter", "Show sessions that hold a text"),
        _command("sessions.search", "F", "search", "search", "Search in all that was ever said"),
        _command("sessions.agent", "a", "next_agent", "agent", "The next agent's sessions only"),
        _command("sessions.project", "p", "one_project", "project",
                 "Only this session's project; again, all"),
        _command("sessions.sort", "s", "next_sort", "sort", "Sort by time, fill, size or title"),
        _command("sessions.group", "v", "group", "one list", "By project, or all in one list"),
        _command("sessions.file", "o", "open_file", "open file", "Open a session file by its path"),
        _command("sessions.rules", "R", "rules", "rules", "The rules of this session's project"),
        _command("sessions.again", "r", "look_again", "look again", "Look for sessions again"),
        _hidden("sessions.clear", "escape", "clear_filter", "show all", "Take the filter away"),
    ),
    "search": (
        _command("search.open", "enter", "open", "open", "Open the session at the message"),
        _command("search.agent", "a,f2", "next_agent", "agent", "The next agent's sessions only"),
        _command("search.role", "o,f3", "next_role", "role", "Only prompts, replies or tools"),
        _command("search.since", "t,f4", "next_time", "since", "Only what is as young as that"),
        _command("search.project", "p,f6", "one_project", "project",
                 "Only this hit's project; again, all"),
        _command("search.widen", "x,f7", "widen", "all", "Leave nothing out any more"),
        _hidden("search.again", "r,f5", "look_again", "look again", "Look for what is new"),
        _hidden("search.down", "down", "move('line_down')", "down", "The next hit"),
        _hidden("search.up", "up", "move('line_up')", "up", "The hit before"),
        _hidden("search.page_down", "pagedown", "move('page_down')", "page down", "A page of hits"),
        _hidden("search.page_up", "pageup", "move('page_up')", "page up", "A page of hits back"),
        _hidden("search.field", "slash,F", "field", "search", "To the field"),
        _command("search.back", "escape", "back", "back", "To the field, then back"),
    ),
    "desk": (
        _command("desk.write", "w", "write", "write", "Write the handoff and audit it"),
        _command("desk.turn_up", "left_curly_bracket", "cut_turn(-1)", "by turn",
                 "The cut one turn up: keep more"),
        _command("desk.turn_down", "right_curly_bracket", "cut_turn(1)", "by turn",
                 "The cut one turn down: keep less"),
        _command("desk.message_up", "left_square_bracket", "cut_message(-1)", "by message",
                 "The cut one message up"),
        _command("desk.message_down", "right_square_bracket", "cut_message(1)", "by message",
                 "The cut one message down"),
        _hidden("desk.cut_here", "c", "cut_here", "cut here", "The cut above this message"),
        _command("desk.keep", "plus", "pin('keep')", "keep", "Keep word for word"),
        _command("desk.drop", "minus", "pin('drop')", "drop", "Leave out, without a trace"),
        _command("desk.clear", "tilde", "pin('clear')", "clear", "Clear the body of tool results"),
        _command("desk.quote", "quotation_mark", "pin('quote')", "quote",
                 "Take out, but quote its prompts word for word in the handoff"),
        _hidden("desk.shorten", "less_than_sign", "pin('shorten')", "shorten",
                "Keep the start and the end of the body"),
        _hidden("desk.summarise", "S", "pin('summarise')", "summarise", "Summarise in the handoff"),
        _hidden("desk.parts", "p", "parts", "parts", "Act on a single part of the message"),
        _command("desk.unpin", "equals_sign", "unpin", "unpin", "Let the strategy decide again"),
        _hidden("desk.pick", "space", "pick", "pick", "Pick several messages for the next action"),
        _command("desk.strategy", "s", "strategy", "strategy", "Choose another strategy"),
        _command("desk.tail", "t", "tail", "tail", "Set the tail's budget in tokens"),
        _command("desk.compare", "C", "compare", "compare", "All strategies side by side"),
        _command("desk.find", "slash", "find", "find", "Find a text in the transcript"),
        _hidden("desk.search", "F", "search", "search", "Search in all that was ever said"),
        _hidden("desk.find_next", "n", "find_next(1)", "next", "The next place it was found"),
        _hidden("desk.find_previous", "N", "find_next(-1)", "previous", "The place before"),
        _command("desk.undo", "u", "undo", "undo", "Back over the last change of the plan"),
        _hidden("desk.redo", "ctrl+r,U", "redo", "redo", "Forward again"),
        _command("desk.focus", "f", "focus_hint", "focus hint", "Say what it must be about"),
        _command("desk.register", "R", "register", "rules",
                 "The rules of the whole project, and which of its files say them"),
        _hidden("desk.plan", "1", "show('plan')", "plan", "The plan in figures"),
        _hidden("desk.rules", "2", "show('rules')", "rules", "The rules you stated"),
        _hidden("desk.facts", "3", "show('facts')", "facts", "Files, commits, errors, commands"),
        _hidden("desk.history", "4", "show('history')", "history", "Compactions, branches, damage"),
        _command("desk.past", "h", "history", "history",
                 "Everything that was said, also what is not in the context any more"),
        _hidden("desk.compactions", "A", "compactions", "compactions",
                "What the agent's own past compactions lost"),
        _hidden("desk.again", "f5", "read_again", "read again", "Read the session again"),
        _hidden("desk.back", "escape", "back", "back", "Back to the sessions"),
    ),
    "transcript": (
        _hidden("transcript.open", "enter", "open", "open", "Open the message whole, or close it"),
        _hidden("transcript.turn_down", "ctrl+down,J", "turn(1)", "next turn", "The next prompt"),
        _hidden("transcript.turn_up", "ctrl+up,K", "turn(-1)", "turn before", "The prompt before"),
        _hidden("transcript.at_cut", "x", "at_cut", "to the cut", "The cursor to the cut"),
    ),
    "rules": (
        _command("rules.confirm", "y", "confirm", "confirm", "Confirm: the rule binds"),
        _command("rules.dismiss", "d", "dismiss", "dismiss", "Dismiss: it is no rule"),
        _command("rules.edit", "e", "edit", "edit", "Word the rule in another way"),
        _command("rules.add", "a", "add", "add", "Add a rule by hand"),
        _command("rules.revoke", "v", "revoke", "revoke", "Revoke: it bound once, no longer"),
        _hidden("rules.supersede", "x", "supersede", "replace",
                "Let another rule, or new words, take its place"),
        _hidden("rules.scope", "o", "rescope", "scope",
                "For its session only, or for the whole project"),
        _hidden("rules.undo", "z", "take_back", "undo", "Take back the last change of the rules"),
    ),
    "register": (
        _command("register.promote", "p", "promote", "promote",
                 "Write the rule into CLAUDE.md or AGENTS.md, or take one out that has ended"),
        _hidden("register.promote_all", "P", "promote_all", "promote all",
                "Write all active rules into CLAUDE.md or AGENTS.md"),
        _command("register.back", "escape", "back", "back", "Back"),
    ),
    "past": (
        _command("past.plan", "p", "plan", "plan before", "A desk as it was before the compaction"),
    ),
    "history": (
        _command("history.turn_down", "t", "jump('turn', 1)", "turn", "The next prompt"),
        _command("history.turn_up", "T", "jump('turn', -1)", "turn", "The prompt before"),
        _command("history.compaction_down", "c", "jump('compaction', 1)", "compaction",
                 "The next compaction"),
        _command("history.compaction_up", "C", "jump('compaction', -1)", "compaction",
                 "The compaction before"),
        _command("history.error_down", "e", "jump('error', 1)", "error", "The next error"),
        _command("history.error_up", "E", "jump('error', -1)", "error", "The error before"),
        _command("history.plan", "p", "plan", "plan here",
                 "To a desk where this message is in the context"),
        _command("history.filter", "slash", "filter", "filter", "Contents that hold a text"),
        _hidden("history.compactions", "A", "compactions", "what was lost",
                "What the agent's own past compactions lost"),
        _command("history.back", "escape", "back", "back", "End the reading, then back"),
    ),
    "strategies": (
        _command("strategies.take", "enter", "take", "take it", "Make it the plan of the desk"),
    ),
    "compare": (
        _command("compare.differing", "d", "differing", "differing",
                 "Only the messages that the two plans treat differently; again, all"),
        _command("compare.next", "n", "next_difference(1)", "next", "The next such message"),
        _hidden("compare.previous", "N", "next_difference(-1)", "before", "The one before"),
        _command("compare.messages", "1", "show('messages')", "messages",
                 "What each strategy does with each message"),
        _command("compare.figures", "2", "show('figures')", "figures",
                 "The strategy in figures: what stays, price, triggers, warnings"),
        _hidden("compare.again", "f5", "compare_again", "again",
                "Compare again, with what was said since"),
        _command("compare.back", "escape", "back", "back", "Back to the desk, nothing changed"),
    ),
    "handoff": (
        _command("handoff.commit", "w,ctrl+s", "commit", "commit", "Choose where it is written"),
        _command("handoff.insert", "i", "insert", "insert", "Insert the item, word for word"),
        _command("handoff.again", "r,ctrl+r", "write_again", "write again",
                 "Write again from the plan; your own edits stay"),
        _command("handoff.writer", "m", "writer", "writer",
                 "Choose who writes it: nobody, a model, a program, a fork of the session"),
        _hidden("handoff.before", "b", "bring_back", "text before",
                "The text as it was before it was last written; again, the new one"),
        _command("handoff.editor", "e,ctrl+e", "editor", "$EDITOR", "Edit in your own editor"),
        _command("handoff.difference", "d", "difference", "difference",
                 "What differs from the summary before"),
        _hidden("handoff.focus", "f", "focus_hint", "focus hint", "Another focus, and write again"),
        _command("handoff.back", "escape", "back", "back",
                 "End the writing; to the audit, then the desk"),
    ),
    "commit": (
        _command("commit.tick", "space", "tick", "tick", "Tick or untick the target"),
        _command("commit.write", "enter", "write", "write",
                 "Write to the ticked targets; once written, start the agent on it"),
        _command("commit.copy", "y", "copy_command", "copy command", "Copy the command onward"),
        _command("commit.undo", "U", "undo_commit", "undo commit", "Take back what was written"),
        _command("commit.back", "escape", "back", "back", "Back to the handoff"),
    ),
    "compactions": (
        _command("compactions.take", "i", "take", "take over",
                 "Take it over into the handoff; again, leave it"),
        _command("compactions.back", "escape", "back", "back", "To the compactions, then back"),
    ),
    "receipts": (
        _command("receipts.undo", "U", "undo", "undo", "Take this commit back"),
        _command("receipts.original", "enter", "original", "before",
                 "What was there before, whole"),
        _command("receipts.find", "slash", "find", "find",
                 "Find a text in everything that receipts keep"),
        _command("receipts.prune", "P", "prune", "prune",
                 "Take away receipts older than 30 days; first shows which"),
        _command("receipts.back", "escape", "back", "back", "Back"),
    ),
}  # fmt: skip

_DISPLAY = {
    "question_mark": "?",
    "colon": ":",
    "slash": "/",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "plus": "+",
    "minus": "-",
    "tilde": "~",
    "quotation_mark": '"',
    "less_than_sign": "<",
    "equals_sign": "=",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
}


def bindings(*contexts: str) -> list[BindingType]:
    """The bindings of `contexts`, for a class's BINDINGS."""
    return [
        Binding(command.keys, command.action, command.help, id=command.name, show=command.footer)
        for context in contexts
        for command in COMMANDS[context]
    ]


def display(keys: str) -> str:
    """The first of `keys` as people write it."""
    key = keys.split(",")[0].strip()
    return _DISPLAY.get(key, key)


def wrong_keys(keymap: Mapping[str, str]) -> list[str]:
    """What is wrong with a keymap from the settings."""
    known = {command.name for commands in COMMANDS.values() for command in commands}
    return [f"{name}: there is no such command" for name in keymap if name not in known]


def key_of(command: Command, keymap: Mapping[str, str], *, typing: bool = False) -> str:
    """The key to name for `command`; while a field takes what is `typing`, one that is no letter.
    Nothing where there is none."""
    keys = [display(key) for key in keymap.get(command.name, command.keys).split(",")]
    if typing:
        keys = [key for key in keys if len(key) > 1 and key != "space"]
    return keys[0] if keys else ""


def footer_runs(
    commands: Iterable[Command], keymap: Mapping[str, str], *, typing: bool = False
) -> list[tuple[str, str, str]]:
    """(keys, label, action) for the footer; neighbours with one label share it."""
    runs: list[tuple[str, str, str]] = []
    for command in commands:
        key = key_of(command, keymap, typing=typing)
        leaves = typing and key == "esc"  # how else does one get out of a field?
        if not key or not (command.footer or leaves):
            continue
        if runs and runs[-1][1] == command.label:
            runs[-1] = (f"{runs[-1][0]} {key}", command.label, runs[-1][2])
        else:
            runs.append((key, command.label, command.action))
    return runs
