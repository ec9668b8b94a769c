from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from typing import Any

import pytest

from shopscope import ApiError, AsyncClient, Client, EnrichBatch, EnrichProgress

from .conftest import Start
from .enriching import Enriching, batches_of, names, size_of, spent_for
from .scripted_service import Exchange, Received, ScriptedService, failure


def test_every_domain_is_answered_once_and_in_order_in_batches_of_the_plan(start: Start) -> None:
    service = start(Enriching())
    results = list(service.client.enrich_all(names(10)))
    assert [result["input"] for result in results] == names(10)
    assert [result["job"] for result in results] == [None] * 10
    assert sorted(len(batch) for batch in batches_of(service.received)) == [1, 3, 3, 3]


def test_requests_at_the_same_time_stay_within_the_plan_and_the_option(start: Start) -> None:
    jobs = {domain: ["queued", "running", "succeeded"] for domain in names(20, "new")}
    enriching = Enriching(batch_max=1, concurrency=2, jobs=jobs, meeting=2)
    service = start(enriching)
    assert len(list(service.client.enrich_all(names(20, "new"), concurrency=8, refresh=True, wait=True))) == 20
    assert enriching.most_open == 2


def test_batches_are_sent_at_the_same_time(start: Start) -> None:
    enriching = Enriching(batch_max=1, meeting=8)
    service = start(enriching)
    list(service.client.enrich_all(names(40), concurrency=8))
    assert enriching.most_open == 8


def test_a_source_is_read_only_as_far_as_there_is_room(start: Start) -> None:
    service = start(Enriching(batch_max=2))
    taken: list[str] = []

    def endless() -> Iterator[str]:
        for n in itertools.count():
            taken.append(f"shop{n}.known")
            yield taken[-1]

    results = service.client.enrich_all(endless(), concurrency=2)
    for _ in range(4):
        next(results)
    results.close()
    assert len(taken) < 20


def test_the_synchronous_client_reads_a_source_in_the_thread_of_the_consumer() -> None:
    threads: set[threading.Thread] = set()

    def source() -> Iterator[str]:
        for name in names(10):
            threads.add(threading.current_thread())
            yield name

    with ScriptedService([Enriching()], is_async=False, options={}) as service:
        list(service.client.enrich_all(source()))
    assert threads == {threading.current_thread()}


def test_the_asynchronous_client_reads_an_asynchronous_source() -> None:
    async def source() -> AsyncIterator[str]:
        for name in names(7):
            await asyncio.sleep(0)
            yield name

    with ScriptedService([Enriching()], is_async=True, options={}) as service:
        results = list(service.client.enrich_all(source()))
    assert [result["input"] for result in results] == names(7)


def test_a_batch_fits_one_request_however_long_its_inputs_are(start: Start) -> None:
    service = start(Enriching(batch_max=100))
    inputs = [f"shop{n}.known/{'é' * 1_000}" for n in range(250)]
    assert len(list(service.client.enrich_all(inputs))) == 250
    assert max(size_of(domains) for domains in batches_of(service.received)) < 262_144


def test_with_wait_scans_are_waited_for_and_what_they_observed_is_looked_up(start: Start) -> None:
    jobs = {"a.new": ["queued", "running", "succeeded"], "b.new": ["running", "failed"]}
    service = start(Enriching(jobs=jobs, batch_max=4))
    progress: list[EnrichProgress] = []
    results = list(
        service.client.enrich_all(
            ["a.new", "x.known", "b.new", "a.new"], refresh=True, wait=True, on_progress=progress.append
        )
    )
    assert [result["match"] for result in results] == ["matched", "matched", "no_match", "matched"]
    ended = [result["job"] for result in results]
    assert [job and job["state"] for job in ended] == ["succeeded", None, "failed", "succeeded"]
    assert ended[2]["error"]["code"] == "dns_failure"
    assert results[0]["scan_requested"] is True
    assert (results[0]["scan_job_id"], results[0]["store"]) == ("job_a.new", {"domain": "a.new"})
    assert asdict(progress[-1]) == {"done": 4, "waiting": 0, "billed": {"lookup_cached": 3, "lookup_live": 3}}
    assert progress[0].waiting > 0
    assert [batch.count("b.new") for batch in batches_of(service.received)] == [1, 0]


def test_jobs_are_waited_for_through_lists(start: Start) -> None:
    domains = names(60, "new")
    enriching = Enriching(
        batch_max=20, jobs={domain: ["queued", "queued", "running", "succeeded"] for domain in domains}
    )
    service = start(enriching)
    assert all(result["store"] for result in service.client.enrich_all(domains, refresh=True, wait=True))
    single = {path: count for path, count in enriching.paths.items() if path.startswith("/v1/jobs/")}
    assert single == {f"/v1/jobs/job_{domain}": 1 for domain in domains}
    assert enriching.paths["/v1/jobs"] < 20
    assert set(service.pauses) == {5}


