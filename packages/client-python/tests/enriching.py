from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .scripted_service import Exchange, Received, answer_json, failure


class Enriching:
    """A service that knows `*.known`, scans what `refresh` asks for, and counts requests.

    `jobs`: the states of the job of a domain, one for each round of its waiter. The last one stays.
    `meeting`: batches are answered when so many of them have once been there at the same time.
    """

    def __init__(
        self,
        batch_max: int = 3,
        concurrency: int = 50,
        jobs: Mapping[str, Sequence[str]] | None = None,
        meeting: int = 1,
    ) -> None:
        self._limits = {"concurrency": concurrency, "enrich_batch_max": batch_max}
        self._jobs = {f"job_{domain}": list(states) for domain, states in (jobs or {}).items()}
        self._observed: set[str] = set()
        self._lock = threading.Lock()
        self._open = 0
        self._meeting = meeting
        self._have_met = threading.Event()
        self.most_open = 0
        self._bodies: dict[str, object] = {}
        self.keys: Counter[str] = Counter()
        self.paths: Counter[str] = Counter()

    def __call__(self, received: Received, exchange: Exchange) -> None:
        url = urlsplit(received.url)
        with self._lock:
            self._open += 1
            self.most_open = max(self.most_open, self._open)
            self.paths[url.path] += 1
            status, body = self._answer(received, url.path, parse_qs(url.query))
            if self._open >= self._meeting:
                self._have_met.set()
        if url.path == "/v1/stores/enrich":
            assert self._have_met.wait(timeout=30)
        with self._lock:
            self._open -= 1
        answer_json(status, body)(received, exchange)

    def _answer(self, received: Received, path: str, query: Mapping[str, Sequence[str]]) -> tuple[int, Any]:
        if path == "/v1/account":
            return 200, {"workspace": {"name": "Demo"}, "plan": {"slug": "scale", "limits": self._limits}}
        if path == "/v1/stores/enrich":
            key = received.headers["idempotency-key"]
            self.keys[key] += 1
            if self._bodies.setdefault(key, received.body) != received.body:
                return 409, {"error": {"code": "conflict", "message": "Another body.", "request_id": "req_1"}}
            return 200, self._enrich(received)
        if path == "/v1/jobs":
            jobs = [self._job(job_id) for job_id, states in self._jobs.items() if states[0] == query["state"][0]]
            for job_id in [job["id"] for job in jobs]:
                self._advance(job_id)
            return 200, {"data": jobs, "next_cursor": None}
        return 200, self._job(path.split("/")[-1])

    def _enrich(self, received: Received) -> dict[str, Any]:
        results = [self._result(domain, received.body.get("refresh", False)) for domain in received.body["domains"]]
        billed = {
            "lookup_cached": sum(result["store"] is not None for result in results),
            "lookup_live": sum(result["scan_requested"] for result in results),
        }
        return {"request_id": "req_1", "billed": billed, "results": results}

    def _result(self, domain: str, refresh: bool) -> dict[str, Any]:
        is_known = domain.endswith(".known") or domain in self._observed
        is_scanned = refresh and not is_known
        if is_scanned:
            self._jobs.setdefault(f"job_{domain}", ["succeeded"])
        return {
            "input": domain,
            "match": "matched" if is_known else "no_match",
            "reason": None if is_known else "not_in_corpus",
            "scan_requested": is_scanned,
            "scan_job_id": f"job_{domain}" if is_scanned else None,
            "store": {"domain": domain} if is_known else None,
        }

    def _advance(self, job_id: str) -> None:
        states = self._jobs[job_id]
        if len(states) > 1:
            states.pop(0)

    def _job(self, job_id: str) -> dict[str, Any]:
        state = self._jobs[job_id][0]
        if state == "succeeded":
            self._observed.add(job_id.removeprefix("job_"))
        error = {"code": "dns_failure", "message": "The domain has no address."} if state == "failed" else None
        return {"id": job_id, "state": state, "error": error}


def names(count: int, end: str = "known") -> list[str]:
    return [f"shop{n}.{end}" for n in range(count)]


def batches_of(received: Sequence[Received]) -> list[list[str]]:
    return [each.body["domains"] for each in received if each.url.endswith("/enrich")]


def size_of(domains: list[str]) -> int:
    return len(json.dumps({"domains": domains, "refresh": False}))


def spent_for(domain: str, otherwise: Enriching) -> Any:
    """The allowance is spent when this domain is asked for."""

    def answer(received: Received, exchange: Exchange) -> None:
        is_spent = received.body is not None and domain in received.body["domains"]
        refusal = failure(402, "payment_required", unit="lookup_cached")
        (refusal if is_spent else otherwise)(received, exchange)

    return answer
