from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future


class Turns:
    """At most `count` holders of a turn at the same time; the others wait in their order. Threads may share it."""

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._free = count
        self._waiting: deque[Future[None]] = deque()

    def take(self) -> Future[None]:
        """The turn begins with the result of the future. `give` must follow, even when the wait for it fails."""
        turn: Future[None] = Future()
        with self._lock:
            if self._free > 0:
                self._free -= 1
                turn.set_result(None)
            else:
                self._waiting.append(turn)
        return turn

    def give(self, turn: Future[None]) -> None:
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
            while self._waiting:
                following = self._waiting.popleft()
                # False: the holder does not wait any more.
                if following.set_running_or_notify_cancel():
                    following.set_result(None)
                    return
            self._free += 1
