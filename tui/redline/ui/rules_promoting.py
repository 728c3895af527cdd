"""Rules written into the files that agents read, and taken out of them, from the rules screen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from redline.ledger.project import ProjectRule
from redline.ledger.rule import RuleState
from redline.model import SessionInfo
from redline.targets.difference import difference
from redline.targets.loaded_files import Reader
from redline.targets.rules_block import RulesBlock
from redline.targets.rules_file import project_of, rules_file, rules_files
from redline.targets.target import Change
from redline.ui.card import Card
from redline.ui.dialogs import Choose
from redline.ui.items import Item
from redline.ui.recovering import recovered
from redline.ui.rules_asking import RulesAsking
from redline.ui.threads import beside, in_thread


class RulesPromoting(RulesAsking[str]):
    """The part of the rules screen that writes: choose a file, see what would change, say yes."""

    info: SessionInfo

    @property
    def current(self) -> ProjectRule | None:
        raise NotImplementedError

    @property
    def rules(self) -> tuple[ProjectRule, ...]:
        raise NotImplementedError

    async def _look(self) -> None:
        raise NotImplementedError

    def action_promote(self) -> None:
        """The rule under the cursor into a file; one that does not hold any more out of it."""
        one = self.current
        if one is None:
            return
        match one.rule.state:
            case RuleState.ACTIVE:
                self._choose([one], [])
            case RuleState.PROPOSED:
                self.say("Confirm it first (y): only active rules are written down.")
            case _:
                self._choose([], [one])

    def action_promote_all(self) -> None:
        """All active rules into a file; those that ended go."""
        active = [one for one in self.rules if one.rule.state is RuleState.ACTIVE]
        gone = [one for one in self.rules if one.rule.state is not RuleState.ACTIVE]
        if active:
            self._choose(active, gone)
        else:
            self.say("No rule is active: confirm some first (y).")

    def _choose(self, active: Sequence[ProjectRule], gone: Sequence[ProjectRule]) -> None:
        names = rules_files(self.info.agent, self.info.project, self.place.environment)
        reads = f"what {self.info.agent.value} reads in this project"
        choices = [Item(reads if n == 0 else "", word=name, key=name, lines=2)
                   for n, name in enumerate(names)]  # fmt: skip

        def chosen(name: str | None) -> None:
            if name is not None:
                beside(self, partial(self._offer, name, active, gone), "promote")

        title = "Write rules into" if active else "Take the rule out of"
        self.app.push_screen(Choose(title, choices, names[0]), chosen)

    async def _offer(
        self, name: str, active: Sequence[ProjectRule], gone: Sequence[ProjectRule]
    ) -> None:
        """Shows what the file would become; enter writes it."""

        def preview() -> Change:
            rules = [(one.rule.id, one.rule.text) for one in active]
            ended = [name for one in gone for name in one.ids]
            named = [one.rule.id for one in active if len(active) == 1]
            file = rules_file(self.info, name)
            info = self.info
            reader = Reader(info.agent, project_of(info), self.place.environment, info.model)
            return RulesBlock(
                rules,
                to=file,
                retired=ended,
                insist=named,
                reader=reader,
                places=self.place.places,
            ).preview()

        change = await in_thread(preview)
        if change.empty:
            said = "says so already: nothing to write" if active else "does not hold it"
            self.say(f"{name} {said}.")
            return
        lines = [*(f"! {warning}" for warning in change.warnings), *difference(change)]

        def answered(yes: bool | None) -> None:
            if yes:
                beside(self, partial(self._write, name, change), "promote")

        hint = "enter writes it, esc leaves it as it is"
        self.app.push_screen(Card(change.label, lines, hint=hint, difference=True), answered)

    async def _write(self, name: str, change: Change) -> None:
        from redline.targets.commit import commit

        place = self.place
        await recovered(self, place)
        receipt = await in_thread(
            lambda: commit((change,), session=self.info, places=place.places, now=place.now())
        )
        if receipt.id:
            done = "is written" if receipt.written[0].after else "is gone with its last rule"
            self.say(f"{name} {done}. F8 shows the receipt and takes it back.")
        else:  # another redline has written just that meanwhile
            self.say(f"{name} says so already.")
        await self._look()