def test_a_run_with_keys_of_its_own_sends_the_same_keys_again(start: Start) -> None:
    enriching = Enriching()
    service = start(enriching)

    def key_of(batch: EnrichBatch) -> str:
        return f"list-7-{batch.index}"

    list(service.client.enrich_all(names(5), idempotency_key=key_of))
    list(service.client.enrich_all(names(5), idempotency_key=key_of))
    assert enriching.keys == {"list-7-0": 2, "list-7-3": 2}


def test_an_error_that_remains_ends_the_iteration_after_the_results_before_it(start: Start) -> None:
    service = start(spent_for("shop3.known", Enriching(batch_max=1)))
    results = service.client.enrich_all(names(9))
    assert [next(results)["input"] for _ in range(3)] == names(3)
    with pytest.raises(ApiError) as raised:
        next(results)
    assert (raised.value.code, raised.value.unit) == ("payment_required", "lookup_cached")


def test_jobs_that_cannot_be_read_end_the_iteration(start: Start) -> None:
    enriching = Enriching(jobs={"a.new": ["queued", "succeeded"]})

    def answer(received: Any, exchange: Any) -> None:
        refusal = failure(403, "forbidden_scope")
        (refusal if received.url.startswith("/v1/jobs") else enriching)(received, exchange)

    service = start(answer)
    with pytest.raises(ApiError) as raised:
        list(service.client.enrich_all(["a.new", "b.new"], refresh=True, wait=True, batch_size=1))
    assert raised.value.code == "forbidden_scope"


def test_no_domains_are_no_batch(start: Start) -> None:
    service = start(Enriching())
    assert list(service.client.enrich_all([])) == []
    assert batches_of(service.received) == []


def new_threads(before: set[threading.Thread]) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread not in before and thread.name == "shopscope"]


def end_of(threads: list[threading.Thread]) -> bool:
    for thread in threads:
        thread.join(timeout=30)
    return not any(thread.is_alive() for thread in threads)


def test_after_a_consumer_has_left_threads_send_no_further_request() -> None:
    enriching = Enriching(batch_max=1, concurrency=2)
    is_window_full, has_left = threading.Event(), threading.Event()

    def source() -> Iterator[str]:
        for n, name in enumerate(names(8)):
            if n == 7:
                is_window_full.set()
            yield name

    def answer(received: Received, exchange: Exchange) -> None:
        if received.url.endswith("/enrich"):
            is_first = received.body["domains"] == names(1)
            assert (is_window_full if is_first else has_left).wait(timeout=30)
        enriching(received, exchange)

    with ScriptedService([answer], is_async=False, options={}) as service:
        before = set(threading.enumerate())
        results = service.client.enrich_all(source(), wait=True)
        assert next(results)["input"] == "shop0.known"
        threads = new_threads(before)
        results.close()
        has_left.set()
        assert end_of(threads)
        # The first one, the two that were under way, and one that may have begun between the result and the end.
        assert len(batches_of(service.received)) <= 4


def test_a_consumer_that_leaves_ends_the_threads_that_wait_for_scans() -> None:
    domains = names(30, "new")
    enriching = Enriching(jobs={domain: ["queued"] for domain in domains})
    are_waiting = threading.Event()

    def watch(progress: EnrichProgress) -> None:
        if progress.waiting > 0:
            are_waiting.set()

    with (
        ScriptedService([enriching], is_async=False, options={}) as service,
        Client(api_key="svc_live_x", base_url=service.url) as client,
    ):
        before = set(threading.enumerate())
        results = client.enrich_all(["x.known", *domains], refresh=True, wait=True, batch_size=1, on_progress=watch)
        assert next(results)["match"] == "matched"
        assert are_waiting.wait(timeout=30)
        threads = new_threads(before)
        results.close()
        assert threads
        assert end_of(threads)


def test_a_consumer_that_leaves_cancels_the_tasks() -> None:
    domains = names(30, "new")

    async def leave(url: str) -> None:
        are_waiting = asyncio.Event()

        def watch(progress: EnrichProgress) -> None:
            if progress.waiting > 0:
                are_waiting.set()

        async with AsyncClient(api_key="svc_live_x", base_url=url) as client:
            results = client.enrich_all(["x.known", *domains], refresh=True, wait=True, batch_size=1, on_progress=watch)
            assert (await anext(results))["match"] == "matched"
            await asyncio.wait_for(are_waiting.wait(), timeout=30)
            await results.aclose()
            assert asyncio.all_tasks() == {asyncio.current_task()}

    enriching = Enriching(jobs={domain: ["queued"] for domain in domains})
    with ScriptedService([enriching], is_async=False, options={}) as service:
        asyncio.run(leave(service.url))
