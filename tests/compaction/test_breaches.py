"""Alarms: what breaks a rule, and what only looks as if it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from redline.compaction.breaches import Breach, Watch, breaches
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from redline.model import Agent, Session
from tests.sessions_in_memory import Draft, call, ran, reply, result, session, user

LEGACY = "Never touch src/legacy"
TESTS_ZH = "不要修改 tests 目录"
PUSH = "Do not push"
RM = "Never run rm -rf"


def confirmed(found: Session) -> Ledger:
    """The rules of the prompts, all confirmed but for those that were lifted."""
    rules = detect(found).rules
    return Ledger(
        tuple(
            replace(rule, state=RuleState.ACTIVE) if rule.state is RuleState.PROPOSED else rule
            for rule in rules
        )
    )


def added(text: str, message: str | None = "m1") -> Ledger:
    """A ledger of one active rule in these words."""
    from redline.ledger.detect import family_of
    from redline.ledger.masking import mask
    from redline.ledger.sentences import Sentence

    family = family_of(Sentence(text, mask(text))) or RuleFamily.REQUIRE
    return Ledger((Rule("r1", text, family, RuleState.ACTIVE, message=message),))


def broken(
    rule: str,
    tool: str,
    given: Mapping[str, object] | str,
    *before: Draft | tuple[Draft, ...],
    agent: Agent = Agent.CLAUDE_CODE,
) -> tuple[Breach, ...]:
    """What one call breaks of one rule."""
    made = session(
        user(rule, id="m1"),
        *before,
        call(tool, given, call_id="c"),
        result("done", call_id="c", tool=tool),
        agent=agent,
    )
    return breaches(made, added(rule))


def shell(command: str) -> tuple[str, dict[str, object]]:
    return "Bash", {"command": command}


def edit(path: str) -> tuple[str, dict[str, object]]:
    return "Edit", {"file_path": path, "old_string": "a", "new_string": "b"}


def read(path: str) -> tuple[str, dict[str, object]]:
    return "Read", {"file_path": path}


def patch(text: str) -> dict[str, object]:
    return {"input": f"*** Begin Patch\n{text}\n*** End Patch\n"}


BROKEN: list[tuple[str, tuple[str, Mapping[str, object] | str]]] = [
    # edits of a path, by every agent's tools
    (LEGACY, edit("src/legacy/a.py")),
    (LEGACY, edit("/home/dev/shop/src/legacy/a.py")),
    (LEGACY, edit("./src/legacy/deep/er/a.py")),
    (LEGACY, edit("src/app/../legacy/a.py")),
    (LEGACY, edit("~/shop/src/legacy/a.py")),
    (LEGACY, ("Write", {"file_path": "src/legacy/new.py", "content": ""})),
    (LEGACY, ("MultiEdit", {"file_path": "src/legacy/a.py", "edits": []})),
    (LEGACY, ("NotebookEdit", {"notebook_path": "src/legacy/a.ipynb"})),
    (LEGACY, ("write", {"path": "src/legacy/a.py", "content": "x"})),
    (LEGACY, ("edit", {"path": "src/legacy/a.py", "oldText": "x"})),
    (LEGACY, ("patch", {"path": "src/legacy/a.py", "mode": "replace"})),
    (LEGACY, ("write_file", {"path": "/home/dev/shop/src/legacy/a.py"})),
    (LEGACY, ("apply_patch", patch("*** Update File: src/legacy/a.py\n@@\n-a\n+b"))),
    (LEGACY, ("apply_patch", patch("*** Add File: src/legacy/b.py\n+b"))),
    (LEGACY, ("apply_patch", "*** Begin Patch\n*** Delete File: src/legacy/b.py\n*** End Patch")),
    (
        LEGACY,
        (
            "shell",
            {
                "command": [
                    "bash",
                    "-lc",
                    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/legacy/a.py\n"
                    "@@\n-a\n+b\n*** End Patch\nEOF",
                ]
            },
        ),
    ),
    (LEGACY, ("exec_command", {"cmd": "echo x > a.py", "workdir": "/home/dev/shop/src/legacy"})),
    (LEGACY, ("terminal", {"command": "rm src/legacy/a.py"})),
    (LEGACY, ("mcp__fs__write_file", {"path": "src/legacy/a.py"})),
    (LEGACY, ("mcp__fs__move_file", {"source": "src/legacy/a.py", "destination": "b.py"})),
    (LEGACY, ("str_replace_based_edit_tool", {"command": "create", "path": "src/legacy/a.py"})),
    # edits by the shell
    (LEGACY, shell("echo x > src/legacy/a.py")),
    (LEGACY, shell("echo x >> src/legacy/a.py")),
    (LEGACY, shell("cat > src/legacy/a.py <<'EOF'\nx\nEOF")),
    (LEGACY, shell("sed -i s/a/b/ src/legacy/a.py")),
    (LEGACY, shell("sed -i '' -e 's/a/b/' src/legacy/a.py")),
    (LEGACY, shell("perl -pi -e 's/a/b/' src/legacy/a.py")),
    (LEGACY, shell("cd src && rm -rf legacy")),
    (LEGACY, shell("cd src/legacy && touch a.py")),
    (LEGACY, shell("cd /home/dev/shop/src/legacy; mv a.py b.py")),
    (LEGACY, shell("rm -rf src")),
    (LEGACY, shell("rm -r src/*")),
    (LEGACY, shell("git rm src/legacy/a.py")),
    (LEGACY, shell("git mv src/legacy/a.py src/a.py")),
    (LEGACY, shell("git checkout -- src/legacy/a.py")),
    (LEGACY, shell("git restore src/legacy")),
    (LEGACY, shell("mv src/legacy src/old")),
    (LEGACY, shell("cp a.py src/legacy/")),
    (LEGACY, shell("tee src/legacy/a.py < x")),
    (LEGACY, shell("find src/legacy -name '*.py' -exec sed -i s/a/b/ {} \\;")),
    (LEGACY, shell("find src/legacy -type f -delete")),
    (LEGACY, shell("grep -rl old src/legacy | xargs sed -i s/old/new/")),
    (LEGACY, shell("F=src/legacy/a.py; echo x > $F")),
    (LEGACY, shell("bash -c 'echo x > src/legacy/a.py'")),
    (LEGACY, shell("npx prettier --write src/legacy/a.js")),
    (LEGACY, shell("black src/legacy")),
    (LEGACY, shell("python3 - <<'E'\nopen('src/legacy/a.py', 'w').write('x')\nE")),
    (LEGACY, shell("rm src/{app,legacy}/a.py")),
    (LEGACY, shell("ln -s src/legacy old && echo x > old/a.py")),
    (LEGACY, shell("git -C src mv legacy/a.py b.py")),
    (LEGACY, shell("git -C src/legacy rm a.py")),
    (LEGACY, shell("git clean -fd src/legacy")),
    (LEGACY, shell("for f in src/legacy/*.py; do sed -i s/a/b/ $f; done")),
    # rules in other words
    ("Don't touch anything under src/legacy/.", edit("src/legacy/a.py")),
    ("Leave src/legacy alone.", edit("src/legacy/a.py")),
    ("src/legacy is off-limits", edit("src/legacy/a.py")),
    ("src/legacy must not be changed", edit("src/legacy/a.py")),
    ("Please keep config/prod.yml unchanged", edit("config/prod.yml")),
    ("Never edit package-lock.json by hand", edit("web/package-lock.json")),
    ("Do not edit `*.lock` files", edit("Cargo.lock")),
    ("Never modify src/**/generated/*.ts", edit("src/a/b/generated/x.ts")),
    ("Do not modify files in the tests folder", edit("tests/test_a.py")),
    ("Don't touch the tests", edit("tests/test_a.py")),
    ("Don't change any tests", edit("src/a.test.ts")),
    ("Don't touch legacy", edit("src/legacy/a.py")),
    ("Only edit files in src/billing", edit("src/shop/a.py")),
    ("Don't touch anything outside src/", edit("README.md")),
    ("Don't touch anything except src/a.py", edit("src/b.py")),
    ("Never touch src/legacy except src/legacy/README.md", edit("src/legacy/a.py")),
    ("Do not delete files in data/", shell("rm data/a.csv")),
    ("Never commit .env", shell("git add .env && git commit -m x")),
    ("Do not make any changes in src/legacy", edit("src/legacy/a.py")),
    ("Do not under any circumstances modify src/legacy", edit("src/legacy/a.py")),
    ("请勿修改「tests」目录", edit("tests/test_a.py")),
    ("禁止直接 push 到 master", shell("git push origin master")),
    ("Never rm -rf anything", shell("rm -rf x")),
    ("Never, ever push", shell("git push")),
    (TESTS_ZH, edit("tests/test_a.py")),
    (TESTS_ZH, edit("/home/dev/shop/tests/unit/test_a.py")),
    (TESTS_ZH, shell("sed -i s/1/2/ tests/test_a.py")),
    ("不要动 src/legacy", edit("src/legacy/a.py")),
    ("src/legacy 目录不要动", edit("src/legacy/a.py")),
    ("禁止修改 vendor/", edit("vendor/a.js")),
    ("不要在 src/legacy 里改任何东西", edit("src/legacy/a.py")),
    ("只能修改 src/api 目录下的文件", edit("src/web/a.py")),
    ("保持 src/legacy 原样", edit("src/legacy/a.py")),
    # commands
    (PUSH, shell("git push")),
    (PUSH, shell("git add -A && git commit -m x && git push origin feature")),
    (PUSH, shell("git -C /home/dev/shop push")),
    (PUSH, shell("sudo -u dev git push")),
    (PUSH, shell("bash -lc 'git push'")),
    (PUSH, shell("echo $(git push 2>&1)")),
    (PUSH, ("shell", {"command": ["git", "push"]})),
    (PUSH, ("shell_command", {"command": "git push"})),
    (PUSH, ("mcp__git__git_push", {})),
    ("Do not push to main.", shell("git push origin main")),
    ("Do not push to main.", shell("git push origin HEAD:main")),
    ("No force pushes!", shell("git push --force-with-lease")),
    ("Don't commit or push anything.", shell("git commit -am wip")),
    ("Never amend commits", shell("git commit --amend --no-edit")),
    (RM, shell("rm -rf build")),
    (RM, shell("rm -fr build")),
    (RM, shell("rm -r -f build")),
    (RM, shell("rm --recursive --force build")),
    (RM, shell("cd x; sudo rm -rf build")),
    ("Never run `git reset --hard`", shell("git reset --hard HEAD~1")),
    ("Never use sudo", shell("sudo ls")),
    ("Don't use npm, use pnpm", shell("npm install")),
    ("never use --no-verify", shell("git commit --no-verify -m x")),
    ("Do not install new dependencies", shell("npm install lodash")),
    ("Don't run the tests", shell("python -m pytest -q")),
    ("Don't run migrations", shell("python manage.py migrate")),
    ("Do not deploy", shell("kubectl apply -f k8s/")),
    ("Do not run scripts/deploy.sh", shell("./scripts/deploy.sh prod")),
    ("Do not merge the PR", shell("gh pr merge 12 --squash")),
    ("Ask me before you push", shell("git push")),
    ("不要 push", shell("git push")),
    ("不要提交", shell("git commit -m x")),
    ("不要直接推送到 main 分支", shell("git push origin main")),
    ("禁止使用 rm -rf", shell("rm -rf dist")),
    ("不要运行测试", shell("npm test")),
]

HARMLESS: list[tuple[str, tuple[str, Mapping[str, object] | str]]] = [
    # looking is not touching
    (LEGACY, read("src/legacy/a.py")),
    (LEGACY, ("Grep", {"path": "src/legacy", "pattern": "x"})),
    (LEGACY, ("Glob", {"path": "src/legacy"})),
    (LEGACY, ("mcp__fs__read_file", {"path": "src/legacy/a.py"})),
    (LEGACY, ("mcp__fs__list_directory", {"path": "src/legacy"})),
    (LEGACY, ("str_replace_based_edit_tool", {"command": "view", "path": "src/legacy/a.py"})),
    (LEGACY, shell("cat src/legacy/a.py")),
    (LEGACY, shell("ls -la src/legacy")),
    (LEGACY, shell("sed -n 1,20p src/legacy/a.py")),
    (LEGACY, shell("grep -rn x src/legacy > out.txt")),
    (LEGACY, shell("git diff src/legacy")),
    (LEGACY, shell("git log -- src/legacy")),
    (LEGACY, shell("cp src/legacy/a.py src/a.py")),
    (LEGACY, shell("wc -l src/legacy/*.py | tee lines.txt")),
    (LEGACY, shell("black --check src/legacy")),
    (LEGACY, shell("cd src/legacy && ls && cd ../.. && touch a.py")),
    (LEGACY, shell("(cd src/legacy && ls) && touch a.py")),
    (LEGACY, shell("echo 'rm -rf src/legacy'")),
    (LEGACY, shell("git commit -m 'leave src/legacy; rm nothing > src/legacy/a'")),
    (LEGACY, shell("diff src/legacy/a.py src/a.py 2>&1 >/dev/null")),
    (LEGACY, shell("pytest src/legacy")),
    (LEGACY, shell("rsync -n -a b/ src/legacy/")),
    (LEGACY, shell("rsync -av --dry-run b/ src/legacy/")),
    (LEGACY, shell("git rm -n src/legacy/a.py")),
    (LEGACY, shell("git mv --dry-run src/legacy/a.py b.py")),
    (LEGACY, shell("git clean -nd src/legacy")),
    (LEGACY, shell("git clean -d src/legacy")),
    (LEGACY, shell("git -C src/legacy status")),
    (LEGACY, shell("for f in src/legacy/*.py; do cat $f; done")),
    (LEGACY, shell("for f in src/legacy/*.py; do cat $f; done; rm $g")),
    (LEGACY, shell("for f in src/legacy/*.py; do cat $f; done; for f in a b; do rm $f; done")),
    # paths that only look alike
    (LEGACY, edit("src/legacy2/a.py")),
    (LEGACY, edit("src/legacy.py")),
    (LEGACY, edit("src/legacy_new/a.py")),
    (LEGACY, edit("src/Legacy/a.py")),
    (LEGACY, edit("lib/src/legacy/a.py")),
    (LEGACY, edit("/home/dev/other/src/legacy/a.py")),
    (LEGACY, edit("legacy/a.py")),
    ("Never touch src/", edit("packages/app/src/a.py")),
    (LEGACY, edit("docs/src-legacy.md")),
    (LEGACY, edit("src/a.py")),
    (LEGACY, edit("src/legacy/../a.py")),
    (LEGACY, shell("rm -rf src/legacy2")),
    (LEGACY, shell("rm -rf /tmp/src/legacy")),
    (LEGACY, shell("rm -rf build")),
    (LEGACY, shell("cd /tmp/x && mkdir -p src/legacy && touch src/legacy/a")),
    (LEGACY, ("exec_command", {"cmd": "echo x > a.py", "workdir": "/home/dev/shop/src"})),
    (TESTS_ZH, edit("src/tests.py")),
    (TESTS_ZH, edit("tests2/a.py")),
    (TESTS_ZH, read("tests/test_a.py")),
    (TESTS_ZH, shell("pytest tests -q")),
    ("Never edit package-lock.json by hand", edit("package.json")),
    ("Do not commit .env", edit(".env")),
    ("Do not commit .env", shell("git add .env.example")),
    ("Never commit .env", shell("git add src && git commit -m 'no .env'")),
    ("Do not delete files in data/", edit("data/a.csv")),
    ("Only edit files in src/billing", edit("src/billing/a.py")),
    ("Only edit files in src/billing", edit("/tmp/scratch.py")),
    ("Don't touch anything outside src/", edit("src/a.py")),
    ("Don't touch anything except src/a.py", edit("src/a.py")),
    ("Never touch src/legacy except src/legacy/README.md", edit("src/legacy/README.md")),
    ("Don't touch the tests", edit("src/latest.py")),
    ("只能修改 src/api 目录下的文件", edit("src/api/a.py")),
    # rules that forbid something else, or nothing
    ("Never edit tests to make src/foo.py pass", edit("src/foo.py")),
    ("Do not edit dist/, edit src/ instead", edit("src/a.ts")),
    ("Never commit without updating docs/CHANGELOG.md", edit("docs/CHANGELOG.md")),
    ("Never log secrets in src/auth.py", edit("src/auth.py")),
    ("Don't forget to push", shell("git push")),
    ("You don't need to run the tests", shell("pytest")),
    ("Always run the tests before you commit", shell("git commit -m x")),
    ("Don't change the public API", edit("src/api/routes.py")),
    ("Do not change public function signatures in src/api.py", edit("src/api.py")),
    ("Don't import from src/legacy", edit("src/legacy/a.py")),
    ("不要为了通过测试修改源码", edit("tests/test_a.py")),
    ("Prefer small commits", shell("git commit -m x")),
    ("Never mention Claude in commit messages", shell("git commit -m x")),
    ("Do not push until the tests pass", shell("git push")),
    # commands that are not those
    (PUSH, shell("git status")),
    (PUSH, shell("git commit -m 'do not git push'")),
    (PUSH, shell("echo git push")),
    (PUSH, shell("git push --dry-run")),
    (PUSH, shell("git stash push")),
    (PUSH, shell("grep -rn 'git push' .")),
    (PUSH, shell("# git push")),
    (PUSH, shell("cat > notes.md <<'E'\ngit push\nE")),
    (PUSH, shell("docker push image")),
    ("Do not push to main.", shell("git push origin feature")),
    ("Do not push to main.", shell("git push origin maintenance")),
    ("No force pushes!", shell("git push origin feature")),
    ("Never amend commits", shell("git commit -m 'amend'")),
    (RM, shell("rm build/a.o")),
    (RM, shell("rm -r build")),
    (RM, shell("rm -f build/a.o")),
    (RM, shell("grep -rf patterns.txt")),
    ("Never use sudo", shell("echo sudo")),
    ("Don't use npm, use pnpm", shell("pnpm install")),
    ("Don't use npm, use pnpm", shell("cat npm-debug.log")),
    ("Do not install new dependencies", shell("npm install")),
    ("Do not install new dependencies", shell("pip install -r requirements.txt")),
    ("Don't run the full test suite", shell("pytest tests/test_a.py")),
    ("Don't run migrations", shell("ls migrations")),
    ("Do not deploy", shell("cat deploy.md")),
    ("不要提交", shell("git diff")),
]


def _named(case: tuple[str, tuple[str, Mapping[str, object] | str]]) -> str:
    return f"{case[0]} / {case[1][1]}"[:90]


@pytest.mark.parametrize("case", BROKEN, ids=_named)
def test_a_call_that_breaks_a_rule_is_an_alarm(
    case: tuple[str, tuple[str, Mapping[str, object] | str]],
) -> None:
    assert broken(case[0], *case[1])


@pytest.mark.parametrize("case", HARMLESS, ids=_named)
def test_a_call_that_only_looks_like_a_breach_is_none(
    case: tuple[str, tuple[str, Mapping[str, object] | str]],
) -> None:
    assert not broken(case[0], *case[1])


def test_there_are_at_least_sixty_cases_each_way() -> None:
    assert len(BROKEN) >= 60
    assert len(HARMLESS) >= 60


def test_a_call_before_the_rule_was_said_is_no_breach() -> None:
    made = session(
        user("Fix it.", id="u1"),
        *ran("git push", call_id="a"),
        user("Do not push", id="u2"),
        *ran("git push", call_id="b"),
    )

    (found,) = breaches(made, confirmed(made))

    assert (found.call, found.what, found.failed) == ("b", "runs git push", False)


def test_a_rule_that_was_lifted_is_broken_by_nothing() -> None:
    made = session(
        user("Never touch src/legacy.", id="u1"),
        reply("Fine."),
        user("You may touch src/legacy now, forget that rule.", id="u2"),
        call(*edit("src/legacy/a.py"), call_id="a"),
        result("ok", call_id="a"),
    )

    ledger = confirmed(made)

    assert [rule.state for rule in ledger.rules] == [RuleState.REVOKED]
    assert not breaches(made, ledger)


@pytest.mark.parametrize("state", [state for state in RuleState if state is not RuleState.ACTIVE])
def test_only_an_active_rule_can_be_broken(state: RuleState) -> None:
    made = session(user("Do not push", id="m1"), *ran("git push", call_id="a"))
    (rule,) = added("Do not push").rules

    assert not breaches(made, Ledger((replace(rule, state=state),)))


def test_a_rule_added_by_hand_holds_for_the_whole_session() -> None:
    made = session(user("Go on.", id="u1"), *ran("git push", call_id="a"))

    assert [breach.call for breach in breaches(made, added(PUSH, None))] == ["a"]


def test_what_the_person_refused_did_not_happen() -> None:
    made = session(
        user(PUSH, id="m1"),
        call("Bash", {"command": "git push"}, call_id="a"),
        result("The user doesn't want to proceed with this tool use.", call_id="a", error=True),
    )

    assert not breaches(made, added(PUSH))


def test_a_call_is_an_alarm_before_it_has_a_result_and_a_failed_one_stays_one() -> None:
    open_one = session(user(PUSH, id="m1"), call("Bash", {"command": "git push"}, call_id="a"))
    failed = session(user(PUSH, id="m1"), *ran("git push", "rejected", 1, call_id="a"))

    assert [breach.failed for breach in breaches(open_one, added(PUSH))] == [None]
    assert [breach.failed for breach in breaches(failed, added(PUSH))] == [True]


def test_what_the_person_was_to_be_asked_for_and_allowed_is_no_breach() -> None:
    rule = "Ask me before you push"
    asked = session(
        user(rule, id="m1"),
        reply("May I push?"),
        user("Yes, go ahead."),
        *ran("git push", call_id="a"),
    )
    not_asked = session(
        user(rule, id="m1"),
        reply("Done."),
        user("Now fix the header."),
        *ran("git push", call_id="a"),
    )

    assert not breaches(asked, added(rule))
    assert breaches(not_asked, added(rule))


@pytest.mark.parametrize(
    ("agent", "stays"), [(Agent.CLAUDE_CODE, True), (Agent.HERMES, True), (Agent.PI, False)]
)
def test_the_folder_of_the_shell_stays_from_call_to_call_where_the_agent_keeps_it(
    agent: Agent, stays: bool
) -> None:
    made = session(
        user(LEGACY, id="m1"),
        *ran("cd src", call_id="a"),
        *ran("rm legacy/a.py", call_id="b"),
        agent=agent,
    )

    assert bool(breaches(made, added(LEGACY))) is stays


def test_two_rules_broken_by_one_call_are_two_breaches() -> None:
    made = session(
        user("Never touch src/legacy. Never run rm -rf.", id="u1"),
        *ran("rm -rf src/legacy", call_id="a"),
    )

    found = breaches(made, confirmed(made))

    assert [breach.what for breach in found] == ["removes src/legacy", "runs rm -rf src/legacy"]
    assert found[0].line == 'removes src/legacy: "Never touch src/legacy."'


def test_calls_taken_one_by_one_break_what_they_break_together() -> None:
    made = session(
        user(LEGACY, id="m1"),
        *ran("cd src", call_id="a"),
        *ran("rm legacy/a.py", call_id="b"),
        call(*edit("src/legacy/b.py"), call_id="c"),
        result("ok", call_id="c"),
    )
    ledger = added(LEGACY)
    watch = Watch(made, ledger)
    told = [breach for message in made.context for breach in watch.take(message)]

    assert [breach.key for breach in told] == [b.key for b in breaches(made, ledger)]
    assert watch.found == breaches(made, ledger)
    assert not [breach for message in made.context for breach in watch.take(message)]


def test_since_a_message_only_later_calls_are_told() -> None:
    made = session(
        user(PUSH, id="m1"),
        *ran("git push", call_id="a"),
        reply("pushed", id="here"),
        *ran("git push", call_id="b"),
    )

    assert [breach.call for breach in breaches(made, added(PUSH), since="here")] == ["b"]


@pytest.mark.parametrize(
    "given",
    ["", "null", "[]", '{"command": 3}', '{"command": [1, null]}', "{", {"command": "'" * 50}],
)
def test_a_call_that_makes_no_sense_breaks_nothing(given: Mapping[str, object] | str) -> None:
    for tool in ("Bash", "Edit", "apply_patch", "write_file", "mcp__x__delete_file", ""):
        assert not broken(LEGACY, tool, given)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "/",
        "~",
        "*",
        "**",
        "'",
        '"',
        "$(",
        "`",
        "<<",
        "<<E",
        "\\",
        "((((",
        "{,}",
        "a{",
        ">",
    ],
)
def test_no_command_makes_it_fail(text: str) -> None:
    for rule in (LEGACY, RM, PUSH, "Only edit files in src/"):
        for form in (text, f"rm -rf {text}", f"cd {text} && echo > {text}", text * 500):
            broken(rule, "Bash", {"command": form})


def test_a_session_without_a_project_is_held_to_its_rules_all_the_same() -> None:
    made = replace(
        session(
            user(LEGACY, id="m1"),
            call(*edit("/somewhere/src/legacy/a.py"), call_id="a"),
            call(*edit("src/legacy/a.py"), call_id="b"),
            call(*edit("src/legacy2/a.py"), call_id="c"),
            project=None,
        )
    )

    assert [breach.call for breach in breaches(made, added(LEGACY))] == ["a", "b"]


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("Do not attempt to touch any other worktree.", "work/notes.md"),
        ("don't modify the theme, look into the footer", "src/theme/dark.json"),
    ],
)
def test_a_plain_noun_is_no_folder(rule: str, path: str) -> None:
    assert not broken(rule, *edit(path))
