from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Generic, TypeVar, cast

from .errors import ShopscopeError

P = TypeVar("P")
T = TypeVar("T")


class AsyncPaged(Generic[P, T]):
    """A list that is read page by page.

    - `async for item in list`: all items. `list.pages()`: all pages. `await list.first()`: the first page.
    - A list without an end ends at the page with `has_more` False. Its `next_cursor` continues it later.
    - A page is requested when it is needed, the first one once.
    - As an iterator, a list belongs to one task.
    """

    def __init__(self, read: Callable[[str | None], Awaitable[P]]) -> None:
        self._read = read
        self._first: P | None = None

    async def first(self) -> P:
        if self._first is None:
            self._first = await self._read(None)
        return self._first

    async def pages(self) -> AsyncIterator[P]:
        page = await self.first()
        yield page
        while (cursor := _next_cursor(page)) is not None:
            page = _advanced(await self._read(cursor), cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
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
