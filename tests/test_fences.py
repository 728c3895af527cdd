"""What is code between fences, and what is not."""

from __future__ import annotations

import pytest

from redline.fences import BOM, fences, lines_of, open_fence, outside_fences


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        (b"```\nx\n```\ny\n", {1, 2, 3}),
        (b"~~~~ md\n```\n~~~\n~~~~\n", {1, 2, 3, 4}),
        (b"   ```py\nx\n ```  \n", {1, 2, 3}),
        (b"- ```\n  x\n  ```\ny\n", {1, 2, 3}),
        (b"10. ```\n    x\n    ```\ny\n", {1, 2, 3}),
        (b"- 1. ~~~\n     x\n     ~~~\n", {1, 2, 3}),
        (b"```\nx\n", set()),
        (b"    ```\nx\n    ```\n", set()),
        (b"``` a ` b\nx\n```\n", set()),
        (b"```\nx\n    ```\n", set()),
        (b"text ```\nx\n```\n", set()),
        (BOM + b"```\r\nx\r\n```\r\n", {1, 2, 3}),
        (b"", set()),
    ],
)
def test_lines_between_fences_are_code(text: bytes, inside: set[int]) -> None:
    assert fences(lines_of(text))[0] == inside


def test_a_fence_that_is_never_closed_hides_nothing_and_is_told() -> None:
    assert open_fence(b"a\n```\nb\n") == 2
    assert open_fence(b"```\nb\n```\n") is None
    assert outside_fences(b"```\nb\n```\na\n~~~\nc") == [b"a", b"~~~", b"c"]


def test_the_spans_of_the_lines_are_the_whole_file() -> None:
    data = BOM + b"a\r\n\nb\xff\rc"
    lines = lines_of(data)
    assert [line.text for line in lines] == [b"a", b"", b"b\xff\rc"]
    assert b"".join(data[line.start : line.end] for line in lines) == data[len(BOM) :]
