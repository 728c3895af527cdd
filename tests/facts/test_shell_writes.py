"""What a command would do to files, whole folders too; what it only looks at is none of it."""

from __future__ import annotations

import pytest

from redline.facts.shell_words import simple_commands
from redline.facts.shell_writes import expanded, writes

MARKS = {"CHANGE": "~", "REMOVE": "-", "MOVE": ">", "WRITE": "+"}


def done(command: str) -> list[str]:
    """What each write of `command` is: a mark, the path, and `/**` for all that is below it."""
    return [
        f"{MARKS[each.deed.name]}{each.path}{'/**' if each.tree else ''}"
        for simple in simple_commands(command).commands
        for each in writes(simple)
    ]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm a b", ["-a", "-b"]),
        ("rm -rf a", ["-a/**"]),
        ("rm --recursive a", ["-a/**"]),
        ("rmdir -p a", ["-a"]),
        ("rm src/{a,b}.py", ["-src/a.py", "-src/b.py"]),
        ("mv a.py b.py", [">a.py/**", "+b.py", "+b.py/a.py"]),
        ("mv a.py", []),
        ("cp -r src/ ../dst/", ["+../dst/", "+../dst/src"]),
        ("rsync a b", ["+b", "+b/a"]),
        ("rsync -an a b", []),
        ("touch a b", ["+a", "+b"]),
        ("chmod -R 644 x", ["~x/**"]),
        ("chmod 644 x y", ["~x", "~y"]),
        ("dd if=/dev/zero of=disk.img", ["+disk.img"]),
        ("find src -delete", ["-src/**"]),
        ("find src -name '*.pyc' -delete", ["-src"]),
        ("find src -name '*.pyc'", []),
        ("tar xf a.tar -C out", ["+out"]),
        ("unzip a.zip -d out", ["+out"]),
        ("curl -o x.json http://a", ["+x.json"]),
        ("wget -O x.json http://a", ["+x.json"]),
        ("patch a.py < b.diff", ["~a.py"]),
    ],
)
def test_a_program_does_to_files_what_it_is_known_for(command: str, expected: list[str]) -> None:
    assert done(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git -C sub mv a.py b.py", [">sub/a.py/**", "+sub/b.py", "+sub/b.py/a.py"]),
        ("git rm a.py", ["-a.py"]),
        ("git rm -r src", ["-src/**"]),
        ("git rm -rf src", ["-src/**"]),
        ("git rm -n a.py", []),
        ("git clean -fd build", ["-build"]),
        ("git clean -nfd build", []),
        ("git clean build", []),
        ("git checkout main", []),
        ("git checkout -- a.py", ["~a.py"]),
        ("git checkout src/a.py", ["~src/a.py"]),
        ("git restore a.py", ["~a.py"]),
        ("git restore --staged a.py", []),
        ("git restore --staged --worktree a.py", ["~a.py"]),
    ],
)
def test_git_takes_back_moves_and_removes(command: str, expected: list[str]) -> None:
    assert done(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sed -i s/a/b/ x y", ["~x", "~y"]),
        ("sed -i -e s/a/b/ x", ["~x"]),
        ("sed -n -e s/a/b/ x", []),
        ("perl -pi -e s/a/b/ x", ["~x"]),
        ("ruby -i x", ["~x"]),
        ("ruff format src", ["~src"]),
        ("ruff check --fix src", ["~src"]),
        ("ruff check src", []),
        ("black src", ["~src"]),
        ("black --check src", []),
        ("npx prettier --write a.ts", ["~a.ts"]),
        ("prettier a.ts", []),
        ("python -c \"open('a.txt', 'w')\"", ["+a.txt"]),
        ("python -c \"open('a.txt')\"", []),
        ("python - <<'E'\nos.remove('b.txt')\nE", ["-b.txt/**"]),
        ("node -e 'fs.writeFileSync(`c.txt`, x)'", ["+c.txt"]),
    ],
)
def test_editors_formatters_and_scripts_change_what_they_name(
    command: str, expected: list[str]
) -> None:
    assert done(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("find src lib -name x | xargs rm", ["-src", "-lib"]),
        ("git ls-files lib | xargs rm", ["-lib"]),
        ("grep -l x a.py b.py | xargs sed -i s/a/b/", ["~a.py", "~b.py"]),
        ("ls old | xargs -I{} mv {} new", [">old/**", "+new", "+new/old"]),
        ("cat list | xargs rm", []),
    ],
)
def test_what_the_command_before_it_names_is_meant(command: str, expected: list[str]) -> None:
    assert done(command) == expected


@pytest.mark.parametrize(
    "wrapped",
    [
        "timeout 5 rm a",
        "timeout -k 9 5 rm a",
        "sudo rm a",
        "sudo -u root rm a",
        "nice -n 5 rm a",
        "nohup rm a",
        "env A=1 rm a",
        "A=1 B=2 rm a",
        "time rm a",
        "bash -c 'rm a'",
        "sh -ec 'cd . && rm a'",
        "if true; then rm a; fi",
        "(rm a)",
        "x=$(rm a)",
    ],
)
def test_a_command_is_found_in_what_runs_it(wrapped: str) -> None:
    assert done(wrapped) == ["-a"]


def test_braces_stand_for_a_bounded_number_of_words() -> None:
    assert expanded("a/{b,c}/{d,e}") == ["a/b/d", "a/b/e", "a/c/d", "a/c/e"]
    assert expanded("a{b}c") == ["a{b}c"]
    assert len(expanded("{a,b}" * 10)) == 64
