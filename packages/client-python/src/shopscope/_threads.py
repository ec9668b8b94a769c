from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def in_thread(call: Callable[[], T]) -> Future[T]:
    """Runs a call in a thread of its own, with the context variables of this one. The thread does not keep the
    process alive."""
    future: Future[T] = Future()
    context = copy_context()

    def work() -> None:
        try:
            result = context.run(call)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=work, name="shopscope", daemon=True).start()
    return future


def map_in_order(source: Iterator[T], window: int, call: Callable[[T], R]) -> Generator[R, None, None]:
    """Maps items in threads, at most `window` at a time, and yields results in the order of the items.

    - The source is read in the thread of the consumer: a cursor of a database may be bound to it.
    - Before the source is read, every result is yielded that is there and has its turn.
    - An error, also of the source, ends the iteration after the results before it.
    """
    running: deque[Future[R]] = deque()
    failure: Exception | None = None
    has_more = True
    while has_more or running:
        if running and (not has_more or len(running) == window or running[0].done()):
            yield running.popleft().result()
            continue
        try:
            item = next(source)
        except StopIteration:
            has_more = False
        except Exception as error:
            has_more, failure = False, error
        else:
            running.append(in_thread(lambda item=item: call(item)))  # type: ignore[misc]
    if failure:
        raise failure
