from __future__ import annotations

import asyncio
import random
import threading
import time


class Stopped(Exception):
    """The run to which a thread belongs was ended by its consumer."""


class Platform:
    """Time and chance. Tests give their own."""

    def now(self) -> float:
        """Seconds of a clock that never jumps."""
        return time.monotonic()

    def random(self) -> float:
        """At least 0, less than 1."""
        return random.random()

    def sleep(self, seconds: float, stop: threading.Event) -> None:
        """Raises Stopped as soon as `stop` is set."""
        if stop.wait(seconds):
            raise Stopped

    async def sleep_async(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


PLATFORM = Platform()
