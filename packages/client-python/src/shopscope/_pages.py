# Generated from _async_pages.py: npm run generate --workspace @shopscope/client-python
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar, cast

from .errors import ShopscopeError

P = TypeVar("P")
T = TypeVar("T")


class Paged(Generic[P, T]):
    """A list that is read page by page.

    - `for item in list`: all items. `list.pages()`: all pages. `list.first()`: the first page.
    - A list without an end ends at the page with `has_more` False. Its `next_cursor` continues it later.
    - A page is requested when it is needed, the first one once.
    - As an iterator, a list belongs to one thread.
    """

    def __init__(self, read: Callable[[str | None], P]) -> None:
        self._read = read
        self._first: P | None = None

    def first(self) -> P:
        if self._first is None:
            self._first = self._read(None)
        return self._first

    def pages(self) -> Iterator[P]:
        page = self.first()
        yield page
        while (cursor := _next_cursor(page)) is not None:
            page = _advanced(self._read(cursor), cursor)
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            for item in cast("list[T]", cast(Any, page)["data"]):
                yield item


def _next_cursor(page: object) -> str | None:
    """None: there are no further pages now."""
    members = cast(Any, page)
    cursor: str | None = members["next_cursor"]
    return cursor if members.get("has_more", True) else None


def _advanced(page: P, cursor: str) -> P:
    if _next_cursor(page) == cursor:
        raise ShopscopeError("the service repeated a cursor")
    return page
