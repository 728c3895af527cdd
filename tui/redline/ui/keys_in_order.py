"""Keys that were sent at once act in their order in what one types in."""

from __future__ import annotations

from textual.events import Key
from textual.widget import Widget

_LEAVING = ("submit",)  # what the screen acts upon, in turn with its own keys


async def act_in_order(widget: Widget, event: Key) -> None:
    """Acts on a key that `widget` itself binds, before the next one is looked at.

    Textual (8.2) takes a bound key from the widget up to the app and acts on it there: letters that
    follow at once are taken in before, and are gone where the key takes away what stands there.
    """
    if widget.check_consume_key(event.key, event.character):
        return
    bound = widget.screen.active_bindings.get(event.key)
    if bound is None or bound.node is not widget or not bound.enabled:
        return
    if bound.binding.action in _LEAVING:
        return
    if await widget.app.run_action(bound.binding.action, widget):  # else it is left to the screen
        event.stop()
        event.prevent_default()
