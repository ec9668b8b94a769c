from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def map_in_order(
    source: AsyncIterator[T], window: int, call: Callable[[T], Awaitable[R]]
) -> AsyncGenerator[R, None]:
    """Maps items in tasks, at most `window` at a time, and yields results in the order of the items.

    - A result is yielded as soon as all results before it have been, also while the source is slow.
    - An error, also of the source, ends the iteration after the results before it.
    - The consumer or an error ends the iteration -> tasks and the source are cancelled.
    """

    async def pull() -> T:
        return await anext(source)

    async def work(item: T) -> R:
        return await call(item)

    running: deque[asyncio.Task[R]] = deque()
    pulling: asyncio.Task[T] | None = None
    failure: BaseException | None = None
    has_more = True
    try:
        while has_more or running:
            if has_more and pulling is None and len(running) < window:
                pulling = asyncio.create_task(pull())
            head = running[0] if running else None
            pending: list[asyncio.Task[Any]] = [task for task in (head, pulling) if task]
            await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            if head and head.done():
                running.popleft()
                yield head.result()
            elif pulling and pulling.done():
                error = pulling.exception()
                if error:
                    has_more = False
                    failure = None if isinstance(error, StopAsyncIteration) else error
                else:
                    running.append(asyncio.create_task(work(pulling.result())))
                pulling = None
        if failure:
            raise failure
    finally:
        await end_tasks([*running, *([pulling] if pulling else [])])
        if isinstance(source, AsyncGenerator):
            await source.aclose()


async def end_tasks(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
