from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from redline.facts.fact import CommitFact, ErrorFact, Facts, FileFact, FileUse, PromptFact
from redline.handoff.audit import Verdict
from redline.handoff.auditing import audit
from redline.handoff.json_form import dump, load
from redline.handoff.markdown import parse, render, without_sources
from redline.handoff.offline import write
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from tests.handoff.handoffs import texts
from tests.sessions_in_memory import session, user

_said = st.one_of(
    texts,
    st.lists(
        st.one_of(
            texts,
            st.sampled_from(
                [
                    "Never touch src/legacy",
                    "不要修改 tests 目录",
                    "password: hunter2",
                    "sk-ant-api03-abcDEF_123-xyz",
                    "A=1\nDB_TOKEN=abcd\nC=3",
                    "continue",
                    "## Missing",
                    "- [ ] do it",
                ]
            ),
        ),
        max_size=5,
    ).map("\n".join),
).filter(lambda text: text.strip())
_line = _said.map(lambda text: " ".join(text.split())).filter(bool)

_step = st.one_of(
    st.sampled_from(
        ["src", "@types", "~", "..", "[id]", "我的 项目", "a b", "C:", "#1", "-x", "1."]
    ),
    st.from_regex(r"[\w.@+-]{1,8}", fullmatch=True).filter(lambda step: step.strip() == step),
)
_path = st.builds(
    lambda start, steps, end: start + "/".join([*steps, end]),
    st.sampled_from(["", "/", "./"]),
    st.lists(_step, max_size=3),
    st.from_regex(r"\w{1,6}(?:\.(?:py|ts|md))?", fullmatch=True),
)


@given(
    st.lists(_said, max_size=4, unique=True),
    st.lists(_line, max_size=3, unique=True),
    st.lists(_line, max_size=3, unique=True),
    st.lists(_path, max_size=3, unique=True),
    st.lists(st.from_regex(r"[0-9a-f]{7,12}", fullmatch=True), max_size=2, unique=True),
)
@settings(max_examples=200, deadline=None)
def test_whatever_was_said_is_found_word_for_word_in_the_handoff(
    said: list[str], rules: list[str], errors: list[str], paths: list[str], shas: list[str]
) -> None:
    facts = Facts(
        prompts=tuple(PromptFact(text, f"m{n}") for n, text in enumerate(said)),
        errors=tuple(ErrorFact(line, "m1") for line in errors),
        files=tuple(FileFact(path, FileUse.CHANGED, "m1") for path in paths),
        commits=tuple(CommitFact(sha, "x", "m1") for sha in shas),
    )
    ledger = Ledger(
        tuple(
            Rule(f"r{n}", text, RuleFamily.PROHIBIT, RuleState.ACTIVE)
            for n, text in enumerate(rules)
        )
    )
    opened = session(user("hi"))
    handoff = write(opened, None, facts, ledger)
    text = render(handoff)
    found = audit(opened, None, text, ledger, facts)
    assert [item for item in found.items if item.verdict is not Verdict.VERBATIM] == []
    assert found.ok
    assert parse(text) == without_sources(handoff)
    assert load(dump(handoff)) == handoff
    through_json = audit(opened, None, render(load(dump(handoff))), ledger, facts)
    assert through_json.ok
