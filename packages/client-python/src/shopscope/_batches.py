from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass

from ._request import to_json

_MAX_BATCH_BYTES = 240_000
"""A request has at most 256 KB. The remainder is for the other members and the punctuation."""


@dataclass(frozen=True)
class EnrichBatch:
    index: int
    """Of the first domain, in the input."""
    domains: list[str]


class _Batcher:
    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._batch = EnrichBatch(0, [])
        self._bytes = 0

    def add(self, domain: str) -> EnrichBatch | None:
        """The batch before, when the domain does not fit into it."""
        size = len(to_json(domain)) + 1
        full: EnrichBatch | None = None
        domains = self._batch.domains
        if len(domains) == self._max_size or (domains and self._bytes + size > _MAX_BATCH_BYTES):
            full = self._batch
            self._batch = EnrichBatch(full.index + len(domains), [])
            self._bytes = 0
        self._batch.domains.append(domain)
        self._bytes += size
        return full

    def rest(self) -> EnrichBatch | None:
        return self._batch if self._batch.domains else None


def create_batches(domains: Iterable[str], max_size: int) -> Iterator[EnrichBatch]:
    """Groups of at most `max_size` domains that fit one request."""
    batcher = _Batcher(max_size)
    for domain in domains:
        if batch := batcher.add(domain):
            yield batch
    if batch := batcher.rest():
        yield batch


async def create_batches_async(
    domains: Iterable[str] | AsyncIterable[str], max_size: int
) -> AsyncIterator[EnrichBatch]:
    batcher = _Batcher(max_size)
    async for domain in _iterate(domains):
        if batch := batcher.add(domain):
            yield batch
    if batch := batcher.rest():
        yield batch


async def _iterate(domains: Iterable[str] | AsyncIterable[str]) -> AsyncIterator[str]:
    if isinstance(domains, AsyncIterable):
        async for domain in domains:
            yield domain
    else:
        for domain in domains:
            yield domain
