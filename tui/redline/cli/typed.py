"""Command lines in which most of the words are a text: it is typed as it is."""

from __future__ import annotations

from itertools import islice

from redline.cli.rules_arguments import RULE_STATES


def search_words(words: list[str]) -> list[str]:
    """The command line of a search with all that is no option of it behind `--`: what is searched
    for is typed as it is, `-x` and `--force` too."""
    valued = ("--agent", "--project", "--role", "--since", "--limit")
    options, said, rest = words[:1], list[str](), iter(words[1:])
    for word in rest:
        if word == "--":
            said += rest
        elif word in valued:
            options += [word, *islice(rest, 1)]
        elif word in ("--json", "-h", "--help") or word.partition("=")[0] in valued:
            options.append(word)
        else:
            said.append(word)
    return [*options, "--", *said] if said else options


def rule_words(words: list[str]) -> list[str]:
    """The command line of `rules` with all that is no option of it behind `--`: a rule is typed as
    it is, `never use --force` too."""
    options, said, rest = words[:1], list[str](), iter(words[1:])
    states = False
    for word in rest:
        if word == "--":
            said += rest
        elif word in ("--json", "--all", "--project", "--state", "-h", "--help") or (
            states and word in RULE_STATES
        ):
            options.append(word)
            states = word == "--state" or (states and word in RULE_STATES)
        else:
            said.append(word)
            states = False
    return [*options, "--", *said] if said else options
