"""The requests of the operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import types
from ._request import CallOptions, PostOptions, Request, segment

P = TypeVar("P")
T = TypeVar("T")


class ListTechnologiesOptions(types.ListTechnologiesQuery, CallOptions, total=False):
    """The query of list_technologies, and the options of each of its calls."""


class GetStoreHistoryOptions(types.GetStoreHistoryQuery, CallOptions, total=False):
    """The query of get_store_history, and the options of each of its calls."""


class SearchSignalsOptions(types.SearchSignalsQuery, CallOptions, total=False):
    """The query of search_signals, and the options of each of its calls."""


class ListStoresOptions(types.ListStoresQuery, CallOptions, total=False):
    """The query of list_stores, and the options of each of its calls."""


class ListEventsOptions(types.ListEventsQuery, CallOptions, total=False):
    """The query of list_events, and the options of each of its calls."""


class ListJobsOptions(types.ListJobsQuery, CallOptions, total=False):
    """The query of list_jobs, and the options of each of its calls."""


class GetJobResultsOptions(types.GetJobResultsQuery, CallOptions, total=False):
    """The query of get_job_results, and the options of each of its calls."""


class ListListsOptions(types.ListListsQuery, CallOptions, total=False):
    """The query of list_lists, and the options of each of its calls."""


class ListListStoresOptions(types.ListListStoresQuery, CallOptions, total=False):
    """The query of list_list_stores, and the options of each of its calls."""


class CreateWatchlistOptions(PostOptions, total=False):
    """The members of a new watchlist apart from its name, and the options of the call."""

    signal_types: Sequence[types.HistorySignalType]
    technologies: Sequence[str]
    rescan_interval_days: int | None
    budget: types.WatchlistCreateBudget


class UpdateWatchlistOptions(types.WatchlistUpdate, CallOptions, total=False):
    """The members of a watchlist that a call replaces, and the options of the call."""


class ListWatchlistsOptions(types.ListWatchlistsQuery, CallOptions, total=False):
    """The query of list_watchlists, and the options of each of its calls."""


class ListWatchlistStoresOptions(types.ListWatchlistStoresQuery, CallOptions, total=False):
    """The query of list_watchlist_stores, and the options of each of its calls."""


class CreateWebhookOptions(PostOptions, total=False):
    """The members of a new webhook apart from its URL and its types of events, and the options of the call."""

    description: str | None
    watchlist_ids: Sequence[str]
    max_per_minute: int | None
    filters: types.WebhookCreateFilters
    headers: Mapping[str, str]


class UpdateWebhookOptions(types.WebhookUpdate, CallOptions, total=False):
    """The members of a webhook that a call replaces, and the options of the call."""


class ListWebhooksOptions(types.ListWebhooksQuery, CallOptions, total=False):
    """The query of list_webhooks, and the options of each of its calls."""


class ListWebhookDeliveriesOptions(types.ListWebhookDeliveriesQuery, CallOptions, total=False):
    """The query of list_webhook_deliveries, and the options of each of its calls."""


class ListDeliveriesOptions(types.ListDeliveriesQuery, CallOptions, total=False):
    """The query of list_deliveries, and the options of each of its calls."""


class SetTestAllowanceOptions(types.TestAllowanceRequest, PostOptions, total=False):
    """The units that set_test_allowance sets, and the options of the call."""


@dataclass(frozen=True)
class Listing(Generic[P, T]):
    """A list with pages of the type P and items of the type T."""

    path: str
    query: Mapping[str, object]
    options: Mapping[str, Any]
    parameter: str = "cursor"

    def page(self, cursor: str | None) -> Request[P]:
        return Request("GET", self.path, {**self.query, **({} if cursor is None else {self.parameter: cursor})})


def get_store(domain: str) -> Request[types.StoreResponse]:
    return Request("GET", _store_path(domain))


def get_store_if_changed(domain: str, etag: str) -> Request[types.StoreResponse | None]:
    return Request("GET", _store_path(domain), headers={"If-None-Match": etag})


def enrich_stores(domains: Sequence[str], refresh: bool) -> Request[types.EnrichResponse]:
    checked_domains(domains)
    body = {"domains": list(domains), **_refresh(refresh)}
    return Request("POST", "/v1/stores/enrich", body=body)


def graphql(
    document: str,
    variables: Mapping[str, object] | None,
    operation_name: str | None,
    max_units: Mapping[str, int] | None,
    dry_run: bool = False,
) -> Request[types.GraphqlResponse]:
    extensions = {
        **({} if max_units is None else {"maxUnits": dict(max_units)}),
        **({"dryRun": True} if dry_run else {}),
    }
    body = {
        "query": document,
        **({} if variables is None else {"variables": dict(variables)}),
        **({} if operation_name is None else {"operationName": operation_name}),
        **({"extensions": extensions} if extensions else {}),
    }
    return Request("POST", "/v1/graphql", body=body)


def get_graphql_schema() -> Request[str]:
    return Request("GET", "/v1/graphql/schema")


def get_store_history(domain: str, options: GetStoreHistoryOptions) -> Listing[types.History, types.HistorySignal]:
    return _list(f"{_store_path(domain)}/history", options)


def list_stores(options: ListStoresOptions) -> Listing[types.StorePage, types.StoreRow]:
    return _list("/v1/stores", options)


def search_stores(request: types.StoreSearchRequest | None) -> Request[types.StorePage]:
    return Request("POST", "/v1/stores/search", body={**(request or {})})


def count_stores(request: types.StoreCountRequest | None) -> Request[types.StoreCount]:
    return Request("POST", "/v1/stores/count", body={**(request or {})})


def count(where: types.StoreWhere | None, facets: Sequence[str], facet_size: int | None) -> Request[types.StoreCount]:
    if isinstance(facets, str):
        raise TypeError("facets must be a list of fields, not one text")
    size = {} if facet_size is None else {"facet_size": facet_size}
    return Request("POST", "/v1/stores/count", body={"where": where or {}, "facets": list(facets), **size})


def export_stores(request: types.StoreExportRequest | None) -> Request[types.Job]:
    return Request("POST", "/v1/stores/export", body={**(request or {})})


def export_all(
    where: types.StoreWhere | None, sort: str | None, max_rows: int | None, max_units: Mapping[str, int] | None
) -> Request[types.Job]:
    given = {"sort": sort, "max_rows": max_rows, "max_units": None if max_units is None else dict(max_units)}
    members = {name: value for name, value in given.items() if value is not None}
    return Request("POST", "/v1/stores/export", body={"where": where or {}, "format": "ndjson", **members})


def search_signals(options: SearchSignalsOptions) -> Listing[types.SignalPage, types.StoreSignal]:
    return _list("/v1/signals", options)


def list_events(options: ListEventsOptions) -> Listing[types.EventPage, types.Event]:
    return _list("/v1/events", options, parameter="after")


def list_event_types(options: CallOptions) -> Listing[types.EventTypePage, types.EventType]:
    return _list("/v1/event_types", options)


def request_scan(domain: str) -> Request[types.Job]:
    return Request("POST", f"{_store_path(domain)}/scans")


def list_jobs(options: ListJobsOptions) -> Listing[types.JobPage, types.Job]:
    return _list("/v1/jobs", options)


def get_job(job_id: str) -> Request[types.Job]:
    return Request("GET", _job_path(job_id))


def get_job_results(job_id: str, options: GetJobResultsOptions) -> Listing[types.JobResults, types.JobResult]:
    return _list(f"{_job_path(job_id)}/results", options)


def get_job_part(job_id: str, part: int) -> Request[str]:
    return Request("GET", f"{_job_path(job_id)}/parts/{part}")


def cancel_job(job_id: str) -> Request[types.Job]:
    return Request("POST", f"{_job_path(job_id)}/cancel")


def create_list(name: str) -> Request[types.List]:
    return Request("POST", "/v1/lists", body={"name": name})


def list_lists(options: ListListsOptions) -> Listing[types.ListPage, types.List]:
    return _list("/v1/lists", options)


def get_list(list_id: str) -> Request[types.List]:
    return Request("GET", _list_path(list_id))


def update_list(list_id: str, name: str) -> Request[types.List]:
    return Request("PATCH", _list_path(list_id), body={"name": name})


def delete_list(list_id: str) -> Request[None]:
    return Request("DELETE", _list_path(list_id))


def add_list_stores(
    list_id: str, domains: Sequence[str] | None, stores: Sequence[types.StoreToAdd] | None
) -> Request[types.StoresAdded]:
    return _add_stores(_list_path(list_id), domains, stores)


def list_list_stores(list_id: str, options: ListListStoresOptions) -> Listing[types.MemberStorePage, types.MemberStore]:
    return _list(f"{_list_path(list_id)}/stores", options)


def remove_list_stores(list_id: str, domains: Sequence[str]) -> Request[types.StoresRemoved]:
    return _remove_stores(_list_path(list_id), domains)


def remove_list_store(list_id: str, domain: str) -> Request[None]:
    return Request("DELETE", f"{_list_path(list_id)}/stores/{segment(domain)}")


def enrich_list(list_id: str, refresh: bool, max_units: int | None) -> Request[types.Job]:
    bound = {} if max_units is None else {"max_units": max_units}
    return Request("POST", f"{_list_path(list_id)}/enrich", body={**_refresh(refresh), **bound})


def quote_list_enrich(list_id: str, refresh: bool) -> Request[types.ListEnrichQuote]:
    return Request("POST", f"{_list_path(list_id)}/enrich", body={**_refresh(refresh), "dry_run": True})


def create_watchlist(name: str, options: CreateWatchlistOptions) -> Request[types.Watchlist]:
    return Request("POST", "/v1/watchlists", body={"name": name, **_members(options)})


def list_watchlists(options: ListWatchlistsOptions) -> Listing[types.WatchlistPage, types.Watchlist]:
    return _list("/v1/watchlists", options)


def get_watchlist(watchlist_id: str) -> Request[types.Watchlist]:
    return Request("GET", _watchlist_path(watchlist_id))


def update_watchlist(watchlist_id: str, options: UpdateWatchlistOptions) -> Request[types.Watchlist]:
    return Request("PATCH", _watchlist_path(watchlist_id), body=_members(options))


def delete_watchlist(watchlist_id: str) -> Request[None]:
    return Request("DELETE", _watchlist_path(watchlist_id))


def add_watchlist_stores(
    watchlist_id: str, domains: Sequence[str] | None, stores: Sequence[types.StoreToAdd] | None
) -> Request[types.StoresAdded]:
    return _add_stores(_watchlist_path(watchlist_id), domains, stores)


def list_watchlist_stores(
    watchlist_id: str, options: ListWatchlistStoresOptions
) -> Listing[types.MemberStorePage, types.MemberStore]:
    return _list(f"{_watchlist_path(watchlist_id)}/stores", options)


def remove_watchlist_stores(watchlist_id: str, domains: Sequence[str]) -> Request[types.StoresRemoved]:
    return _remove_stores(_watchlist_path(watchlist_id), domains)


def remove_watchlist_store(watchlist_id: str, domain: str) -> Request[None]:
    return Request("DELETE", f"{_watchlist_path(watchlist_id)}/stores/{segment(domain)}")


def create_webhook(
    url: str, event_types: Sequence[types.EventTypeName], options: CreateWebhookOptions
) -> Request[types.WebhookWithSecret]:
    body = {"url": url, "event_types": list(event_types), **_members(options)}
    return Request("POST", "/v1/webhooks", body=body)


def list_webhooks(options: ListWebhooksOptions) -> Listing[types.WebhookPage, types.Webhook]:
    return _list("/v1/webhooks", options)


def get_webhook(webhook_id: str) -> Request[types.Webhook]:
    return Request("GET", _webhook_path(webhook_id))


def update_webhook(webhook_id: str, options: UpdateWebhookOptions) -> Request[types.Webhook]:
    return Request("PATCH", _webhook_path(webhook_id), body=_members(options))


def delete_webhook(webhook_id: str) -> Request[None]:
    return Request("DELETE", _webhook_path(webhook_id))


def test_webhook(webhook_id: str, event_type: types.EventTypeName | None) -> Request[types.WebhookTested]:
    body = {} if event_type is None else {"type": event_type}
    return Request("POST", f"{_webhook_path(webhook_id)}/test", body=body)


def rotate_webhook_secret(webhook_id: str, overlap_hours: int) -> Request[types.WebhookWithSecret]:
    return Request("POST", f"{_webhook_path(webhook_id)}/rotate_secret", body={"overlap_hours": overlap_hours})


def replay_webhook(
    webhook_id: str,
    from_: str,
    to: str,
    only: types.WebhookReplayOnly,
    event_types: Sequence[types.EventTypeName] | None,
) -> Request[types.Job]:
    narrowed = {} if event_types is None else {"event_types": list(event_types)}
    body = {"from": from_, "to": to, "only": only, **narrowed}
    return Request("POST", f"{_webhook_path(webhook_id)}/replay", body=body)


def list_webhook_deliveries(
    webhook_id: str, options: ListWebhookDeliveriesOptions
) -> Listing[types.DeliveryPage, types.Delivery]:
    return _list(f"{_webhook_path(webhook_id)}/deliveries", options)


def list_deliveries(options: ListDeliveriesOptions) -> Listing[types.DeliveryPage, types.Delivery]:
    return _list("/v1/deliveries", options)


def get_delivery(delivery_id: str) -> Request[types.Delivery]:
    return Request("GET", _delivery_path(delivery_id))


def retry_delivery(delivery_id: str) -> Request[types.Delivery]:
    return Request("POST", f"{_delivery_path(delivery_id)}/retry")


def reset_test_tenant() -> Request[types.TestReset]:
    return Request("POST", "/v1/test/reset")


def append_test_event(event_type: types.EventTypeName, data: Mapping[str, Any] | None) -> Request[types.TestEvent]:
    body = {"type": event_type, **({} if data is None else {"data": dict(data)})}
    return Request("POST", "/v1/test/events", body=body)


def set_test_allowance(options: SetTestAllowanceOptions) -> Request[types.Period]:
    return Request("POST", "/v1/test/allowance", body=_members(options))


def list_technologies(options: ListTechnologiesOptions) -> Listing[types.TechnologyPage, types.Technology]:
    return _list("/v1/technologies", options)


def get_technology(slug: str) -> Request[types.TechnologyDetails]:
    return Request("GET", f"/v1/technologies/{segment(slug)}")


def get_account() -> Request[types.Account]:
    return Request("GET", "/v1/account")


def get_usage() -> Request[types.Usage]:
    return Request("GET", "/v1/usage")


def get_host() -> Request[types.HostDocument]:
    return Request("GET", "/")


def get_index() -> Request[types.ServiceIndex]:
    return Request("GET", "/v1")


def get_health() -> Request[types.Health]:
    return Request("GET", "/v1/health")


def get_openapi() -> Request[types.OpenapiDocument]:
    return Request("GET", "/v1/openapi.json")


def options_of_call(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of the call, without the members of the body."""
    return {name: value for name, value in options.items() if name in PostOptions.__optional_keys__}


