from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar, cast

import httpx

from . import _operations, types
from ._async_driver import AsyncApiKey, AsyncDriver
from ._async_pages import AsyncPaged
from ._batches import EnrichBatch
from ._compat import Unpack
from ._enrich import EnrichedDomain, EnrichOptions, EnrichProgress
from ._events import EventFeed
from ._export import ExportedPart, checked_part, part_of, require_success
from ._platform import PLATFORM, Platform
from ._request import CallOptions, PostOptions, Request
from ._search import StoreSearch
from ._session import Session
from ._wait_for_job import wait_for_job

P = TypeVar("P")
T = TypeVar("T")


class AsyncClient:
    """The operations of the API, under their names in openapi.json, and what is made of them.

    - A client belongs to one event loop of asyncio.
    - Methods raise ApiError, TransportError, AttemptTimeoutError; ValueError or TypeError for wrong arguments.
    - Failed attempts are repeated where the service carries a request out once: GET, PATCH, DELETE, and POST with its
      Idempotency-Key.
    - Requests wait when the minute of the key's rate limit is spent.
    - `aclose()`, or the end of an `async with` block, ends the connections.
    """

    def __init__(
        self,
        *,
        api_key: AsyncApiKey,
        base_url: str,
        timeout: float = 15.0,
        max_retries: int = 4,
        user_agent: str | None = None,
        http_client: httpx.AsyncClient | None = None,
        _platform: Platform = PLATFORM,
    ) -> None:
        """
        `api_key`: the API key, or a function that is called before each attempt, so that a key can be rotated while the
        client is in use. The function may be async.
        `base_url`: address of the service, for example https://api.example.com. A /v1 at its end is left out.
        `timeout`: time limit of one attempt in seconds. The service answers within 10 seconds of database time.
        `max_retries`: attempts after the first one.
        `user_agent`: stands before the name of this package in the header User-Agent.
        `http_client`: sends the requests, for example through a proxy. It stays open after `aclose`.
        """
        self._session = Session(
            base_url=base_url, timeout=timeout, max_retries=max_retries, user_agent=user_agent, platform=_platform
        )
        self._http = http_client or httpx.AsyncClient()
        self._owns_http = http_client is None
        self._driver = AsyncDriver(self._http, api_key, _platform)

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def get_store(self, domain: str, **options: Unpack[CallOptions]) -> types.StoreResponse:
        """One profile. Costs one lookup_cached; an unknown domain raises ApiError `not_found`, free."""
        return await self._send(_operations.get_store(domain), options)

    async def get_store_if_changed(
        self, domain: str, etag: str, **options: Unpack[CallOptions]
    ) -> types.StoreResponse | None:
        """As get_store, when the profile has another ETag; None, free, when it has this one."""
        return await self._send(_operations.get_store_if_changed(domain, etag), options)

    async def enrich_stores(
        self, domains: Sequence[str], *, refresh: bool = False, **options: Unpack[PostOptions]
    ) -> types.EnrichResponse:
        """Many profiles, at most plan.limits.enrich_batch_max. One lookup_cached per known store, one lookup_live per
        queued scan.

        `domains`: host names or URLs. `refresh`: asks for scans of unknown and stale domains. Needs the scope
        write:scans.
        """
        return await self._send(_operations.enrich_stores(domains, refresh), options)

    async def graphql(
        self,
        document: str,
        variables: Mapping[str, object] | None = None,
        *,
        operation_name: str | None = None,
        max_units: Mapping[str, int] | None = None,
        **options: Unpack[PostOptions],
    ) -> types.GraphqlResponse:
        """Reads several resources with one document. One lookup_cached per known store, one history_query per page of
        history or signals with at least one row, all or nothing.

        The values of `data` are typed as Any, so that the caller can give them a type. `max_units`: the most units by
        their names. A document that could bill more is refused.
        """
        return await self._send(_operations.graphql(document, variables, operation_name, max_units), options)

    async def quote_graphql(
        self,
        document: str,
        variables: Mapping[str, object] | None = None,
        *,
        operation_name: str | None = None,
        **options: Unpack[PostOptions],
    ) -> types.GraphqlResponseExtensionsCost:
        """What a document would cost at most. Free."""
        request = _operations.graphql(document, variables, operation_name, None, dry_run=True)
        return (await self._send(request, options))["extensions"]["cost"]

    async def get_graphql_schema(self, **options: Unpack[CallOptions]) -> str:
        """The schema in the GraphQL schema language. Free."""
        return await self._send(_operations.get_graphql_schema(), options)

    def get_store_history(
        self, domain: str, **options: Unpack[_operations.GetStoreHistoryOptions]
    ) -> AsyncPaged[types.History, types.HistorySignal]:
        """Confirmed changes of a store, newest first. One history_query per page with at least one row."""
        return self._list(_operations.get_store_history(domain, options))

    def list_stores(
        self,
        **options: Unpack[_operations.ListStoresOptions],
    ) -> AsyncPaged[types.StorePage, types.StoreRow]:
        """The stores that match the parameters. One lookup_cached per row; with dropped or moved, one history_query
        per page with a row."""
        return self._list(_operations.list_stores(options))

    async def search_stores(
        self, request: types.StoreSearchRequest | None = None, **options: Unpack[PostOptions]
    ) -> types.StorePage:
        """A page of the stores that match. It costs as much as list_stores; `max_units` bounds it."""
        return await self._send(_operations.search_stores(request), options)

    async def count_stores(
        self, request: types.StoreCountRequest | None = None, **options: Unpack[PostOptions]
    ) -> types.StoreCount:
        """How many stores match. Free; with dropped or moved, one history_query."""
        return await self._send(_operations.count_stores(request), options)

    async def export_stores(
        self, request: types.StoreExportRequest | None = None, **options: Unpack[PostOptions]
    ) -> types.Job:
        """Starts a job that writes all matching stores into parts. `export` yields its rows.

        It bills as search_stores does, but one history_query per 1,000 rows.
        """
        return await self._send(_operations.export_stores(request), options)

    def search_signals(
        self, **options: Unpack[_operations.SearchSignalsOptions]
    ) -> AsyncPaged[types.SignalPage, types.StoreSignal]:
        """Confirmed changes of all stores, newest first. One history_query per page with at least one row.

        With `order="asc"` the list ends with what there is now; `next_cursor` of its last page continues it.
        """
        return self._list(_operations.search_signals(options))

    def list_events(self, **options: Unpack[_operations.ListEventsOptions]) -> AsyncPaged[types.EventPage, types.Event]:
        """The events of the workspace, in the order of their sequence. Free. `events` continues at a stored cursor."""
        return self._list(_operations.list_events(options))

    def list_event_types(self, **options: Unpack[CallOptions]) -> AsyncPaged[types.EventTypePage, types.EventType]:
        """The types of the workspace's events, each with its schema and an example. Free."""
        return self._list(_operations.list_event_types(options))

    async def request_scan(self, domain: str, **options: Unpack[PostOptions]) -> types.Job:
        """Asks for a scan of a store. Costs one refresh_requested, unless a scan of it is under way for the
        workspace."""
        return await self._send(_operations.request_scan(domain), options)

    def list_jobs(self, **options: Unpack[_operations.ListJobsOptions]) -> AsyncPaged[types.JobPage, types.Job]:
        """The jobs of the workspace. Free."""
        return self._list(_operations.list_jobs(options))

    async def get_job(self, job_id: str, **options: Unpack[CallOptions]) -> types.Job:
        """One job. Free."""
        return await self._send(_operations.get_job(job_id), options)

    def get_job_results(
        self, job_id: str, **options: Unpack[_operations.GetJobResultsOptions]
    ) -> AsyncPaged[types.JobResults, types.JobResult]:
        """What a job did with each of its domains. Free.

        Until the job has ended, results can be missing: read them again from the start when the job has ended.
        """
        return self._list(_operations.get_job_results(job_id, options))

    async def get_job_part(self, job_id: str, part: int, **options: Unpack[CallOptions]) -> str:
        """The text of a part of an export, for 30 days. Free. `export_parts` compares it with its sha256."""
        return await self._send(_operations.get_job_part(job_id, part), options)

    async def cancel_job(self, job_id: str, **options: Unpack[PostOptions]) -> types.Job:
        """A queued scan gives its unit back. A running one, and what an enrichment has done, stays billed. A job that
        has ended stays as it is."""
        return await self._send(_operations.cancel_job(job_id), options)

    async def create_list(self, name: str, **options: Unpack[PostOptions]) -> types.List:
        """Creates an empty list of stores. Free, as every operation of lists except enrich_list."""
        return await self._send(_operations.create_list(name), options)

    def list_lists(self, **options: Unpack[_operations.ListListsOptions]) -> AsyncPaged[types.ListPage, types.List]:
        """The lists of the workspace, newest first. Free."""
        return self._list(_operations.list_lists(options))

    async def get_list(self, list_id: str, **options: Unpack[CallOptions]) -> types.List:
        """One list. Free."""
        return await self._send(_operations.get_list(list_id), options)

    async def update_list(self, list_id: str, *, name: str, **options: Unpack[CallOptions]) -> types.List:
        """Renames a list. Free."""
        return await self._send(_operations.update_list(list_id, name), options)

    async def delete_list(self, list_id: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a list and its stores, and cancels its unfinished jobs. Their results stay for 30 days. Free."""
        return await self._send(_operations.delete_list(list_id), options)

    async def add_list_stores(
        self,
        list_id: str,
        domains: Sequence[str] | None = None,
        *,
        stores: Sequence[types.StoreToAdd] | None = None,
        **options: Unpack[PostOptions],
    ) -> types.StoresAdded:
        """Adds at most 2,000 stores, all or none: either `domains`, or `stores` with external ids. Free."""
        return await self._send(_operations.add_list_stores(list_id, domains, stores), options)

    def list_list_stores(
        self, list_id: str, **options: Unpack[_operations.ListListStoresOptions]
    ) -> AsyncPaged[types.MemberStorePage, types.MemberStore]:
        """The stores of a list, by domain. Free."""
        return self._list(_operations.list_list_stores(list_id, options))

    async def remove_list_stores(
        self, list_id: str, domains: Sequence[str], **options: Unpack[PostOptions]
    ) -> types.StoresRemoved:
        """Removes at most 2,000 stores. Free."""
        return await self._send(_operations.remove_list_stores(list_id, domains), options)

    async def remove_list_store(self, list_id: str, domain: str, **options: Unpack[CallOptions]) -> None:
        """Removes one store. Raises ApiError `not_found` when the list does not have it. Free."""
        return await self._send(_operations.remove_list_store(list_id, domain), options)

    async def enrich_list(
        self, list_id: str, *, refresh: bool = False, max_units: int | None = None, **options: Unpack[PostOptions]
    ) -> types.Job:
        """Starts a job that enriches every store of a list. It bills as enrich_stores does. wait_for_job and
        get_job_results follow it.

        `refresh`: asks for scans of unknown and stale stores. Needs the scope write:scans.
        `max_units`: the most units that the job may bill, of all kinds together. A larger quote is refused.
        """
        return await self._send(_operations.enrich_list(list_id, refresh, max_units), options)

    async def quote_list_enrich(
        self, list_id: str, *, refresh: bool = False, **options: Unpack[PostOptions]
    ) -> types.ListEnrichQuote:
        """What enrich_list would bill. Free."""
        return await self._send(_operations.quote_list_enrich(list_id, refresh), options)

    async def create_watchlist(
        self,
        name: str,
        **options: Unpack[_operations.CreateWatchlistOptions],
    ) -> types.Watchlist:
        """Creates a watchlist without stores. The workspace receives the confirmed signals of stores added later.

        Free, as every operation of watchlists. Each scheduled rescan costs one refresh_requested.
        `rescan_interval_days` needs the scope write:scans.
        """
        return await self._send(_operations.create_watchlist(name, options), _operations.options_of_call(options))

    def list_watchlists(
        self, **options: Unpack[_operations.ListWatchlistsOptions]
    ) -> AsyncPaged[types.WatchlistPage, types.Watchlist]:
        """The watchlists of the workspace, newest first. Free."""
        return self._list(_operations.list_watchlists(options))

    async def get_watchlist(self, watchlist_id: str, **options: Unpack[CallOptions]) -> types.Watchlist:
        """One watchlist. Free."""
        return await self._send(_operations.get_watchlist(watchlist_id), options)

    async def update_watchlist(
        self, watchlist_id: str, **options: Unpack[_operations.UpdateWatchlistOptions]
    ) -> types.Watchlist:
        """Replaces the members that are given, also the state. None clears the interval. Free."""
        request = _operations.update_watchlist(watchlist_id, options)
        return await self._send(request, _operations.options_of_call(options))

    async def delete_watchlist(self, watchlist_id: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a watchlist and its stores. Free."""
        return await self._send(_operations.delete_watchlist(watchlist_id), options)

    async def add_watchlist_stores(
        self,
        watchlist_id: str,
        domains: Sequence[str] | None = None,
        *,
        stores: Sequence[types.StoreToAdd] | None = None,
        **options: Unpack[PostOptions],
    ) -> types.StoresAdded:
        """Adds at most 2,000 stores, all or none: either `domains`, or `stores` with external ids. Free."""
        return await self._send(_operations.add_watchlist_stores(watchlist_id, domains, stores), options)

    def list_watchlist_stores(
        self, watchlist_id: str, **options: Unpack[_operations.ListWatchlistStoresOptions]
    ) -> AsyncPaged[types.MemberStorePage, types.MemberStore]:
        """The stores of a watchlist, by domain. Free."""
        return self._list(_operations.list_watchlist_stores(watchlist_id, options))

    async def remove_watchlist_stores(
        self, watchlist_id: str, domains: Sequence[str], **options: Unpack[PostOptions]
    ) -> types.StoresRemoved:
        """Removes at most 2,000 stores. Free."""
        return await self._send(_operations.remove_watchlist_stores(watchlist_id, domains), options)

    async def remove_watchlist_store(self, watchlist_id: str, domain: str, **options: Unpack[CallOptions]) -> None:
        """Removes one store. Raises ApiError `not_found` when the watchlist does not have it. Free."""
        return await self._send(_operations.remove_watchlist_store(watchlist_id, domain), options)

    async def create_webhook(
        self,
        url: str,
        event_types: Sequence[types.EventTypeName],
        **options: Unpack[_operations.CreateWebhookOptions],
    ) -> types.WebhookWithSecret:
        """Creates a webhook. Free, as every operation of webhooks.

        Its `secret` is shown once. It is None when an attempt was repeated after the response of the first one was
        lost: rotate_webhook_secret then makes another.
        """
        request = _operations.create_webhook(url, event_types, options)
        return await self._send(request, _operations.options_of_call(options))

    def list_webhooks(
        self, **options: Unpack[_operations.ListWebhooksOptions]
    ) -> AsyncPaged[types.WebhookPage, types.Webhook]:
        """The webhooks of the workspace, newest first. Free."""
        return self._list(_operations.list_webhooks(options))

    async def get_webhook(self, webhook_id: str, **options: Unpack[CallOptions]) -> types.Webhook:
        """One webhook. Free."""
        return await self._send(_operations.get_webhook(webhook_id), options)

    async def update_webhook(
        self,
        webhook_id: str,
        **options: Unpack[_operations.UpdateWebhookOptions],
    ) -> types.Webhook:
        """Replaces the members that are given, also the state: `active` also ends `disabled`. Free."""
        request = _operations.update_webhook(webhook_id, options)
        return await self._send(request, _operations.options_of_call(options))

    async def delete_webhook(self, webhook_id: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a webhook. No attempt begins afterwards. One that is in progress may still arrive. Free."""
        return await self._send(_operations.delete_webhook(webhook_id), options)

    async def test_webhook(
        self, webhook_id: str, *, type: types.EventTypeName | None = None, **options: Unpack[PostOptions]
    ) -> types.WebhookTested:
        """Sends an example to a webhook, and returns what the receiver answered. Free.

        `type`: the type of the event. Default: the first one of the webhook's event_types.
        """
        return await self._send(_operations.test_webhook(webhook_id, type), options)

    async def rotate_webhook_secret(
        self, webhook_id: str, *, overlap_hours: int = 24, **options: Unpack[PostOptions]
    ) -> types.WebhookWithSecret:
        """Makes another secret, which is shown once, as that of create_webhook. The old one signs as well for
        `overlap_hours`. Free."""
        return await self._send(_operations.rotate_webhook_secret(webhook_id, overlap_hours), options)

    async def replay_webhook(
        self,
        webhook_id: str,
        from_: str,
        to: str,
        *,
        only: types.WebhookReplayOnly = "failed",
        event_types: Sequence[types.EventTypeName] | None = None,
        **options: Unpack[PostOptions],
    ) -> types.Job:
        """Starts a job that delivers the events of a time span again. wait_for_job follows it. Free.

        `only`: "failed" for events whose delivery is failed or retrying, "all" for every event that matches the webhook
        now.
        """
        return await self._send(_operations.replay_webhook(webhook_id, from_, to, only, event_types), options)

    def list_webhook_deliveries(
        self, webhook_id: str, **options: Unpack[_operations.ListWebhookDeliveriesOptions]
    ) -> AsyncPaged[types.DeliveryPage, types.Delivery]:
        """The deliveries of a webhook in the last 30 days, newest first. Free."""
        return self._list(_operations.list_webhook_deliveries(webhook_id, options))

    def list_deliveries(
        self, **options: Unpack[_operations.ListDeliveriesOptions]
    ) -> AsyncPaged[types.DeliveryPage, types.Delivery]:
        """The deliveries of all webhooks in the last 30 days, newest first. Free."""
        return self._list(_operations.list_deliveries(options))

    async def get_delivery(self, delivery_id: str, **options: Unpack[CallOptions]) -> types.Delivery:
        """One delivery. Free."""
        return await self._send(_operations.get_delivery(delivery_id), options)

    async def retry_delivery(self, delivery_id: str, **options: Unpack[PostOptions]) -> types.Delivery:
        """Asks for one more attempt now, whatever the state of the delivery. Free."""
        return await self._send(_operations.retry_delivery(delivery_id), options)

    async def reset_test_tenant(self, **options: Unpack[PostOptions]) -> types.TestReset:
        """Restores the stores, the usage and the allowance of the workspace in the test tenant, and removes its jobs,
        lists, events and webhooks. With a live key it raises ApiError `not_found`, as every operation of the test
        tenant. Free."""
        return await self._send(_operations.reset_test_tenant(), options)

    async def append_test_event(
        self,
        type: types.EventTypeName,
        *,
        data: Mapping[str, Any] | None = None,
        **options: Unpack[PostOptions],
    ) -> types.TestEvent:
        """Appends an event of any type, which webhooks of the test tenant receive. Free.

        `data`: replaces members of the type's example.
        """
        return await self._send(_operations.append_test_event(type, data), options)

    async def set_test_allowance(self, **options: Unpack[_operations.SetTestAllowanceOptions]) -> types.Period:
        """Sets what is left of the named units in this period. Other units stay. Free."""
        request = _operations.set_test_allowance(options)
        return await self._send(request, _operations.options_of_call(options))

    def list_technologies(
        self, **options: Unpack[_operations.ListTechnologiesOptions]
    ) -> AsyncPaged[types.TechnologyPage, types.Technology]:
        """The technology vocabulary. Free."""
        return self._list(_operations.list_technologies(options))

    async def get_technology(self, slug: str, **options: Unpack[CallOptions]) -> types.TechnologyDetails:
        """One entry of the vocabulary, by its slug or an earlier one. Free."""
        return await self._send(_operations.get_technology(slug), options)

    async def get_account(self, **options: Unpack[CallOptions]) -> types.Account:
        """Key in use, plan and billing period. Free."""
        return await self._send(_operations.get_account(), options)

    async def get_usage(self, **options: Unpack[CallOptions]) -> types.Usage:
        """Consumption of the period, in total and by key. Free."""
        return await self._send(_operations.get_usage(), options)

    async def get_host(self, **options: Unpack[CallOptions]) -> types.HostDocument:
        """What this host offers. Free."""
        return await self._send(_operations.get_host(), options)

    async def get_index(self, **options: Unpack[CallOptions]) -> types.ServiceIndex:
        """The operations that the service serves. Free."""
        return await self._send(_operations.get_index(), options)

    async def get_health(self, **options: Unpack[CallOptions]) -> types.Health:
        """Whether the service is well. Free."""
        return await self._send(_operations.get_health(), options)

    async def get_openapi(self, **options: Unpack[CallOptions]) -> types.OpenapiDocument:
        """The contract. Free."""
        return await self._send(_operations.get_openapi(), options)

    def enrich_all(
        self,
        domains: Iterable[str] | AsyncIterable[str],
        *,
        refresh: bool = False,
        wait: bool = False,
        concurrency: int = 4,
        batch_size: int | None = None,
        idempotency_key: Callable[[EnrichBatch], str] | None = None,
        on_progress: Callable[[EnrichProgress], None] | None = None,
    ) -> AsyncGenerator[EnrichedDomain, None]:
        """Profiles of any number of domains, one result for each, in their order.

        `refresh`: asks for scans of unknown and stale domains, one lookup_live each. Needs the scope write:scans.
        `wait`: waits for the scans that were asked for, and looks up again what they observed, one more lookup_cached
        each. Needs the scope read:jobs. A domain whose scan failed keeps its result, and its `job` says why.
        `concurrency`: requests at the same time, never more than the plan allows.
        `batch_size`: domains per request. Default and maximum: that of the plan.
        `idempotency_key`: the Idempotency-Key of a batch, 8 to 120 characters. Default: random. Give keys that depend
        on your input alone, and a run that starts again within 24 hours bills nothing twice.
        `on_progress`: called after each batch, one call at a time.

        - Domains are taken when there is room for them: at most `concurrency` batches (with `wait`: four times as many)
          are in memory.
        - An error that remains after all attempts ends the iteration, after the results before it.
        - The consumer ends the iteration -> requests under way are cancelled. After `break`, `aclose()` does it at
          once.
        """
        _operations.checked_domains(domains)
        options = EnrichOptions(refresh, wait, concurrency, batch_size, idempotency_key, on_progress)
        return self._driver.enrich_all(self._session, domains, options)

    async def events(
        self,
        *,
        after: str | None = None,
        types: Sequence[str] | None = None,
        watchlist_id: str | None = None,
        follow: bool = False,
        # It may return int, as Path.write_text does. Coroutines are refused, because nothing awaits them.
        on_cursor: Callable[[str], int | None] | None = None,
    ) -> AsyncGenerator[types.Event, None]:
        """The events of the workspace, in the order of their sequence. Free.

        `after`: a cursor that `on_cursor` got. Default: from the oldest event, 30 days back at most.
        `types`: only events of these types.
        `watchlist_id`: only signals that reached the workspace by this watchlist, and changes of the watchlist itself.
        `follow`: waits for further events instead of ending with those that exist. A waiting request holds a slot of
        the key's concurrency.
        `on_cursor`: called when the loop has taken all events before the cursor and asks for more. A program that
        stores the cursor here and gives it as `after` at its next start misses no event. It may see the last events
        again.

        - An error that remains after all attempts ends the iteration.
        """
        feed = EventFeed(self._session, after=after, types=types, watchlist_id=watchlist_id, follow=follow)
        while not feed.has_ended:
            await self._driver.run(feed.read())
            while feed.events:
                yield feed.events.popleft()
            cursor = feed.move_on()
            if cursor is not None and on_cursor:
                on_cursor(cursor)
            await self._driver.run(feed.pause())

    async def search(
        self,
        where: types.StoreWhere | None = None,
        *,
        sort: types.StoreExportRequestSort | None = None,
        view: types.StoreSearchRequestView | None = None,
        limit: int = 50,
        max_units: Mapping[str, int] | None = None,
        cursor: str | None = None,
        on_page: Callable[[types.StorePage], None] | None = None,
    ) -> AsyncGenerator[types.StoreRow, None]:
        """The stores that match, each once.

        `limit`: the rows of a page.
        `max_units`: the most units that the iteration bills, by their names. The last page is asked for with fewer
        rows, and a page that would bill more is not asked for.
        `cursor`: the next_cursor of an earlier page with the same `where` and `sort`.
        `on_page`: called with each page before its rows. It tells what it billed, and where a later call continues.

        - All pages are of one edition.
        - An error that remains after all attempts ends the iteration, after the rows before it.
        """
        search = StoreSearch(
            self._session,
            where=cast("Mapping[str, Any]", where or {}),
            order={"sort": sort, "view": view},
            limit=limit,
            max_units=max_units,
            cursor=cursor,
        )
        while not search.has_ended:
            page = await self._driver.run(search.read())
            if on_page:
                on_page(page)
            while search.rows:
                yield search.rows.popleft()

    async def count(
        self,
        where: types.StoreWhere | None = None,
        *,
        facets: Sequence[str] = (),
        facet_size: int | None = None,
        **options: Unpack[PostOptions],
    ) -> types.StoreCount:
        """How many stores match, what their rows would bill, and facets. One history_query with `dropped` or `moved`,
        otherwise free."""
        return await self._send(_operations.count(where, facets, facet_size), options)

    async def export(
        self,
        where: types.StoreWhere | None = None,
        *,
        sort: types.StoreExportRequestSort | None = None,
        max_rows: int | None = None,
        max_units: Mapping[str, int] | None = None,
        idempotency_key: str | None = None,
        timeout: float = 900.0,
        on_progress: Callable[[types.Job], None] | None = None,
    ) -> AsyncGenerator[types.StoreRow, None]:
        """All matching stores, which a job writes. Needs the scope read:jobs too.

        `max_rows`: more matching stores are refused, free. Default and maximum: 100,000.
        `max_units`: a larger quote is refused, free. Required above 1,000 rows.
        `timeout`: of the wait for the job, in seconds. Raises JobTimeoutError.
        `on_progress`: called with each job that was read before its end.

        - The job fails or is canceled -> its finished parts, which are billed, come before ShopscopeError.
        - The iteration ends early -> the job goes on, and `export_parts` has its parts.
        """
        request = _operations.export_all(where, sort, max_rows, max_units)
        options = {} if idempotency_key is None else {"idempotency_key": idempotency_key}
        started = await self._send(request, options)
        job = await self.wait_for_job(started["id"], timeout=timeout, on_progress=on_progress)
        async for part in self.export_parts(job["id"]):
            rows = part.store_rows()
            while rows:
                yield rows.popleft()
        require_success(job)

    async def export_parts(self, job_id: str) -> AsyncGenerator[ExportedPart, None]:
        """The parts of an export. Raises ShopscopeError if one differs from its sha256. Free."""
        async for result in self.get_job_results(job_id):
            part = part_of(job_id, result)
            yield checked_part(job_id, part, await self.get_job_part(job_id, part["part"]))

    async def wait_for_job(
        self, job_id: str, *, timeout: float = 900.0, on_progress: Callable[[types.Job], None] | None = None
    ) -> types.Job:
        """Reads a job until it has ended. Raises JobTimeoutError. Free.

        A scan ends within an hour. An enrichment or a replay may take longer, and fails after 7 days without progress.
        `on_progress`: called with each job that was read before its end.
        """
        return await self._driver.run(wait_for_job(self._session, job_id, timeout, on_progress))

    async def _send(self, request: Request[T], options: Mapping[str, Any]) -> T:
        return await self._driver.run(self._session.send(request, options))

    def _list(self, listing: _operations.Listing[P, T]) -> AsyncPaged[P, T]:
        return AsyncPaged(lambda cursor: self._send(listing.page(cursor), listing.options))
