from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from shopscope import _tasks, _threads


@pytest.mark.parametrize("seed", range(30))
def test_threads_give_each_result_once_and_in_order_within_the_window(seed: int) -> None:
    chance = random.Random(seed)
    count, window = chance.randrange(30), chance.randint(1, 6)
    turns = [threading.Event() for _ in range(count)]
    taken = 0

    def source() -> Iterator[int]:
        nonlocal taken
        for n in range(count):
            taken += 1
            # Every call ends, in an order that chance decides.
            turns[n].set()
            yield n

    def call(n: int) -> int:
        assert turns[n].wait(30)
        return n

    results: list[int] = []
    for n in _threads.map_in_order(source(), window, call):
        results.append(n)
        assert taken - len(results) <= window
    assert results == list(range(count))


def test_with_slow_threads_the_source_is_read_as_far_as_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        """A call that is not done until somebody waits for it."""

        def __init__(self, call: Callable[[], int]) -> None:
            self.result = call

        def done(self) -> bool:
            return False

    monkeypatch.setattr(_threads, "in_thread", Slow)
    source = iter(range(10))
    results = _threads.map_in_order(source, 3, same_number)
    assert next(results) == 0
    assert next(source) == 3


@pytest.mark.parametrize("seed", range(30))
def test_tasks_give_each_result_once_and_in_order_within_the_window(seed: int) -> None:
    chance = random.Random(seed)
    ticks = [chance.randrange(4) for _ in range(chance.randrange(30))]
    window = chance.randint(1, 6)
    taken = 0

    async def source() -> AsyncIterator[int]:
        nonlocal taken
        for n in range(len(ticks)):
            taken += 1
            yield n

    async def call(n: int) -> int:
        for _ in range(ticks[n]):
            await asyncio.sleep(0)
        return n

    async def run() -> None:
        results: list[int] = []
        async for n in _tasks.map_in_order(source(), window, call):
            results.append(n)
            assert taken - len(results) <= window
        assert results == list(range(len(ticks)))

    asyncio.run(run())


def same_number(n: int) -> int:
    return n


async def same(n: int) -> int:
    return n


def test_a_result_of_a_task_is_yielded_while_the_source_is_silent() -> None:
    async def source() -> AsyncIterator[int]:
        yield 1
        await asyncio.Event().wait()

    async def run() -> int:
        results = _tasks.map_in_order(source(), 4, same)
        first = await anext(results)
        await results.aclose()
        return first

    assert asyncio.run(run()) == 1


def test_a_cancellation_ends_the_iteration_while_the_source_is_silent() -> None:
    async def source() -> AsyncIterator[int]:
        await asyncio.Event().wait()
        yield 1

    async def first() -> int:
        return await anext(_tasks.map_in_order(source(), 4, same))

    async def run() -> None:
        task = asyncio.create_task(first())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def broken(n: int) -> int:
    if n == 2:
        raise RuntimeError("broken call")
    return n


def numbers(failing: str) -> Iterator[int]:
    yield from (0, 1)
    if failing == "source":
        raise RuntimeError("broken source")
    yield from (2, 3)


@pytest.mark.parametrize("failing", ["call", "source"])
def test_an_error_of_threads_or_their_source_follows_the_results_before_it(failing: str) -> None:
    results = _threads.map_in_order(numbers(failing), 3, broken)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(RuntimeError, match=failing):
        next(results)


@pytest.mark.parametrize("failing", ["call", "source"])
def test_an_error_of_tasks_or_their_source_follows_the_results_before_it(failing: str) -> None:
    async def source() -> AsyncIterator[int]:
        for n in numbers(failing):
            yield n

    async def call(n: int) -> int:
        return broken(n)

    async def run() -> None:
        results = _tasks.map_in_order(source(), 3, call)
        assert [await anext(results), await anext(results)] == [0, 1]
        with pytest.raises(RuntimeError, match=failing):
            await anext(results)

    asyncio.run(run())


def test_a_consumer_that_leaves_ends_the_source_of_tasks() -> None:
    has_ended = False

    async def source() -> AsyncIterator[int]:
        nonlocal has_ended
        try:
            for n in range(1_000):
                yield n
        finally:
            has_ended = True

    async def run() -> None:
        results = _tasks.map_in_order(source(), 2, same)
        assert await anext(results) == 0
        await results.aclose()
        assert has_ended

    asyncio.run(run())
