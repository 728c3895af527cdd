"""Bulk for the sample sessions: source files, logs and tables of shops that do not exist."""

from __future__ import annotations

import random
import struct
import zlib


def _split(text: str) -> list[str]:
    return text.split()


_NOUNS = _split(
    "order line price discount coupon basket invoice refund shipment parcel customer address "
    "voucher stock warehouse supplier currency tax receipt payment ledger export report batch"
)
_VERBS = _split("apply collect compute round split merge load store check format parse total list")
_WORDS = _split(
    "amount quantity unit net gross share rest limit rate country region period status origin "
    "reference number position source target result pending closed open"
)
_NAMES = _split("Ada Bo Chen Dora Emil Fatma Goran Hana Ivo Jun Kari Lena Milo Nadia Otto")


def module(name: str, seed: int, functions: int = 12) -> str:
    """A Python module of about 500 characters a function."""
    pick = random.Random(seed)
    lines = [
        f'"""{name.rsplit("/", 1)[-1].removesuffix(".py").replace("_", " ").capitalize()}."""',
        "",
        "from __future__ import annotations",
        "",
        "from decimal import ROUND_HALF_EVEN, Decimal",
        "",
        "from shop.model import Basket, Line, Order",
        "",
        f'CENT = Decimal("0.01")  # {pick.choice(_WORDS)} of every {pick.choice(_NOUNS)}',
        "",
    ]
    for _ in range(functions):
        verb, noun, other = pick.choice(_VERBS), pick.choice(_NOUNS), pick.choice(_NOUNS)
        first, second, third = pick.sample(_WORDS, 3)
        limit = pick.randrange(2, 90)
        lines += [
            "",
            f"def {verb}_{noun}_{first}(order: Order, {second}: Decimal) -> Decimal:",
            f'    """The {first} of the {noun} after its {second}, in the {other}\'s currency."""',
            f"    {third} = Decimal(0)",
            "    for line in order.lines:",
            f"        if line.{second} is None or line.quantity > {limit}:",
            "            continue",
            f"        {third} += line.unit_price * line.quantity - line.{first}",
            f"    if {third} < {second} and order.{noun}.{first} != {third}:",
            f'        raise ValueError(f"{noun} {{order.number}}: {first} is below {second}")',
            f"    return {third}.quantize(CENT, ROUND_HALF_EVEN)",
            "",
        ]
    return "\n".join(lines)


def numbered(text: str, start: int = 1) -> str:
    """Text as the Read tool shows it."""
    return "\n".join(f"{at:6d}\t{line}" for at, line in enumerate(text.split("\n"), start))


def pytest_log(seed: int, tests: int, failed: tuple[str, ...] = ()) -> str:
    """What `pytest -v` prints."""
    pick = random.Random(seed)
    lines = [
        "============================= test session starts ==============================",
        "platform linux -- Python 3.12.3, pytest-8.4.1, pluggy-1.6.0",
        "rootdir: /home/dev/shop",
        f"collected {tests + len(failed)} items",
        "",
    ]
    for at in range(tests):
        file = f"tests/test_{pick.choice(_NOUNS)}s.py"
        case = f"{pick.choice(_VERBS)}s_the_{pick.choice(_WORDS)}_of_a_{pick.choice(_NOUNS)}"
        lines.append(f"{file}::test_{case}[{pick.choice(_NAMES)}] PASSED [{at * 99 // tests:3d}%]")
    lines += [f"{name} FAILED" for name in failed]
    if failed:
        lines += [
            "",
            "=================================== FAILURES ===================================",
        ]
    for name in failed:
        case = name.rsplit("::", 1)[-1]
        lines += [
            f"{'_' * 20} {case} {'_' * 20}",
            "    def " + case + "():",
            '        order = make_order(lines=[("mug", "3.335", 3), ("pen", "0.995", 1)])',
            '>       assert total(order) == Decimal("11.00")',
            "E       AssertionError: assert Decimal('11.01') == Decimal('11.00')",
            f"{name.split('::')[0]}:88: AssertionError",
        ]
    lines.append("=========================== short test summary info ============================")
    lines += [f"FAILED {name} - AssertionError: assert Decimal('11.01') ==..." for name in failed]
    took = pick.randrange(400, 2000) / 100
    count = f"{len(failed)} failed, " if failed else ""
    lines.append(f"======== {count}{tests} passed in {took:.2f}s ========")
    return "\n".join(lines)