def checked_domains(domains: object) -> None:
    """A text is a sequence of its letters, which nobody means."""
    if isinstance(domains, str):
        raise TypeError("domains must be a list of domains, not one text")


def _members(options: Mapping[str, Any]) -> dict[str, Any]:
    """The members of the body, without the options of the call. None is a value: it clears a member."""
    return {name: value for name, value in options.items() if name not in PostOptions.__optional_keys__}


def _add_stores(
    path: str, domains: Sequence[str] | None, stores: Sequence[types.StoreToAdd] | None
) -> Request[types.StoresAdded]:
    checked_domains(domains)
    body = {
        **({} if domains is None else {"domains": list(domains)}),
        **({} if stores is None else {"stores": list(stores)}),
    }
    return Request("POST", f"{path}/stores", body=body)


def _remove_stores(path: str, domains: Sequence[str]) -> Request[types.StoresRemoved]:
    checked_domains(domains)
    return Request("POST", f"{path}/stores/remove", body={"domains": list(domains)})


def _list(path: str, options: Mapping[str, Any], parameter: str = "cursor") -> Listing[P, T]:
    """Parameters that are keywords of Python end with `_` in the options, and not in the query.

    Commas separate several values.
    """
    given = {name: value for name, value in _members(options).items() if value is not None}
    return Listing(
        path,
        query={name.rstrip("_"): value if _is_one(value) else ",".join(value) for name, value in given.items()},
        options=options_of_call(options),
        parameter=parameter,
    )


def _is_one(value: object) -> bool:
    return isinstance(value, (str, int))


def _refresh(refresh: bool) -> dict[str, bool]:
    """False is left out, as by callers of the plain API: a key of idempotency belongs to the sent members."""
    return {"refresh": True} if refresh else {}


def _store_path(domain: str) -> str:
    return f"/v1/stores/{segment(domain)}"


def _job_path(job_id: str) -> str:
    return f"/v1/jobs/{segment(job_id)}"


def _list_path(list_id: str) -> str:
    return f"/v1/lists/{segment(list_id)}"


def _watchlist_path(watchlist_id: str) -> str:
    return f"/v1/watchlists/{segment(watchlist_id)}"


def _webhook_path(webhook_id: str) -> str:
    return f"/v1/webhooks/{segment(webhook_id)}"


def _delivery_path(delivery_id: str) -> str:
    return f"/v1/deliveries/{segment(delivery_id)}"
