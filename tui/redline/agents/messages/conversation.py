"""Builds messages from the items of a conversation, in any of the three dialects.

The system prompt of a body is one message, its tools the last part of it (their JSON), so that the
window says what is sent before anything is said. Items of a Responses body that are one reply
(reasoning, text, calls) are one message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.messages.blocks import call, content, named, result
from redline.agents.messages.draft import Answer, Draft, Place
from redline.agents.messages.shapes import is_item
from redline.agents.times import read_time
from redline.errors import kind_in_words
from redline.model import Damage, DamageKind, Kind, Message, PartType, Role

SYSTEM = "system"  # the id of the message that holds the system prompt and the tools
TOOLS = "tools"
_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "assistant": Role.ASSISTANT,
}
_KINDS = {Role.SYSTEM: Kind.INJECTED, Role.DEVELOPER: Kind.INJECTED, Role.ASSISTANT: Kind.REPLY}
# The items of a Responses body that are calls with a result, and where they keep what they ask for.
_ANSWERED = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
        "computer_call",
        "mcp_call",
    }
)
_INPUTS = ("arguments", "input", "action", "operation")


class Conversation:
    """The messages so far. `words` are the roles in the body's own words, by message id; `taken`
    counts items, `unknown` those that are no message."""

    def __init__(self, damage: list[Damage]) -> None:
        self.damage = damage
        self.words: dict[str, str] = {}
        self.taken = self.unknown = 0
        self.calls: set[str] = set()
        self.results: set[str] = set()
        self._drafts: list[Draft] = []
        self._tools: dict[str, str] = {}
        self._reply: Draft | None = None  # of a Responses body, while it goes on

    def preface(self, body: Mapping[str, Any], place: Place) -> None:
        """The system prompt and the tools of a request."""
        draft = Draft(SYSTEM, Role.SYSTEM, "system")
        for key in ("system", "instructions"):
            content(draft, body.get(key), place.at(key), Kind.INJECTED, {})
        for key in (TOOLS, "functions"):
            found = body.get(key)
            if isinstance(found, list) and found:
                draft.add(PartType.TEXT, Kind.INJECTED, TOOLS, place.at(key), call_text(found))
        if draft.parts:
            self._keep(draft)

    def take(self, item: object, place: Place, number: int, answer: Answer | None = None) -> None:
        """The next item, the one called `number`; `answer` is what is known of it as a reply."""
        self.taken += 1
        if isinstance(item, str) and place.pointer[-1:] == ("input",):
            draft = self._draft({}, number, "user", None)  # the whole input is a mere prompt
            draft.text(Kind.PROMPT, "text", place, item)
            return
        if not isinstance(item, dict):
            detail = f"a message was expected, this is {kind_in_words(item)}"
            self.damage.append(Damage(place.record, DamageKind.NOT_AN_OBJECT, detail))
            return
        if not is_item(item):
            self.unknown += 1
            detail = "no message: it has no role and content, and no type of an item"
            self.damage.append(Damage(place.record, DamageKind.UNKNOWN, detail))
            return
        if isinstance(item.get("role"), str):
            self._message(item, place, number, answer)
        else:
            self._item(item, place, number, answer)

    def messages(self) -> tuple[Message, ...]:
        """The messages, those without parts left out. Says which results have no call."""
        called: set[str | None] = set()
        for draft in self._drafts:
            for part in draft.parts:
                if part.type is PartType.TOOL_CALL:
                    called.add(part.call_id)
                elif part.type is PartType.TOOL_RESULT and part.call_id not in called:
                    detail = f"result of {part.call_id or 'no call'}, whose call is not there"
                    self.damage.append(Damage(part.origin.record, DamageKind.ORPHAN, detail))
                elif part.type is PartType.TOOL_RESULT and part.call_id:
                    self.results.add(part.call_id)
        self.calls = {ident for ident in called if ident}
        return tuple(draft.finished() for draft in self._drafts if draft.parts)

    def _keep(self, draft: Draft) -> None:
        if draft.id in self.words:
            draft.id = next(
                name
                for copy in range(2, len(self.words) + 3)
                if (name := f"{draft.id}:{copy}") not in self.words
            )
        self.words[draft.id] = draft.word
        self._drafts.append(draft)

    def _draft(
        self, item: Mapping[str, Any], number: int, word: str, answer: Answer | None
    ) -> Draft:
        time = read_time(item.get("timestamp")) or read_time(item.get("created_at"))
        role = _ROLES.get(word, Role.USER)
        if role is Role.DEVELOPER and all(one.role is Role.SYSTEM for one in self._drafts):
            role = Role.SYSTEM  # what stands first is the system prompt, by its newer name
        draft = Draft(
            named(item.get("id")) or f"message:{number}",
            role,
            word,
            time,
            answer or Answer(),
        )
        self._keep(draft)
        return draft

    def _message(
        self, item: Mapping[str, Any], place: Place, number: int, answer: Answer | None
    ) -> None:
        word = item["role"]
        role = _ROLES.get(word, Role.USER)
        if role is Role.ASSISTANT:
            joins = item.get("type") == "message"  # one of several items of a Responses reply
            draft = self._reply_draft(item, number, answer) if joins else None
            if draft is None:
                self._reply = None
                draft = self._draft(item, number, word, answer)
            self._said(draft, item, place)
            return
        self._reply = None
        draft = self._draft(item, number, word, None)
        if word in ("tool", "function"):
            ident, said = named(item.get("tool_call_id")), item.get("content")
            result(draft, word, said, place.at("content"), ident, self._tools)
        else:
            kind = _KINDS.get(role, Kind.PROMPT)
            content(draft, item.get("content"), place.at("content"), kind, self._tools)

    def _said(self, draft: Draft, item: Mapping[str, Any], place: Place) -> None:
        """A reply of any dialect: thinking, texts and calls."""
        for key in ("reasoning_content", "reasoning"):
            if thought := named(item.get(key)):
                draft.add(PartType.THINKING, Kind.REPLY, key, place.at(key), thought)
                break
        content(draft, item.get("content"), place.at("content"), Kind.REPLY, self._tools)
        if refused := named(item.get("refusal")):
            draft.text(Kind.REPLY, "refusal", place.at("refusal"), refused)
        calls = item.get("tool_calls")
        for at, made in enumerate(calls if isinstance(calls, list) else ()):
            if not isinstance(made, dict):
                continue
            for wire, key in (("function", "arguments"), ("custom", "input")):
                if isinstance(made.get(wire), dict):
                    spot = place.at("tool_calls", at, wire, key)
                    call(draft, wire, made[wire], spot, made.get("id"), self._tools)
                    break
        old = item.get("function_call")
        if isinstance(old, dict):
            spot = place.at("function_call", "arguments")
            call(draft, "function_call", old, spot, None, self._tools)

    def _reply_draft(self, item: Mapping[str, Any], number: int, answer: Answer | None) -> Draft:
        """The reply that an item of a Responses body belongs to."""
        if self._reply is None:
            self._reply = self._draft(item, number, "assistant", answer)
        elif answer is not None and self._reply.answer == Answer():
            self._reply.answer = answer
        return self._reply

    def _item(
        self, item: Mapping[str, Any], place: Place, number: int, answer: Answer | None
    ) -> None:
        wire = str(item["type"])
        ident = named(item.get("call_id")) or named(item.get("id"))
        if wire.endswith("_output") or wire == "mcp_approval_response":
            self._reply = None
            draft = self._draft(item, number, "", None)
            result(draft, wire, item.get("output"), place.at("output"), ident, self._tools)
            return
        if wire in ("compaction", "item_reference"):
            self._reply = None
            draft = self._draft(item, number, "", None)
            kind = Kind.SUMMARY if wire == "compaction" else Kind.INJECTED
            sealed = texts(item.get("encrypted_content"))
            draft.add(PartType.OPAQUE, kind, wire, place.at("encrypted_content"), sealed)
            return
        draft = self._reply_draft(item, number, answer)
        key = next((name for name in _INPUTS if name in item), None)
        if wire == "reasoning":
            _reasoning(draft, item, place)
        elif wire in _ANSWERED and key is not None:
            call(draft, wire, item, place.at(key), ident, self._tools)
            if item.get("output") is not None:  # of a tool that ran at the provider
                result(draft, wire, item["output"], place.at("output"), ident, self._tools)
        else:
            draft.add(PartType.OPAQUE, Kind.REPLY, wire, place)


def _reasoning(draft: Draft, item: Mapping[str, Any], place: Place) -> None:
    """What the model gets of its reasoning: the sealed form where there is one, else the text."""
    if sealed := named(item.get("encrypted_content")):
        spot = place.at("encrypted_content")
        draft.add(PartType.OPAQUE, Kind.REPLY, "reasoning", spot, sealed)
        return
    for key in ("content", "summary"):
        if thought := texts(item.get(key)):
            draft.add(PartType.THINKING, Kind.REPLY, "reasoning", place.at(key), thought)
            return