def table(seed: int, rows: int) -> str:
    """Orders as comma separated values."""
    pick = random.Random(seed)
    lines = ["number,customer,country,net,tax,gross,status"]
    for at in range(rows):
        net = pick.randrange(199, 90_000)
        tax = net * pick.choice((7, 19, 20, 21)) // 100
        lines.append(
            f"SO-{20_000 + seed * 100 + at},{pick.choice(_NAMES)},"
            f"{pick.choice(('DE', 'FR', 'PL', 'CN'))},{net / 100:.2f},{tax / 100:.2f},"
            f"{(net + tax) / 100:.2f},{pick.choice(('open', 'paid', 'sent', 'closed'))}"
        )
    return "\n".join(lines)


def found(seed: int, hits: int) -> str:
    """What a search prints."""
    pick = random.Random(seed)
    return "\n".join(
        f"src/{pick.choice(_NOUNS)}s.py:{pick.randrange(9, 400)}:    "
        f"{pick.choice(_WORDS)} = round_{pick.choice(_WORDS)}({pick.choice(_NOUNS)}."
        f"{pick.choice(_WORDS)})"
        for _ in range(hits)
    )


def page(seed: int, sections: int) -> str:
    """An HTML page with its styles."""
    pick = random.Random(seed)
    lines = ["<!doctype html>", '<html lang="en">', "<head>", "<title>Pricing</title>", "<style>"]
    for at in range(sections):
        name = f"{pick.choice(_WORDS)}-{pick.choice(_NOUNS)}"
        lines += [
            f".{name} {{",
            f"  padding: {pick.randrange(4, 40)}px {pick.randrange(4, 40)}px;",
            f"  grid-column: {at % 3 + 1}; border-radius: {pick.randrange(2, 12)}px;",
            f"  color: #{pick.randrange(16**6):06x}; background: #{pick.randrange(16**6):06x};",
            "}",
        ]
    lines += ["</style>", "</head>", "<body>", "<main>"]
    for at in range(sections):
        noun, word = pick.choice(_NOUNS), pick.choice(_WORDS)
        lines += [
            f'<section class="{word}-{noun}" id="plan-{at}">',
            f"  <h2>{noun.capitalize()} {word}</h2>",
            f"  <p>Up to {pick.randrange(10, 900)} {noun}s a month, {pick.choice(_WORDS)} free.",
            f"  <strong>{pick.randrange(4, 99)} EUR</strong></p>",
            "</section>",
        ]
    return "\n".join([*lines, "</main>", "</body>", "</html>"])


def picture(width: int, height: int, seed: int) -> bytes:
    """A small PNG: lines of grey text on white and a coloured box, as in an invoice."""
    pick = random.Random(seed)
    rows = []
    for y in range(height):
        row = bytearray(b"\xff\xff\xff" * width)
        if y % 14 in (4, 5, 6, 7) and 10 < y < height - 40:
            for x in range(12, width - pick.randrange(40, 120)):
                row[3 * x : 3 * x + 3] = b"\x60\x60\x70"
        if height - 34 < y < height - 14:
            for x in range(width // 2, width - 12):
                row[3 * x : 3 * x + 3] = b"\xd8\x3a\x3a"
        rows.append(b"\0" + bytes(row))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


# Everything that must not reach a terminal as it stands.
HOSTILE = (
    "\x1b[2J\x1b[1;31mred and gone\x1b[0m\n"
    "\x1b]0;your title is mine\x07\x1b]8;;https://example.com\x1b\\a link\x1b]8;;\x1b\\\n"
    "[/nope] [bold]no markup[/bold] [@click=app.quit]do not click[/]\n"
    "\u202egnirts desrever a\u202c and \u2066isolated\u2069 text\n"
    "tabs\tand\x08back\x7fspaces\x00 end\n"
)
