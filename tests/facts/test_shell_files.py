"""Files that shell commands change."""

from __future__ import annotations

import pytest

from redline.facts.extract import extract
from redline.facts.shell_files import files_changed
from tests.sessions_in_memory import ran, session, user


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("cat > src/a.py <<'EOF'\nprint('> no.py')\nEOF", ["src/a.py"]),
        ("cat <<EOF > a.md\nrm b.md\nEOF\nrm c.md", ["a.md", "c.md"]),
        ("echo hi >> notes.txt && echo '> no.txt'", ["notes.txt"]),
        ("make 2>&1 | tee build.log | tail -3", ["build.log"]),
        ("pytest -q > /dev/null 2>err.txt", []),
        ("cd /repo/src && sed -i '' 's|from \"./a\"|from \"./b\"|g' core/a.ts x.ts", [
            "/repo/src/core/a.ts", "/repo/src/x.ts",
        ]),
        ("sed -i -e 's/a/b/' -e 's/c/d/' a.go", ["a.go"]),
        ("sed -n 's/a/b/p' a.go", []),
        ("cd /repo/src\n\n# move them\nmv a.ts b.ts utils/\nmv c.ts d.ts", [
            "/repo/src/a.ts", "/repo/src/utils/a.ts", "/repo/src/b.ts", "/repo/src/utils/b.ts",
            "/repo/src/c.ts", "/repo/src/d.ts",
        ]),
        ("cd /repo && git mv old.py new.py && git rm gone.py", [
            "/repo/old.py", "/repo/new.py", "/repo/gone.py",
        ]),
        ("cp src/a.json ~/.tool/b.json", ["~/.tool/b.json"]),
        ("mv theme/* other/ && rm -rf build && rm $FILE", []),
        ("mv tools oauth core/", []),
        ("rm /tmp/x.py && cat > /tmp/fix.py <<'E'\nx\nE", []),
        ("git commit -m 'a > b' && grep -c '>' x.html", []),
        ("if [ 3 -gt 2 ]; then echo x > y.txt; fi", ["y.txt"]),
        ("echo 'not closed > x.txt", []),
        ("rm old.py 2>/dev/null; sort < in.txt > out.txt", ["old.py", "out.txt"]),
        ("diff <(sort a) <(sort b)", []),
    ],
)  # fmt: skip
def test_what_a_command_writes_moves_or_removes_is_changed(command: str, files: list[str]) -> None:
    assert files_changed(command) == files


def test_a_command_that_failed_changes_no_file() -> None:
    assert extract(session(user("x"), *ran("rm a.py", "", call_id="1"))).changed[0].path == "a.py"
    for output, status in (("rm: a.py: No such file or directory", 0), ("", 1)):
        assert extract(session(user("x"), *ran("rm a.py", output, status, call_id="1"))).files == ()


@pytest.mark.parametrize("command", ["> " * 3_000, "cat <<E\n" * 700, "'\\" * 2_900, "rm " * 1_900])
def test_hostile_commands_come_to_an_end(command: str) -> None:
    # What is worse than quadratic would take hours here; figures are the benchmarks' affair.
    assert len(files_changed(command)) <= 1
