"""Types of the API. Generated from docs/openapi.json: npm run generate --workspace @shopscope/client-python"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ._compat import NotRequired, TypedDict



Environment = Literal["live", "test"]


Scope = Literal[
    "read:stores",
    "read:signals",
    "write:scans",
    "read:watchlists",
    "write:watchlists",
    "read:webhooks",
    "write:webhooks",
    "read:jobs",
]


CatalogCoverage = Literal["first_page", "full", "none"]


CompactStoreStatus = Literal[
    "active_storefront",
    "password_protected",
    "redirected",
    "parked",
    "unreachable",
    "closed",
    "not_a_storefront",
]


EventTypeName = Literal[
    "signal.confirmed",
    "signal.retracted",
    "scan.completed",
    "scan.failed",
    "job.finished",
    "usage.threshold_reached",
    "key.expiring",
    "watchlist.paused",
    "watchlist.resumed",
    "watchlist.rescans_paused",
    "watchlist.rescans_resumed",
    "webhook.failing",
    "webhook.disabled",
]


DeliveryState = Literal["pending", "delivering", "succeeded", "retrying", "failed"]


DeliveryAttemptError = Literal[
    "dns_failure",
    "dns_unavailable",
    "blocked_address",
    "connection_refused",
    "connection_reset",
    "egress_broken",
    "tls_failure",
    "timeout",
    "invalid_response",
]


EnrichResultMatch = Literal["matched", "stale", "no_match", "error"]


EnrichJobResultReason = Literal[
    "not_in_corpus",
    "allowance_exhausted",
    "max_units_reached",
    "key_revoked",
    "workspace_suspended",
    "internal",
    "rate_limited",
    "unavailable",
]


EnrichResultReason = Literal["not_in_corpus", "invalid_domain"]


ErrorCode = Literal[
    "invalid_request",
    "unauthorized",
    "payment_required",
    "forbidden_scope",
    "not_found",
    "conflict",
    "rate_limited",
    "internal",
    "not_implemented",
    "concurrency_limited",
    "unavailable",
]


BillingUnit = Literal["lookup_cached", "lookup_live", "history_query", "refresh_requested"]


HealthStatus = Literal["ok", "degraded"]


HistorySignalType = Literal[
    "technology_added",
    "technology_removed",
    "install_state_changed",
    "platform_changed",
    "status_changed",
]


HistorySignalConfidence = Literal["high", "medium", "low"]


HistorySignalRetractedReason = Literal["technology_seen_again", "platform_seen_again", "status_seen_again"]


JobType = Literal["scan", "enrich", "replay", "export"]


JobState = Literal["queued", "running", "succeeded", "failed", "canceled"]


JobErrorCode = Literal[
    "lease_lost",
    "observation_lost",
    "abandoned",
    "scanner_stopping",
    "publish_failed",
    "scanner_fault",
    "dns_unavailable",
    "egress_broken",
    "opted_out",
    "visit_too_long",
    "expired",
    "rejected",
    "unreachable",
    "dns_failure",
    "connection_refused",
    "connection_reset",
    "tls_failure",
    "timeout",
    "server_error",
    "too_many_redirects",
    "blocked_address",
    "invalid_response",
    "robots_disallowed",
    "robots_unavailable",
    "forbidden",
    "rate_limited",
    "not_examinable",
    "challenged",
    "waiting_room",
    "consent_wall",
    "age_wall",
    "login_wall",
    "interstitial_page",
    "maintenance_page",
    "empty_page",
    "error_page",
    "redirect_page",
    "undecodable",
    "not_html",
    "internal",
    "allowance_exhausted",
    "max_units_reached",
    "key_revoked",
    "workspace_suspended",
    "edition_ended",
]


MatchedTechnologyInstallState = Literal["configured", "active", "inactive"]


MatchedTechnologySince = Literal["observed", "at_first_scan"]


ObservationScope = Literal["full", "partial"]


OpenapiDocument = dict[str, Any]


RelatedResourceType = Literal["store", "job", "watchlist", "webhook"]


ScanJobResultState = Literal["succeeded", "failed"]


StoreGeographyBasis = Literal["observed", "declared", "inferred", "unknown"]


StoreIndustryBasis = Literal["classified", "declared", "unknown"]


StoreAmountRelation = Literal["eq", "lt", "approx"]


StoreExportRequestSort = Literal["domain", "-last_completed_scan_at", "-product_count", "-last_changed_at"]


StoreExportRequestFormat = Literal["ndjson", "csv"]


StoreExportRequestColumns = Literal["default", "hubspot", "salesforce"]


StoreExportRequestColumnsItem = Literal[
    "domain",
    "storefront_id",
    "matched",
    "dropped",
    "changed_since_edition",
    "store.name",
    "store.storefront_host",
    "store.profile_url",
    "store.brand_group_id",
    "store.platform.slug",
    "store.platform.name",
    "store.platform.confidence",
    "store.platform.first_observed_at",
    "store.platform.last_confirmed_at",
    "store.geography.country",
    "store.geography.basis",
    "store.industry.slug",
    "store.industry.basis",
    "store.status.state",
    "store.status.as_of",
    "store.catalog.product_count",
    "store.catalog.available_count",
    "store.catalog.coverage",
    "store.catalog.currency",
    "store.catalog.price_range.p25",
    "store.catalog.price_range.median",
    "store.catalog.price_range.p75",
    "store.catalog.as_of",
    "store.technologies",
    "store.recent_signals",
    "store.observation.scope",
    "store.observation.coverage_note",
    "store.observation.last_completed_scan_at",
]


StoreAddedResult = Literal["added", "present", "invalid_domain"]


StoreSearchRequestView = Literal["full", "compact"]


StoreRemovedResult = Literal["removed", "absent", "invalid_domain"]


StoreWhereTechnologiesItemAnyKind = Literal["app", "service", "theme"]


TechnologyKind = Literal["platform", "app", "service", "theme"]


WatchlistState = Literal["active", "paused"]


WatchlistRescansPaused = Literal["budget_exhausted", "allowance_exhausted", "key_revoked"]


WebhookState = Literal["active", "paused", "disabled"]


WebhookDisabledReason = Literal["gone", "no_success"]


WebhookReplayOnly = Literal["failed", "all"]


ListTechnologiesQuerySort = Literal["slug", "-stores"]


GetStoreHistoryQueryInclude = Literal["retracted"]


SearchSignalsQueryOrder = Literal["desc", "asc"]


ListEventsQueryOrder = Literal["asc", "desc"]


class Account(TypedDict):
    key: AccountKey
    """The key of this request"""
    workspace: AccountWorkspace
    """Whom the key belongs to: usage, limits and bills are its own"""
    plan: AccountPlan
    """The plan, its limits and its quotas"""
    period: Period


class AccountKey(TypedDict):
    """The key of this request"""

    id: str
    """Opaque, prefix key_"""
    label: str
    """Name that the key was given"""
    prefix: str
    """Tag and first four characters of the secret; safe to log"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    scopes: list[Scope | str]
    """What the key may do"""
    expires_at: str | None
    """ISO 8601, UTC; null when the key does not expire"""


class AccountWorkspace(TypedDict):
    """Whom the key belongs to: usage, limits and bills are its own"""

    id: str
    """Opaque, prefix ws_"""
    name: str
    """Name of the workspace"""


class AccountPlan(TypedDict):
    """The plan, its limits and its quotas"""

    slug: str
    """The plan of the workspace"""
    limits: AccountPlanLimits
    """The limits of the plan"""
    quotas: AccountPlanQuotas
    """What the workspace may keep at one time"""


class AccountPlanLimits(TypedDict):
    """The limits of the plan"""

    concurrency: int
    """Simultaneous requests of one key"""
    enrich_batch_max: int
    """Domains per enrich batch"""
    freshness_days: int
    """Whole days after which a profile is stale; 0: always"""
    history_days: int
    """Whole days that history reaches back"""
    live_refreshes_per_period: int
    """Scans that refresh may queue in a period"""
    rpm: int
    """Requests per minute of one key"""


class AccountPlanQuotas(TypedDict):
    """What the workspace may keep at one time"""

    lists: int
    """Lists of the workspace"""
    list_stores: int
    """Stores in all lists together; a store in two lists counts twice"""
    watchlists: int
    """Watchlists of the workspace"""
    watched_stores: int
    """Stores in all watchlists together; a store in two watchlists counts twice"""
    webhooks: int
    """Webhook endpoints of the workspace"""


class Authentication(TypedDict):
    """How a request carries its key."""

    header: str
    """The header that carries the key"""
    keys_url: str
    """Page where admins create and revoke keys"""
    scheme: Literal["bearer"]
    """Precedes the key: Bearer <API_KEY>"""


class Billed(TypedDict):
    """Units that this call billed."""

    lookup_cached: int
    """Matched and stale results"""
    lookup_live: int
    """Scans that this call has queued"""


class Catalog(TypedDict):
    """What the store sells: number of products and prices, without the products themselves."""

    as_of: str
    """The scan that the figures are of. ISO 8601, UTC"""
    product_count: int
    """Products of the catalogue, as far as coverage says"""
    available_count: int | None
    """Of these, products that can be bought; null when it is not known"""
    coverage: CatalogCoverage | str
    """Open-ended; today one of: first_page, full, none. `first_page`: only the first products of the catalogue were
    read; counts and prices are of these, unless the store itself gives the total. `full`: the whole catalogue was
    read. `none`: no catalogue was seen; counts and prices are 0 and mean nothing."""
    currency: str
    """ISO 4217 code; XXX when no catalogue was seen"""
    price_range: CatalogPriceRange
    """Prices of the products, in currency"""


class CatalogPriceRange(TypedDict):
    """Prices of the products, in currency"""

    median: float
    """Half of the products cost at most this"""
    p25: float
    """A quarter of the products cost at most this"""
    p75: float
    """Three quarters of the products cost at most this"""


class CompactStore(TypedDict):
    """A row of a list."""

    name: str
    """Name of the store, in its own words"""
    platform: str
    """Platform slug"""
    country: str
    """ISO 3166-1 alpha-2; ZZ when unknown"""
    industry: str
    """Industry slug"""
    status: CompactStoreStatus | str
    """Open-ended; today one of: active_storefront, password_protected, redirected, parked, unreachable, closed,
    not_a_storefront. `active_storefront`: a shop that trades. `password_protected`: the shop is behind a password
    page. `redirected`: the domain leads to another site. `parked`: the domain is parked or for sale. `unreachable`:
    the site did not answer, or answered with an error. `closed`: the shop says that it is closed, or its page is
    gone. `not_a_storefront`: a site that answers and shows no shop."""
    last_completed_scan_at: str
    """The end of the scan that the profile is of. ISO 8601, UTC"""


class Delivery(TypedDict):
    id: str
    """Opaque, prefix dlv_"""
    webhook_id: str
    """Opaque, prefix whk_"""
    event_id: str
    """The webhook-id of the message, the same in every attempt and replay"""
    event_type: EventTypeName | str
    """Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished,
    usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused,
    watchlist.rescans_resumed, webhook.failing, webhook.disabled."""
    sequence: int
    """The sequence of the event"""
    state: DeliveryState | str
    """Open-ended; today one of: pending, delivering, succeeded, retrying, failed. `pending`: an attempt is due: the
    first one, or one more after a retry or a replay. `delivering`: an attempt is in progress. `succeeded`: the last
    attempt got a 2xx response. `retrying`: the last attempt failed, and next_attempt_at has the next one. `failed`:
    there is no further attempt."""
    attempts: list[DeliveryAttempt]
    """The latest 30, in their order"""
    next_attempt_at: str | None
    """ISO 8601, UTC"""
    created_at: str
    """ISO 8601, UTC"""


class DeliveryAttempt(TypedDict):
    at: str
    """ISO 8601, UTC"""
    status: int | None
    """The HTTP status; null when no response came"""
    error: DeliveryAttemptError | str | None
    """Open-ended; today one of: dns_failure, dns_unavailable, blocked_address, connection_refused, connection_reset,
    egress_broken, tls_failure, timeout, invalid_response. null when a response came. `dns_failure`: the host name
    has no address. `dns_unavailable`: the host name could not be resolved. `blocked_address`: the host does not have
    public addresses only. `connection_refused`: the server did not accept the connection. `connection_reset`: the
    server closed the connection before the end of its response. `egress_broken`: the server could not be reached
    from our network. `tls_failure`: the server has no TLS 1.2 or later, or no valid certificate of the host name.
    `timeout`: the response did not end within 15 s. `invalid_response`: the response is not valid HTTP."""
    latency_ms: int
    body_excerpt: str
    """The first bytes of the response, at most 1,024. It is text of the receiver: escape it before it is shown"""


class DeliveryPage(TypedDict):
    data: list[Delivery]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


class DroppedTechnology(TypedDict):
    """A removal that fits a clause of the query."""

    technology: str
    """Technology slug"""
    signal_id: str
    """Opaque, prefix evt_"""
    effective_at: str
    """The scan that missed it first. ISO 8601, UTC"""
    confirmed_at: str
    """The scan that confirmed it. ISO 8601, UTC"""


class Edition(TypedDict):
    """A frozen view of all stores, which all callers share. Pages of one cursor are of one edition, which lasts up
    to 24 hours."""

    id: str
    """Opaque, prefix edn_"""
    built_at: str
    """What it is the state of. ISO 8601, UTC"""


class EnrichJobResult(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    external_id: str | None
    """The external id of the store in the list when the job began; null without one"""
    input: str
    """The domain"""
    match: EnrichResultMatch
    """`matched`: the store is known and its profile is fresh. `stale`: the store is known, but its last completed
    scan is older than plan.limits.freshness_days; store is the whole profile, and it is billed as matched.
    `no_match`: the domain is unknown, which does not mean that the site is not a store; free. `error`: reason says
    why; free."""
    reason: EnrichJobResultReason | str | None
    """Open-ended; today one of: not_in_corpus, allowance_exhausted, max_units_reached, key_revoked,
    workspace_suspended, internal, rate_limited, unavailable. `not_in_corpus`: with no_match: the domain is unknown,
    which does not mean that the site is not a store. `allowance_exhausted`: with error: the allowance ended before
    the store was looked up. `max_units_reached`: with error: max_units of the request was reached before the store
    was looked up. `key_revoked`: with error: the key that started the job was revoked, expired or lost a scope
    before the store was looked up. `workspace_suspended`: with error: the workspace was suspended before the store
    was looked up. `internal`: with error: a fault of the service. `rate_limited`: with error: a store of the test
    tenant that stands for this error. `unavailable`: with error: a store of the test tenant that stands for this
    error."""
    scan_requested: bool
    """true: a scan of this domain was queued, or this workspace already had one"""
    scan_job_id: str | None
    """The job of the scan, which GET /v1/jobs/{job_id} reads"""
    store: Store | None
    """null with no_match and error"""


class EnrichRequest(TypedDict):
    domains: list[str]
    """Hostnames or http(s) URLs; at most plan.limits.enrich_batch_max"""
    refresh: NotRequired[bool]
    """true queues a scan of every unknown or stale domain, one lookup_live each, which stays billed when the scan
    fails; needs the scope write:scans"""


class EnrichResponse(TypedDict):
    request_id: str
    """Prefix req_, or the X-Request-Id that was sent"""
    billed: Billed
    results: list[EnrichResult]
    """Same order and length as domains"""


class EnrichResult(TypedDict):
    input: str
    """The input as sent"""
    match: EnrichResultMatch
    """`matched`: the store is known and its profile is fresh. `stale`: the store is known, but its last completed
    scan is older than plan.limits.freshness_days; store is the whole profile, and it is billed as matched.
    `no_match`: the domain is unknown, which does not mean that the site is not a store; free. `error`: the input is
    not a domain; free."""
    reason: EnrichResultReason | str | None
    """Open-ended; today one of: not_in_corpus, invalid_domain. `not_in_corpus`: with no_match: the domain is
    unknown, which does not mean that the site is not a store. `invalid_domain`: with error: the input is not a
    domain."""
    scan_requested: bool
    """true: a scan of this domain was queued, or this workspace already had one"""
    scan_job_id: str | None
    """The job of the scan, which GET /v1/jobs/{job_id} reads"""
    store: Store | None
    """null with no_match and error"""


class Error(TypedDict):
    error: ErrorDetail


class ErrorDetail(TypedDict):
    code: ErrorCode | str
    """Open-ended; today one of: invalid_request, unauthorized, payment_required, forbidden_scope, not_found,
    conflict, rate_limited, internal, not_implemented, concurrency_limited, unavailable."""
    message: str
    request_id: str
    """Prefix req_, or the X-Request-Id that was sent"""
    reset_at: NotRequired[str]
    """With payment_required: when the period ends"""
    unit: NotRequired[BillingUnit | str]
    """Open-ended; today one of: lookup_cached, lookup_live, history_query, refresh_requested. With payment_required:
    the unit of which too few are left."""


class Event(TypedDict):
    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: EventTypeName | str
    """Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished,
    usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused,
    watchlist.rescans_resumed, webhook.failing, webhook.disabled. `signal.confirmed`: a signal of a store in an
    active watchlist was confirmed. `signal.retracted`: a confirmed signal of a store in an active watchlist was
    refuted by the next full scan. `scan.completed`: a scan job of the workspace has succeeded. `scan.failed`: a scan
    job of the workspace has failed. `job.finished`: a bulk job has ended. `usage.threshold_reached`: a percentage of
    a unit of the allowance is used. `key.expiring`: an API key expires in 7 days or in one day, and was made earlier
    than that. `watchlist.paused`: a person has paused a watchlist: neither rescans nor signals. `watchlist.resumed`:
    a person has made a watchlist active again. `watchlist.rescans_paused`: a watchlist has no more rescans for now;
    its signals continue. `watchlist.rescans_resumed`: the rescans of a watchlist continue. `webhook.failing`: a
    webhook had no success for 24 hours and at least 5 failed attempts. `webhook.disabled`: a webhook was disabled
    after failed attempts; what it missed can be replayed."""
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: dict[str, Any]
    """The members depend on the type: GET /v1/event_types lists them"""


class EventPage(TypedDict):
    data: list[Event]
    """The events of this page"""
    next_cursor: str | None
    """The after of the next page; with order=asc never null, with order=desc always"""
    has_more: bool
    """Whether more events follow now; a page may have fewer events than limit. With order=desc also true when older
    events were not examined: a page examines at most 10,000"""


class EventType(TypedDict):
    type: EventTypeName | str
    """Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished,
    usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused,
    watchlist.rescans_resumed, webhook.failing, webhook.disabled."""
    description: str
    """What has happened"""
    scope: str
    """The scope that reads events of this type"""
    schema: dict[str, Any]
    """JSON Schema of the whole event"""
    example: Event


class EventTypePage(TypedDict):
    data: list[EventType]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


ExportContent = str


class ExportPart(TypedDict):
    """A part of an export."""

    part: int
    """Number, from 1. The parts in their order are the file"""
    rows: int
    bytes: int
    """Of the uncompressed part"""
    sha256: str
    """Of the uncompressed part, hexadecimal"""
    url: str
    """GET /v1/jobs/{job_id}/parts/{part}"""


class GraphqlRequest(TypedDict):
    query: str
    """The document; at most 5,000 tokens, 50 aliases and a depth of 8"""
    operationName: NotRequired[str | None]
    """The operation to execute, if the document has several"""
    variables: NotRequired[dict[str, Any] | None]
    """The values of the variables; 2,000 at most"""
    extensions: NotRequired[GraphqlRequestExtensions | None]


class GraphqlRequestExtensions(TypedDict):
    maxUnits: NotRequired[GraphqlRequestExtensionsMaxUnits]
    """The most units that the document may bill. A document that could bill more answers 400"""
    dryRun: NotRequired[bool]
    """true answers extensions.cost only, and bills nothing"""


class GraphqlRequestExtensionsMaxUnits(TypedDict):
    """The most units that the document may bill. A document that could bill more answers 400"""

    lookup_cached: NotRequired[int]
    history_query: NotRequired[int]


class GraphqlResponse(TypedDict):
    data: NotRequired[dict[str, Any]]
    """The members that the document asks for; absent with dryRun"""
    extensions: GraphqlResponseExtensions


class GraphqlResponseExtensions(TypedDict):
    cost: GraphqlResponseExtensionsCost
    """The cost of the document"""


class GraphqlResponseExtensionsCost(TypedDict):
    """The cost of the document"""

    requested: GraphqlResponseExtensionsCostRequested
    """The most that the document could bill"""
    billed: GraphqlResponseExtensionsCostBilled
    """What it has billed"""
    nodes: GraphqlResponseExtensionsCostNodes
    """The size of the document"""


class GraphqlResponseExtensionsCostRequested(TypedDict):
    """The most that the document could bill"""

    lookup_cached: int
    """Profiles"""
    history_query: int
    """Pages of history or signals"""


class GraphqlResponseExtensionsCostBilled(TypedDict):
    """What it has billed"""

    lookup_cached: int
    """Profiles"""
    history_query: int
    """Pages of history or signals"""


class GraphqlResponseExtensionsCostNodes(TypedDict):
    """The size of the document"""

    requested: int
    """The stores and rows that the document asks for"""
    limit: int
    """The most of them"""


GraphqlSchema = str


class Health(TypedDict):
    status: HealthStatus
    """`ok`: all parts that requests need respond. `degraded`: requests are answered, but a part of the service does
    not respond."""
    version: str
    """Version of the contract"""


class History(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    observation: Observation | None
    """Null on a page without rows, which is free"""
    window: HistoryWindow
    """The effective_at that the pages cover, both ends inclusive; the same on every page. An empty one ends where it
    begins"""
    data: list[HistorySignal]
    """Newest effective_at first, then the larger id"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


HistoryWindow = TypedDict(
    "HistoryWindow",
    {
        "from": "str",
        "to": "str",
        "truncated_by_plan": "bool",
    },
)


HistorySignal = TypedDict(
    "HistorySignal",
    {
        "id": "str",
        "type": "HistorySignalType | str",
        "technology": "str",
        "from": "str | None",
        "to": "str | None",
        "confidence": "HistorySignalConfidence | str",
        "effective_at": "str",
        "confirmed_at": "str",
        "retracted_at": "str | None",
        "retracted_reason": "HistorySignalRetractedReason | str | None",
    },
)


class HostDocument(TypedDict):
    name: str
    """Name of the service"""
    description: str
    """What it does, in a sentence"""
    documentation_url: str
    """Documentation for people"""
    graphql: HostDocumentGraphql
    """The GraphQL endpoint"""
    rest: HostDocumentRest
    """The HTTP API"""


class HostDocumentGraphql(TypedDict):
    """The GraphQL endpoint"""

    url: str
    """Address of the GraphQL endpoint"""
    access: str
    """What it needs"""


class HostDocumentRest(TypedDict):
    """The HTTP API"""

    base_url: str
    """Address that paths begin with"""
    openapi_url: str
    """The contract as OpenAPI document"""
    version: str
    """Version of the contract"""
    authentication: Authentication


class Job(TypedDict):
    id: str
    """Opaque, prefix job_"""
    type: JobType | str
    """Open-ended; today one of: scan, enrich, replay, export. `scan`: one scan of a domain. `enrich`: the profiles
    of the stores of a list. `replay`: events are delivered to a webhook again. `export`: the stores of a search, as
    parts of a file."""
    state: JobState | str
    """Open-ended; today one of: queued, running, succeeded, failed, canceled. `queued`: the job waits for its turn,
    or for another attempt. `running`: the site is being visited, or the observation is being recorded; of an
    enrichment: stores are being looked up; of a replay: events are being queued for delivery; of an export: rows are
    being written. `succeeded`: GET /v1/stores/{domain} shows the observation; of an enrichment: every store has its
    result; of a replay: every event is queued; of an export: every part is there. `failed`: error says why.
    `canceled`: by POST /v1/jobs/{job_id}/cancel, by the deletion of its list or watchlist, or by the removal of its
    store from the watchlist."""
    domain: str | None
    """The domain of a scan, or null for a job with several domains"""
    progress: JobProgress
    """The progress of the job, in domains; of a replay, in events; of an export, in rows"""
    attempts: int
    """Visits that counted; at most 3. 0 for other jobs"""
    billed: UsageCounters
    """What the job bills, once. A scan bills in the period of the request that made it; one that is canceled while
    queued bills nothing, and a request that joins it adds nothing. Of an enrichment or export: what its results so
    far have billed."""
    error: JobError | None
    """Why the job failed; null in other states"""
    created_at: str
    """ISO 8601, UTC: when the request that made it came"""
    started_at: str | None
    """ISO 8601, UTC: when the first visit began"""
    finished_at: str | None
    """ISO 8601, UTC: when it reached its last state"""
    expires_at: str | None
    """ISO 8601, UTC: when a job that is no scan is deleted, 30 days after its end. null before its end, and of a
    scan, which is kept for 90 days after its end"""


class JobProgress(TypedDict):
    """The progress of the job, in domains; of a replay, in events; of an export, in rows"""

    total: int
    """All domains, events or rows of the job. Of an export that has not succeeded, the total of a count, which may
    be rounded or hidden"""
    done: int
    """Those that have a result"""
    failed: int
    """Those whose result is an error"""


class JobError(TypedDict):
    code: JobErrorCode | str
    """Open-ended; today one of: lease_lost, observation_lost, abandoned, scanner_stopping, publish_failed,
    scanner_fault, dns_unavailable, egress_broken, opted_out, visit_too_long, expired, rejected, unreachable,
    dns_failure, connection_refused, connection_reset, tls_failure, timeout, server_error, too_many_redirects,
    blocked_address, invalid_response, robots_disallowed, robots_unavailable, forbidden, rate_limited,
    not_examinable, challenged, waiting_room, consent_wall, age_wall, login_wall, interstitial_page,
    maintenance_page, empty_page, error_page, redirect_page, undecodable, not_html, internal, allowance_exhausted,
    max_units_reached, key_revoked, workspace_suspended, edition_ended. `lease_lost`: The scan failed on every
    attempt. The last attempt was interrupted. Asking for the scan again can help. `observation_lost`: The scan
    failed on every attempt. The last observation did not reach the corpus. Asking for the scan again can help.
    `abandoned`: The scan failed on every attempt. Asking for the scan again can help. `scanner_stopping`: The scan
    failed on every attempt. The last attempt was interrupted. Asking for the scan again can help. `publish_failed`:
    The scan failed on every attempt. The last observation could not be recorded. Asking for the scan again can help.
    `scanner_fault`: The scan failed on every attempt. The last attempt ended with an internal error. Asking for the
    scan again can help. `dns_unavailable`: No name server answered for the domain or a redirect target, so the store
    was not visited in time. Asking for the scan again can help later. `egress_broken`: Our access to the web was
    interrupted, so the store was not visited in time. Asking for the scan again can help. `opted_out`: The owner of
    the store, or of a site to which it redirects, does not want automatic visits. Asking for the scan again does not
    help until the store or its domain changes. `visit_too_long`: The store, or a site to which it redirects, needs
    more requests than one visit may send. Asking for the scan again does not help until the store or its domain
    changes. `expired`: The scan was not carried out in time. Asking for the scan again can help. `rejected`: The
    store could not be observed. Asking for the scan again can help. `unreachable`: The store could not be reached.
    Asking for the scan again can help later. `dns_failure`: The domain or a redirect target does not resolve. Asking
    for the scan again does not help until the store or its domain changes. `connection_refused`: The store did not
    accept a connection. Asking for the scan again can help later. `connection_reset`: The connection to the store
    was closed unexpectedly. Asking for the scan again can help later. `tls_failure`: No secure connection to the
    store was possible. Asking for the scan again can help later. `timeout`: The store did not respond in time.
    Asking for the scan again can help later. `server_error`: The store responded with a server error (HTTP 5xx).
    Asking for the scan again can help later. `too_many_redirects`: The store redirects in a loop or too many times.
    Asking for the scan again does not help until the store or its domain changes. `blocked_address`: The domain or a
    redirect target has a non-public address or name, or a port or scheme that is not visited. Asking for the scan
    again does not help until the store or its domain changes. `invalid_response`: The store sent an invalid response
    or an invalid redirect. Asking for the scan again can help later. `robots_disallowed`: The store's robots.txt
    does not allow the visit. Asking for the scan again does not help until the store or its domain changes.
    `robots_unavailable`: The store's robots.txt could not be read, so the store was not visited. Asking for the scan
    again can help later. `forbidden`: The store denied access (HTTP 401, 403 or 451). Asking for the scan again does
    not help until the store or its domain changes. `rate_limited`: The store responded with HTTP 429 (too many
    requests). Asking for the scan again can help later. `not_examinable`: The store sent contents that need too much
    time or memory to examine. Asking for the scan again does not help until the store or its domain changes.
    `challenged`: A bot protection asked the visitor for a proof in place of the store. The scan was carried out and
    stays billed. Another scan may help after some days. Asking for the scan again can help later. `waiting_room`: A
    waiting room answered in place of the store. The scan was carried out and stays billed. Another scan may help
    after some hours. Asking for the scan again can help later. `consent_wall`: A page that asks for consent answered
    in place of the store. The scan was carried out and stays billed. Another scan helps only when the store has
    changed this. Asking for the scan again does not help until the store or its domain changes. `age_wall`: A page
    that asks for the age of the visitor answered in place of the store. The scan was carried out and stays billed.
    Another scan helps only when the store has changed this. Asking for the scan again does not help until the store
    or its domain changes. `login_wall`: A page that asks for an account answered in place of the store. The scan was
    carried out and stays billed. Another scan helps only when the store has changed this. Asking for the scan again
    does not help until the store or its domain changes. `interstitial_page`: A page of another site, with a return
    URL to the store, answered in place of the store. The scan was carried out and stays billed. Another scan may
    help after some days. Asking for the scan again can help later. `maintenance_page`: The store says that it opens
    soon, or comes back. The scan was carried out and stays billed. Another scan may help after some hours. Asking
    for the scan again can help later. `empty_page`: The store answered with an empty page. The scan was carried out
    and stays billed. Another scan may help after some hours. Asking for the scan again can help later. `error_page`:
    An error text, or the default page of a server, answered in place of the store. The scan was carried out and
    stays billed. Another scan may help after some hours. Asking for the scan again can help later. `redirect_page`:
    The store answered with a page that only leads to another address. The scan was carried out and stays billed.
    Another scan helps only when the store has changed this. Asking for the scan again does not help until the store
    or its domain changes. `undecodable`: The store answered in an encoding that it does not declare, or with binary
    contents. The scan was carried out and stays billed. Another scan may help after some days. Asking for the scan
    again can help later. `not_html`: The store answered with something else than a web page. The scan was carried
    out and stays billed. Another scan may help after some days. Asking for the scan again can help later.
    `internal`: The job could not continue.. `allowance_exhausted`: The allowance ended before the job did. What is
    done stays.. `max_units_reached`: The job reached its bound of units. What is done stays.. `key_revoked`: The key
    that started the job was revoked, expired or lost a scope. What is done stays.. `workspace_suspended`: The
    workspace was suspended. What is done stays.. `edition_ended`: The view of the stores that the job read has
    ended. What is done stays.."""
    message: str
    """What happened, as a sentence; its wording may change"""


class JobFinishedEvent(TypedDict):
    """A bulk job has ended."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["job.finished"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: JobFinishedEventData


class JobFinishedEventData(TypedDict):
    job_id: str
    """Opaque, prefix job_"""
    type: JobType | str
    """Open-ended; today one of: scan, enrich, replay, export. `scan`: one scan of a domain. `enrich`: the profiles
    of the stores of a list. `replay`: events are delivered to a webhook again. `export`: the stores of a search, as
    parts of a file."""
    state: JobState | str
    """Open-ended; today one of: queued, running, succeeded, failed, canceled. `queued`: the job waits for its turn,
    or for another attempt. `running`: the site is being visited, or the observation is being recorded; of an
    enrichment: stores are being looked up; of a replay: events are being queued for delivery; of an export: rows are
    being written. `succeeded`: GET /v1/stores/{domain} shows the observation; of an enrichment: every store has its
    result; of a replay: every event is queued; of an export: every part is there. `failed`: error says why.
    `canceled`: by POST /v1/jobs/{job_id}/cancel, by the deletion of its list or watchlist, or by the removal of its
    store from the watchlist."""
    progress: JobFinishedEventDataProgress
    """The progress of the job, in domains; of a replay, in events; of an export, in rows"""
    finished_at: str
    """ISO 8601, UTC: when the job has ended"""


class JobFinishedEventDataProgress(TypedDict):
    """The progress of the job, in domains; of a replay, in events; of an export, in rows"""

    total: int
    """All domains, events or rows of the job. Of an export that has not succeeded, the total of a count, which may
    be rounded or hidden"""
    done: int
    """Those that have a result"""
    failed: int
    """Those whose result is an error"""


class JobFinishedMessage(TypedDict):
    type: Literal["job.finished"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: JobFinishedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class JobFinishedMessageData(TypedDict):
    job_id: NotRequired[str]
    """Opaque, prefix job_"""
    type: NotRequired[JobType | str]
    """Open-ended; today one of: scan, enrich, replay, export. `scan`: one scan of a domain. `enrich`: the profiles
    of the stores of a list. `replay`: events are delivered to a webhook again. `export`: the stores of a search, as
    parts of a file."""
    state: NotRequired[JobState | str]
    """Open-ended; today one of: queued, running, succeeded, failed, canceled. `queued`: the job waits for its turn,
    or for another attempt. `running`: the site is being visited, or the observation is being recorded; of an
    enrichment: stores are being looked up; of a replay: events are being queued for delivery; of an export: rows are
    being written. `succeeded`: GET /v1/stores/{domain} shows the observation; of an enrichment: every store has its
    result; of a replay: every event is queued; of an export: every part is there. `failed`: error says why.
    `canceled`: by POST /v1/jobs/{job_id}/cancel, by the deletion of its list or watchlist, or by the removal of its
    store from the watchlist."""
    progress: NotRequired[JobFinishedMessageDataProgress]
    """The progress of the job, in domains; of a replay, in events; of an export, in rows"""
    finished_at: NotRequired[str]
    """ISO 8601, UTC: when the job has ended"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class JobFinishedMessageDataProgress(TypedDict):
    """The progress of the job, in domains; of a replay, in events; of an export, in rows"""

    total: int
    """All domains, events or rows of the job. Of an export that has not succeeded, the total of a count, which may
    be rounded or hidden"""
    done: int
    """Those that have a result"""
    failed: int
    """Those whose result is an error"""


class JobPage(TypedDict):
    data: list[Job]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


class JobResults(TypedDict):
    data: list[JobResult]
    """The results that exist, in the order of the domains. A scan has one ScanJobResult after it has succeeded or
    failed. An enrichment has an EnrichJobResult for each store that is done, and an export an ExportPart for each
    part, even while the job is running."""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


class KeyExpiringEvent(TypedDict):
    """An API key expires in 7 days or in one day, and was made earlier than that."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["key.expiring"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: KeyExpiringEventData


class KeyExpiringEventData(TypedDict):
    key_id: str
    """Opaque, prefix key_"""
    days_left: int
    """7 or 1"""
    expires_at: str
    """When the key expires. ISO 8601, UTC"""


class KeyExpiringMessage(TypedDict):
    type: Literal["key.expiring"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: KeyExpiringMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class KeyExpiringMessageData(TypedDict):
    key_id: NotRequired[str]
    """Opaque, prefix key_"""
    days_left: NotRequired[int]
    """7 or 1"""
    expires_at: NotRequired[str]
    """When the key expires. ISO 8601, UTC"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class List(TypedDict):
    id: str
    """Opaque, prefix lst_"""
    name: str
    store_count: int
    """Its stores"""
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC: the latest change of its members or of its stores"""


class ListCreate(TypedDict):
    name: str


class ListEnrichQuote(TypedDict):
    matched: int
    """Stores with a fresh profile"""
    stale: int
    """Stores with a stale profile"""
    unknown: int
    """Stores without a profile"""
    quote: UsageCounters
    """What the job would bill now"""


class ListEnrichRequest(TypedDict):
    refresh: NotRequired[bool]
    """true queues a scan of every unknown or stale store, one lookup_live each; needs the scope write:scans"""
    max_units: NotRequired[int]
    """The most units that the job may bill, of all kinds together. A larger quote answers 400"""
    dry_run: NotRequired[bool]
    """true answers what the job would bill, and starts none"""


class ListPage(TypedDict):
    data: list[List]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


class ListUpdate(TypedDict):
    name: NotRequired[str]


class MatchedTechnology(TypedDict):
    """A technology that fits a clause of the query."""

    technology: str
    """Technology slug"""
    install_state: MatchedTechnologyInstallState | str
    """Open-ended; today one of: configured, active, inactive. `configured`: loaded or set up, but never seen
    working. `active`: seen working. `inactive`: was active before, is still set up, and is no longer seen working."""
    since: MatchedTechnologySince | str
    """Open-ended; today one of: observed, at_first_scan. `observed`: an earlier scan did not see it.
    `at_first_scan`: the first scan of the store saw it, so it may be older."""
    first_observed_at: str
    """The scan that saw it first since it was absent. ISO 8601, UTC"""
    last_confirmed_at: str
    """The latest scan that saw it. ISO 8601, UTC"""


class MemberStore(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    external_id: str | None
    """Your own id of the store; null without one"""
    added_at: str
    """ISO 8601, UTC"""


class MemberStorePage(TypedDict):
    data: list[MemberStore]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


class Observation(TypedDict):
    """The latest completed scan, and what it could see."""

    coverage_note: str | None
    """What could not be seen or is not listed (always with scope partial), that the name is only the domain, what
    was looked at, and which changes are not confirmed yet and from when a scan can confirm them; in words"""
    last_completed_scan_at: str
    """The end of the scan that the profile is of. ISO 8601, UTC"""
    scope: ObservationScope | str
    """Open-ended; today one of: full, partial. `full`: the home page was seen completely and the listing was tried;
    coverage_note names what else was looked at; a technology that is not listed may be treated as absent. `partial`:
    a part could not be seen or is not listed, and coverage_note says which; a technology that is not listed may
    still be there."""


class Period(TypedDict):
    """The billing period: a calendar month in UTC."""

    starts_at: str
    """ISO 8601, UTC"""
    ends_at: str
    """When used begins again with 0. ISO 8601, UTC"""
    included: UsageCounters
    """The plan's allowance"""
    used: UsageCounters
    """What was used, updated within five minutes"""


class RelatedResource(TypedDict):
    type: RelatedResourceType | str
    """Open-ended; today one of: store, job, watchlist, webhook."""
    id: str
    """The id of the resource"""
    url: str
    """Where the resource is read"""


class ScanCompletedEvent(TypedDict):
    """A scan job of the workspace has succeeded."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["scan.completed"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: ScanCompletedEventData


class ScanCompletedEventData(TypedDict):
    job_id: str
    """Opaque, prefix job_"""
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    finished_at: str
    """ISO 8601, UTC: when the job has ended"""


class ScanCompletedMessage(TypedDict):
    type: Literal["scan.completed"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: ScanCompletedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class ScanCompletedMessageData(TypedDict):
    job_id: NotRequired[str]
    """Opaque, prefix job_"""
    domain: NotRequired[str]
    """Canonical registrable domain, A-labels, lower case"""
    finished_at: NotRequired[str]
    """ISO 8601, UTC: when the job has ended"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class ScanFailedEvent(TypedDict):
    """A scan job of the workspace has failed."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["scan.failed"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: ScanFailedEventData


class ScanFailedEventData(TypedDict):
    job_id: str
    """Opaque, prefix job_"""
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    finished_at: str
    """ISO 8601, UTC: when the job has ended"""
    error: JobError
    """Why the job failed"""


class ScanFailedMessage(TypedDict):
    type: Literal["scan.failed"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: ScanFailedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class ScanFailedMessageData(TypedDict):
    job_id: NotRequired[str]
    """Opaque, prefix job_"""
    domain: NotRequired[str]
    """Canonical registrable domain, A-labels, lower case"""
    finished_at: NotRequired[str]
    """ISO 8601, UTC: when the job has ended"""
    error: NotRequired[JobError]
    """Why the job failed"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class ScanJobResult(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    state: ScanJobResultState | str
    """Open-ended; today one of: succeeded, failed. How its scan ended."""
    error: JobError | None
    """Why it failed; null when it succeeded"""


class SearchBilled(TypedDict):
    """Units that this call billed."""

    lookup_cached: int
    """Rows of this page"""
    history_query: int
    """1 with dropped or moved"""


class ServiceIndex(TypedDict):
    authentication: Authentication
    documentation_url: str
    """Documentation for people"""
    endpoints: dict[str, str]
    """Operation id to URL template; placeholders in braces are path parameters"""
    openapi_url: str
    """The contract as OpenAPI document"""
    version: str
    """Version of the contract"""


Signal = TypedDict(
    "Signal",
    {
        "id": "str",
        "type": "HistorySignalType | str",
        "technology": "str",
        "from": "str | None",
        "to": "str | None",
        "confidence": "HistorySignalConfidence | str",
        "effective_at": "str",
        "confirmed_at": "str",
    },
)


class SignalConfirmedEvent(TypedDict):
    """A signal of a store in an active watchlist was confirmed."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["signal.confirmed"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: SignalConfirmedEventData


SignalConfirmedEventData = TypedDict(
    "SignalConfirmedEventData",
    {
        "id": "str",
        "type": "HistorySignalType | str",
        "technology": "str",
        "from": "str | None",
        "to": "str | None",
        "confidence": "HistorySignalConfidence | str",
        "effective_at": "str",
        "confirmed_at": "str",
        "domain": "str",
        "storefront_id": "str",
        "external_ids": "list[str]",
        "watchlist_ids": "list[str]",
    },
)


class SignalConfirmedMessage(TypedDict):
    type: Literal["signal.confirmed"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: SignalConfirmedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


SignalConfirmedMessageData = TypedDict(
    "SignalConfirmedMessageData",
    {
        "id": "NotRequired[str]",
        "type": "NotRequired[HistorySignalType | str]",
        "technology": "NotRequired[str]",
        "from": "NotRequired[str | None]",
        "to": "NotRequired[str | None]",
        "confidence": "NotRequired[HistorySignalConfidence | str]",
        "effective_at": "NotRequired[str]",
        "confirmed_at": "NotRequired[str]",
        "domain": "NotRequired[str]",
        "storefront_id": "NotRequired[str]",
        "external_ids": "NotRequired[list[str]]",
        "watchlist_ids": "NotRequired[list[str]]",
        "truncated": "NotRequired[Literal[True]]",
    },
)


class SignalPage(TypedDict):
    data: list[StoreSignal]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one. With order=asc never null: it is the resume point"""
    has_more: bool
    """The next page may have rows already. With order=asc false: ask for it later"""


class SignalRetractedEvent(TypedDict):
    """A confirmed signal of a store in an active watchlist was refuted by the next full scan."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["signal.retracted"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: SignalRetractedEventData


SignalRetractedEventData = TypedDict(
    "SignalRetractedEventData",
    {
        "id": "str",
        "type": "HistorySignalType | str",
        "technology": "str",
        "from": "str | None",
        "to": "str | None",
        "confidence": "HistorySignalConfidence | str",
        "effective_at": "str",
        "confirmed_at": "str",
        "retracted_at": "str",
        "retracted_reason": "HistorySignalRetractedReason | str",
        "domain": "str",
        "storefront_id": "str",
        "external_ids": "list[str]",
        "watchlist_ids": "list[str]",
    },
)


class SignalRetractedMessage(TypedDict):
    type: Literal["signal.retracted"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: SignalRetractedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


SignalRetractedMessageData = TypedDict(
    "SignalRetractedMessageData",
    {
        "id": "NotRequired[str]",
        "type": "NotRequired[HistorySignalType | str]",
        "technology": "NotRequired[str]",
        "from": "NotRequired[str | None]",
        "to": "NotRequired[str | None]",
        "confidence": "NotRequired[HistorySignalConfidence | str]",
        "effective_at": "NotRequired[str]",
        "confirmed_at": "NotRequired[str]",
        "retracted_at": "NotRequired[str]",
        "retracted_reason": "NotRequired[HistorySignalRetractedReason | str]",
        "domain": "NotRequired[str]",
        "storefront_id": "NotRequired[str]",
        "external_ids": "NotRequired[list[str]]",
        "watchlist_ids": "NotRequired[list[str]]",
        "truncated": "NotRequired[Literal[True]]",
    },
)


class Store(TypedDict):
    """What is known of a web store from completed observations."""

    brand_group_id: str
    """Opaque, prefix bg_"""
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    storefront_host: str
    """Host that serves the shop; equal to domain when it is the same"""
    storefront_id: str
    """Opaque, prefix sf_"""
    name: str
    """Name of the store, in its own words"""
    profile_url: str
    """Public page of the profile, for people"""
    catalog: Catalog
    geography: StoreGeography
    """Where the store is"""
    industry: StoreIndustry
    """What kind of things the store sells"""
    observation: Observation
    platform: StorePlatform
    """The software that runs the shop"""
    status: StoreStatus
    """Whether the shop trades"""
    technologies: list[StoreTechnology]
    """What the store uses: apps, services and themes"""
    recent_signals: list[Signal]
    """The last five confirmed signals, newest first; a retracted one leaves the list"""


class StoreGeography(TypedDict):
    """Where the store is"""

    basis: StoreGeographyBasis | str
    """Open-ended; today one of: observed, declared, inferred, unknown. `declared`: the store states the country
    itself, for example in the address of its structured data. `observed`: the country was seen in the store's pages
    or settings. `inferred`: concluded from the domain ending, a phone number, the currency or the language.
    `unknown`: nothing was seen; country is ZZ."""
    country: str
    """ISO 3166-1 alpha-2, and XK for Kosovo; ZZ when unknown"""


class StoreIndustry(TypedDict):
    """What kind of things the store sells"""

    basis: StoreIndustryBasis | str
    """Open-ended; today one of: classified, declared, unknown. `classified`: concluded from the words of the store's
    pages and products. `declared`: the store states the industry itself. `unknown`: too little was seen; slug is
    unclassified."""
    slug: str
    """The industry; unclassified when it is not known"""


class StorePlatform(TypedDict):
    """The software that runs the shop"""

    name: str
    """Name of the platform"""
    slug: str
    """Platform slug of the vocabulary; custom for a shop on no known platform"""
    confidence: HistorySignalConfidence | str
    """Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree.
    `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform
    custom."""
    first_observed_at: str
    """The scan that saw it first. ISO 8601, UTC"""
    last_confirmed_at: str
    """The latest scan that saw it. ISO 8601, UTC"""


class StoreStatus(TypedDict):
    """Whether the shop trades"""

    state: CompactStoreStatus | str
    """Open-ended; today one of: active_storefront, password_protected, redirected, parked, unreachable, closed,
    not_a_storefront. `active_storefront`: a shop that trades. `password_protected`: the shop is behind a password
    page. `redirected`: the domain leads to another site. `parked`: the domain is parked or for sale. `unreachable`:
    the site did not answer, or answered with an error. `closed`: the shop says that it is closed, or its page is
    gone. `not_a_storefront`: a site that answers and shows no shop."""
    as_of: str
    """The scan that the state is of. ISO 8601, UTC"""


class StoreAmount(TypedDict):
    """A number of stores."""

    value: int
    relation: StoreAmountRelation | str
    """Open-ended; today one of: eq, lt, approx. `eq`: exactly value. `lt`: less than value: small numbers are
    hidden. `approx`: value is rounded to tens, because the query names a list."""


class StoreCount(TypedDict):
    request_id: str
    """Prefix req_, or the X-Request-Id that was sent"""
    billed: SearchBilled
    edition: Edition
    where: dict[str, Any]
    """The query as applied: with its defaults, present slugs and whole UTC days. Sent again, it is the same query"""
    window: NotRequired[StoreCountWindow]
    """The days that dropped and moved cover; absent without them"""
    total: StoreAmount
    """The stores that match"""
    not_judged: StoreCountNotJudged
    """Stores that are left out. Empty when the total is hidden"""
    quote: StoreCountQuote
    """What all rows would bill, in pages of 50. Empty when the total is hidden"""
    left: StoreCountLeft
    """What is left of the period. Empty while it is not known"""
    facets: list[StoreCountFacetsItem]
    """In the order of the request, within the whole where. Empty when the total is hidden"""
    sample: list[StoreCountSampleItem]
    """Some of the stores. None with a list"""


StoreCountWindow = TypedDict(
    "StoreCountWindow",
    {
        "from": "str",
        "truncated_by_plan": "bool",
    },
)


class StoreCountNotJudged(TypedDict):
    """Stores that are left out. Empty when the total is hidden"""

    scope_partial: NotRequired[StoreAmount]
    """Stores that fit all but a clause with none, which their partial scans do not prove"""


class StoreCountQuote(TypedDict):
    """What all rows would bill, in pages of 50. Empty when the total is hidden"""

    lookup_cached: NotRequired[int]
    history_query: NotRequired[int]


class StoreCountLeft(TypedDict):
    """What is left of the period. Empty while it is not known"""

    lookup_cached: NotRequired[int]
    history_query: NotRequired[int]


class StoreCountFacetsItem(TypedDict):
    field: str
    """As in the request"""
    values: list[StoreCountFacetsItemValuesItem]
    """Those with most stores first, months latest first. Values with few stores are left out"""
    other: int | None
    """Stores with another value; null when it is hidden, or a store can have several values"""
    unknown: int | None
    """Stores whose value is not known; null when it is hidden"""


class StoreCountFacetsItemValuesItem(TypedDict):
    value: str
    stores: int


class StoreCountSampleItem(TypedDict):
    domain: str
    """Masked: its first letters and its suffix"""


class StoreCountRequest(TypedDict):
    where: NotRequired[StoreWhere]
    facets: NotRequired[list[str]]
    """What to count the stores by"""
    facet_size: NotRequired[int]
    """Values of a facet: those with most stores, and of months the latest"""


class StoreExportRequest(TypedDict):
    where: NotRequired[StoreWhere]
    sort: NotRequired[StoreExportRequestSort]
    """Stores with equal values are ordered by storefront_id"""
    format: NotRequired[StoreExportRequestFormat]
    """`ndjson`: one row of a search per line. `csv`: RFC 4180, UTF-8, with a header in part 1"""
    columns: NotRequired[StoreExportRequestColumns | list[StoreExportRequestColumnsItem]]
    """Only with csv: paths of a row, or a preset. `hubspot` and `salesforce`: the columns that the vendor imports as
    companies or accounts. Default: `default`"""
    max_rows: NotRequired[int]
    """The most rows of the export. If more stores match, the response is 400"""
    max_units: NotRequired[StoreExportRequestMaxUnits]
    """The request is refused with 400 if it would bill more"""


class StoreExportRequestMaxUnits(TypedDict):
    """The request is refused with 400 if it would bill more"""

    lookup_cached: NotRequired[int]
    history_query: NotRequired[int]


class StorePage(TypedDict):
    request_id: str
    """Prefix req_, or the X-Request-Id that was sent"""
    billed: SearchBilled
    edition: Edition
    where: dict[str, Any]
    """The query as applied: with its defaults, present slugs and whole UTC days. Sent again, it is the same query"""
    window: NotRequired[StorePageWindow]
    """The days that dropped and moved cover; absent without them"""
    data: list[StoreRow]
    """The rows of this page. It may have fewer than limit, also none, before the last one"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


StorePageWindow = TypedDict(
    "StorePageWindow",
    {
        "from": "str",
        "truncated_by_plan": "bool",
    },
)


class StoreResponse(TypedDict):
    match: Literal["matched"]
    """matched also when the profile is stale"""
    store: Store


class StoreRow(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    storefront_id: str
    """Opaque, prefix sf_"""
    matched: list[MatchedTechnology]
    """For each clause with all or any, the technologies that fit it"""
    dropped: list[DroppedTechnology]
    """The removals that fit a clause of dropped, newest first"""
    changed_since_edition: bool
    """The store does not match the query any more"""
    store: Store | CompactStore
    """The store as it is now; with view compact, a CompactStore"""


class StoresAdd(TypedDict):
    stores: NotRequired[list[StoreToAdd]]
    """In place of domains"""
    domains: NotRequired[list[str]]
    """Host names or http(s) URLs, in place of stores"""


class StoreToAdd(TypedDict):
    domain: str
    """A host name or an http(s) URL"""
    external_id: NotRequired[str | None]
    """Your own id of the store. Absent: a store that is present keeps its id. null: it loses its id. The id must be
    in Unicode NFC, without spaces at its ends, two spaces in a row or invisible characters. An id that breaks this
    rule refuses the whole call."""


class StoresAdded(TypedDict):
    results: list[StoreAdded]
    """Same order and length as the request"""


class StoreAdded(TypedDict):
    input: str
    """The input as sent"""
    domain: str | None
    """null with invalid_domain"""
    result: StoreAddedResult | str
    """Open-ended; today one of: added, present, invalid_domain. `added`: the store is new. `present`: the list or
    watchlist had the store already. If the request has an external_id, the store has it now. `invalid_domain`: the
    input has no registrable domain."""


class StoreSearchRequest(TypedDict):
    where: NotRequired[StoreWhere]
    sort: NotRequired[StoreExportRequestSort]
    """Stores with equal values are ordered by storefront_id"""
    view: NotRequired[StoreSearchRequestView]
    """`compact`: fewer members of each store, at the same price"""
    limit: NotRequired[int]
    """Rows of a page"""
    cursor: NotRequired[str | None]
    """next_cursor of the page before"""
    max_units: NotRequired[StoreSearchRequestMaxUnits]
    """The request is refused with 400 if it would bill more"""


class StoreSearchRequestMaxUnits(TypedDict):
    """The request is refused with 400 if it would bill more"""

    lookup_cached: NotRequired[int]
    history_query: NotRequired[int]


StoreSignal = TypedDict(
    "StoreSignal",
    {
        "id": "str",
        "type": "HistorySignalType | str",
        "technology": "str",
        "from": "str | None",
        "to": "str | None",
        "confidence": "HistorySignalConfidence | str",
        "effective_at": "str",
        "confirmed_at": "str",
        "retracted_at": "str | None",
        "retracted_reason": "HistorySignalRetractedReason | str | None",
        "domain": "str",
        "storefront_id": "str",
    },
)


class StoresRemove(TypedDict):
    domains: list[str]


class StoresRemoved(TypedDict):
    results: list[StoreRemoved]
    """Same order and length as the request"""


class StoreRemoved(TypedDict):
    input: str
    """The input as sent"""
    domain: str | None
    """null with invalid_domain"""
    result: StoreRemovedResult | str
    """Open-ended; today one of: removed, absent, invalid_domain. `removed`: the store was removed. `absent`: the
    list or watchlist did not have the store. `invalid_domain`: the input has no registrable domain."""


class StoreTechnology(TypedDict):
    """A technology that the store uses."""

    category: str
    """Category slug of the vocabulary"""
    confidence: HistorySignalConfidence | str
    """Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree.
    `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform
    custom."""
    first_observed_at: str
    """The scan that saw it first since it was absent. ISO 8601, UTC"""
    install_state: MatchedTechnologyInstallState | str
    """Open-ended; today one of: configured, active, inactive. `configured`: loaded or set up, but never seen
    working. `active`: seen working. `inactive`: was active before, is still set up, and is no longer seen working."""
    last_confirmed_at: str
    """The latest scan that saw it. ISO 8601, UTC"""
    name: str
    """Name of the vocabulary; of a theme that it lacks, the name that the store uses"""
    slug: str
    """Canonical identifier; custom-theme for a theme that the vocabulary lacks"""


class StoreWhere(TypedDict):
    """Which stores: the members are ANDed. An empty one matches every active store."""

    platform: NotRequired[StoreWherePlatform]
    """Platform of the store; `custom` for a shop on no known platform"""
    country: NotRequired[StoreWhereCountry]
    """Country of the store; `ZZ` when it is not known"""
    industry: NotRequired[StoreWhereIndustry]
    """Industry of the store; `unclassified` when it is not known"""
    status: NotRequired[StoreWhereStatus]
    """Status of the store; by default only active_storefront"""
    technologies: NotRequired[list[StoreWhereTechnologiesItem]]
    """Technologies of the profile"""
    dropped: NotRequired[list[StoreWhereDroppedItem]]
    """Needs the scope read:signals too"""
    moved: NotRequired[StoreWhereMoved]
    """Needs the scope read:signals too"""
    products: NotRequired[StoreWhereProducts]
    """Products of the catalogue. A store whose catalogue was not seen has no number"""
    last_completed_scan: NotRequired[StoreWhereLastCompletedScan]
    """When the last scan of the store ended"""
    list: NotRequired[StoreWhereList]
    """Lists of the workspace. Needs the scope read:watchlists too"""


class StoreWherePlatform(TypedDict):
    """Platform of the store; `custom` for a shop on no known platform"""

    any: NotRequired[list[str]]
    """The store has one of these values"""
    none: NotRequired[list[str]]
    """The store has none of these values"""


class StoreWhereCountry(TypedDict):
    """Country of the store; `ZZ` when it is not known"""

    any: NotRequired[list[str]]
    """The store has one of these values"""
    none: NotRequired[list[str]]
    """The store has none of these values"""


class StoreWhereIndustry(TypedDict):
    """Industry of the store; `unclassified` when it is not known"""

    any: NotRequired[list[str]]
    """The store has one of these values"""
    none: NotRequired[list[str]]
    """The store has none of these values"""


class StoreWhereStatus(TypedDict):
    """Status of the store; by default only active_storefront"""

    any: NotRequired[list[CompactStoreStatus]]
    """The store has one of these values"""
    none: NotRequired[list[CompactStoreStatus]]
    """The store has none of these values"""


class StoreWhereTechnologiesItem(TypedDict):
    """All conditions hold for one and the same technology"""

    all: NotRequired[list[str]]
    """The store has each of these technologies"""
    any: NotRequired[list[str] | StoreWhereTechnologiesItemAny]
    """The store has one of these technologies, or one of the category or kind"""
    none: NotRequired[list[str] | StoreWhereTechnologiesItemNone]
    """The store has none of these technologies, or none of the category or kind"""
    install_state: NotRequired[list[MatchedTechnologyInstallState]]
    """The technology is in one of these states"""
    confidence_min: NotRequired[HistorySignalConfidence]
    """The technology is seen at least this surely"""
    first_observed: NotRequired[StoreWhereTechnologiesItemFirstObserved]
    """When a scan saw the technology first"""
    since_known: NotRequired[bool]
    """Default true: `first_observed` does not match technologies that the first scan of the store saw, because they
    may be older. false: it matches them by the day of that scan"""


class StoreWhereTechnologiesItemAny(TypedDict):
    category: NotRequired[str | list[str]]
    """Technologies of this category, or of one of these"""
    kind: NotRequired[StoreWhereTechnologiesItemAnyKind | list[StoreWhereTechnologiesItemAnyKind]]
    """Technologies of this kind, or of one of these"""


class StoreWhereTechnologiesItemNone(TypedDict):
    category: NotRequired[str | list[str]]
    """Technologies of this category, or of one of these"""
    kind: NotRequired[StoreWhereTechnologiesItemAnyKind | list[StoreWhereTechnologiesItemAnyKind]]
    """Technologies of this kind, or of one of these"""


StoreWhereTechnologiesItemFirstObserved = TypedDict(
    "StoreWhereTechnologiesItemFirstObserved",
    {
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class StoreWhereDroppedItem(TypedDict):
    """A confirmed removal of a technology that the store does not have now"""

    all: NotRequired[list[str]]
    """The store has each of these technologies"""
    any: NotRequired[list[str] | StoreWhereDroppedItemAny]
    """The store has one of these technologies, or one of the category or kind"""
    none: NotRequired[list[str] | StoreWhereDroppedItemNone]
    """The store has none of these technologies, or none of the category or kind"""
    effective: NotRequired[StoreWhereDroppedItemEffective]
    """When a scan missed the technology first"""


class StoreWhereDroppedItemAny(TypedDict):
    category: NotRequired[str | list[str]]
    """Technologies of this category, or of one of these"""
    kind: NotRequired[StoreWhereTechnologiesItemAnyKind | list[StoreWhereTechnologiesItemAnyKind]]
    """Technologies of this kind, or of one of these"""


class StoreWhereDroppedItemNone(TypedDict):
    category: NotRequired[str | list[str]]
    """Technologies of this category, or of one of these"""
    kind: NotRequired[StoreWhereTechnologiesItemAnyKind | list[StoreWhereTechnologiesItemAnyKind]]
    """Technologies of this kind, or of one of these"""


StoreWhereDroppedItemEffective = TypedDict(
    "StoreWhereDroppedItemEffective",
    {
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class StoreWhereMoved(TypedDict):
    """Needs the scope read:signals too"""

    from_platform: NotRequired[list[str]]
    """The platform before"""
    to_platform: NotRequired[list[str]]
    """The platform after"""
    effective: NotRequired[StoreWhereMovedEffective]
    """When a scan saw the new platform first"""


StoreWhereMovedEffective = TypedDict(
    "StoreWhereMovedEffective",
    {
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class StoreWhereProducts(TypedDict):
    """Products of the catalogue. A store whose catalogue was not seen has no number"""

    min: NotRequired[int]
    max: NotRequired[int]


StoreWhereLastCompletedScan = TypedDict(
    "StoreWhereLastCompletedScan",
    {
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class StoreWhereList(TypedDict):
    """Lists of the workspace. Needs the scope read:watchlists too"""

    any: NotRequired[list[str]]
    """The store has one of these values"""
    none: NotRequired[list[str]]
    """The store has none of these values"""


class Technology(TypedDict):
    slug: str
    """Canonical identifier, the same in store profiles and signals"""
    name: str
    """Name, as its vendor writes it"""
    kind: TechnologyKind
    """What it is for a store"""
    category: str
    """Category slug"""
    vendor: str
    """Who makes it; the name when that is not known"""
    website: str
    """Page of the vendor"""
    listing_url: str
    """Where it is listed: in the store of a platform, else our page about it"""
    stores: int | None
    """Active stores that use it, as of at most 16 minutes ago; null for 1 to 4, and while it is not known"""


class TechnologyDetails(TypedDict):
    slug: str
    """Canonical identifier, the same in store profiles and signals"""
    name: str
    """Name, as its vendor writes it"""
    kind: TechnologyKind
    """What it is for a store"""
    category: str
    """Category slug"""
    vendor: str
    """Who makes it; the name when that is not known"""
    website: str
    """Page of the vendor"""
    listing_url: str
    """Where it is listed: in the store of a platform, else our page about it"""
    stores: int | None
    """Active stores that use it, as of at most 16 minutes ago; null for 1 to 4, and while it is not known"""
    by_platform: list[TechnologyDetailsByPlatformItem] | None
    """These stores by platform: most stores first, at least 5"""
    by_country: list[TechnologyDetailsByCountryItem] | None
    """These stores by country: most stores first, at least 5"""
    by_industry: list[TechnologyDetailsByIndustryItem] | None
    """These stores by industry: most stores first, at least 5"""
    found_beside: list[TechnologyDetailsFoundBesideItem] | None
    """What these stores use, too: most stores first, at least 5"""
    edition: TechnologyDetailsEdition | None
    """The edition of all stores that the figures are of"""


class TechnologyDetailsByPlatformItem(TypedDict):
    platform: str
    stores: int


class TechnologyDetailsByCountryItem(TypedDict):
    country: str
    stores: int


class TechnologyDetailsByIndustryItem(TypedDict):
    industry: str
    stores: int


class TechnologyDetailsFoundBesideItem(TypedDict):
    technology: str
    stores: int


class TechnologyDetailsEdition(TypedDict):
    id: str
    """Opaque, prefix edn_"""
    built_at: str
    """ISO 8601, UTC"""


class TechnologyPage(TypedDict):
    data: list[Technology]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


class TestAllowanceRequest(TypedDict):
    lookup_cached: NotRequired[int]
    """What is left of the unit, at most what the plan includes"""
    lookup_live: NotRequired[int]
    """What is left of the unit, at most what the plan includes"""
    history_query: NotRequired[int]
    """What is left of the unit, at most what the plan includes"""
    refresh_requested: NotRequired[int]
    """What is left of the unit, at most what the plan includes"""


class TestEvent(TypedDict):
    event: Event
    """The event, as GET /v1/events has it"""


class TestEventRequest(TypedDict):
    type: EventTypeName
    """A type of GET /v1/event_types"""
    data: NotRequired[dict[str, Any]]
    """Members that replace those of the type's example; together at most 16,384 bytes of JSON"""


class TestReset(TypedDict):
    reset_at: str
    """When the reset was complete. ISO 8601, UTC"""


class Usage(TypedDict):
    period: Period
    by_key: list[UsageOfKey]
    """Every active key, and revoked or expired ones that spent units in the period"""


class UsageOfKey(TypedDict):
    key_id: str
    """Opaque, prefix key_"""
    label: str
    """Name that the key was given"""
    used: UsageCounters


class UsageCounters(TypedDict):
    """A number for each billing unit."""

    history_query: int
    """Pages of history or signal search"""
    lookup_cached: int
    """Profiles that were read"""
    lookup_live: int
    """Scans that were queued by refresh"""
    refresh_requested: int
    """Scans that were queued by requestScan, and rescans of watchlists"""


class UsageThresholdReachedEvent(TypedDict):
    """A percentage of a unit of the allowance is used."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["usage.threshold_reached"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: UsageThresholdReachedEventData


class UsageThresholdReachedEventData(TypedDict):
    unit: BillingUnit | str
    """Open-ended; today one of: lookup_cached, lookup_live, history_query, refresh_requested."""
    percent: int
    """80 or 100: the part of the allowance that is used. Once per period"""
    period_starts_at: str
    """The period. ISO 8601, UTC"""


class UsageThresholdReachedMessage(TypedDict):
    type: Literal["usage.threshold_reached"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: UsageThresholdReachedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class UsageThresholdReachedMessageData(TypedDict):
    unit: NotRequired[BillingUnit | str]
    """Open-ended; today one of: lookup_cached, lookup_live, history_query, refresh_requested."""
    percent: NotRequired[int]
    """80 or 100: the part of the allowance that is used. Once per period"""
    period_starts_at: NotRequired[str]
    """The period. ISO 8601, UTC"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class Watchlist(TypedDict):
    id: str
    """Opaque, prefix wl_"""
    name: str
    signal_types: list[HistorySignalType | str]
    technologies: list[str]
    rescan_interval_days: int | None
    """At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans, and rescans bill
    the key that set it"""
    budget: WatchlistBudget
    """The units that rescans may spend in a period"""
    state: WatchlistState | str
    """Open-ended; today one of: active, paused. `active`: the workspace receives the signals of its stores.
    `paused`: neither rescans nor signals."""
    rescans_paused: WatchlistRescansPaused | str | None
    """Open-ended; today one of: budget_exhausted, allowance_exhausted, key_revoked. Why rescans pause; null while
    they run. `budget_exhausted`: its budget of the period is spent. `allowance_exhausted`: the allowance of the
    workspace is spent. `key_revoked`: the key that set the interval has ended or lost its scope."""
    store_count: int
    """Its stores"""
    next_rescan_at: str | None
    """ISO 8601, UTC"""
    forecast: WatchlistForecast
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC: the latest change of its members or of its stores"""


class WatchlistBudget(TypedDict):
    """The units that rescans may spend in a period"""

    refresh_requested: int | None
    """null: no bound"""


class WatchlistForecast(TypedDict):
    refresh_requested: int
    """Units that rescans will spend until the end of this period"""
    left: int | None
    """Units of the allowance that the workspace has left in this period, for everything that spends them; null: not
    known at the moment"""


class WatchlistCreate(TypedDict):
    name: str
    signal_types: NotRequired[list[HistorySignalType]]
    """The signals that the workspace receives"""
    technologies: NotRequired[list[str]]
    """Only signals of these technologies; empty: of all"""
    rescan_interval_days: NotRequired[int | None]
    """At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans, and rescans bill
    the key that set it"""
    budget: NotRequired[WatchlistCreateBudget]
    """The units that rescans may spend in a period"""


class WatchlistCreateBudget(TypedDict):
    """The units that rescans may spend in a period"""

    refresh_requested: int | None
    """null: no bound"""


class WatchlistPage(TypedDict):
    data: list[Watchlist]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


class WatchlistPausedEvent(TypedDict):
    """A person has paused a watchlist: neither rescans nor signals."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["watchlist.paused"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: WatchlistPausedEventData


class WatchlistPausedEventData(TypedDict):
    watchlist_id: str
    """Opaque, prefix wl_"""
    name: str
    """Name of the watchlist"""


class WatchlistPausedMessage(TypedDict):
    type: Literal["watchlist.paused"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: WatchlistPausedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class WatchlistPausedMessageData(TypedDict):
    watchlist_id: NotRequired[str]
    """Opaque, prefix wl_"""
    name: NotRequired[str]
    """Name of the watchlist"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class WatchlistRescansPausedEvent(TypedDict):
    """A watchlist has no more rescans for now; its signals continue."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["watchlist.rescans_paused"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: WatchlistRescansPausedEventData


class WatchlistRescansPausedEventData(TypedDict):
    watchlist_id: str
    """Opaque, prefix wl_"""
    name: str
    """Name of the watchlist"""
    reason: WatchlistRescansPaused | str
    """Open-ended; today one of: budget_exhausted, allowance_exhausted, key_revoked. Why rescans are paused."""


class WatchlistRescansPausedMessage(TypedDict):
    type: Literal["watchlist.rescans_paused"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: WatchlistRescansPausedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class WatchlistRescansPausedMessageData(TypedDict):
    watchlist_id: NotRequired[str]
    """Opaque, prefix wl_"""
    name: NotRequired[str]
    """Name of the watchlist"""
    reason: NotRequired[WatchlistRescansPaused | str]
    """Open-ended; today one of: budget_exhausted, allowance_exhausted, key_revoked. Why rescans are paused."""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class WatchlistRescansResumedEvent(TypedDict):
    """The rescans of a watchlist continue."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["watchlist.rescans_resumed"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: WatchlistRescansResumedEventData


class WatchlistRescansResumedEventData(TypedDict):
    watchlist_id: str
    """Opaque, prefix wl_"""
    name: str
    """Name of the watchlist"""


class WatchlistRescansResumedMessage(TypedDict):
    type: Literal["watchlist.rescans_resumed"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: WatchlistRescansResumedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class WatchlistRescansResumedMessageData(TypedDict):
    watchlist_id: NotRequired[str]
    """Opaque, prefix wl_"""
    name: NotRequired[str]
    """Name of the watchlist"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class WatchlistResumedEvent(TypedDict):
    """A person has made a watchlist active again."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["watchlist.resumed"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: WatchlistResumedEventData


class WatchlistResumedEventData(TypedDict):
    watchlist_id: str
    """Opaque, prefix wl_"""
    name: str
    """Name of the watchlist"""


class WatchlistResumedMessage(TypedDict):
    type: Literal["watchlist.resumed"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: WatchlistResumedMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class WatchlistResumedMessageData(TypedDict):
    watchlist_id: NotRequired[str]
    """Opaque, prefix wl_"""
    name: NotRequired[str]
    """Name of the watchlist"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class WatchlistUpdate(TypedDict):
    name: NotRequired[str]
    signal_types: NotRequired[list[HistorySignalType]]
    """The signals that the workspace receives"""
    technologies: NotRequired[list[str]]
    """Only signals of these technologies; empty: of all"""
    rescan_interval_days: NotRequired[int | None]
    """At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans, and rescans bill
    the key that set it"""
    budget: NotRequired[WatchlistUpdateBudget]
    """The units that rescans may spend in a period"""
    state: NotRequired[WatchlistState]


class WatchlistUpdateBudget(TypedDict):
    """The units that rescans may spend in a period"""

    refresh_requested: int | None
    """null: no bound"""


class Webhook(TypedDict):
    id: str
    """Opaque, prefix whk_"""
    url: str
    """https only, without user and password. The name must have public addresses only; it is resolved now, and again
    for each attempt"""
    event_types: list[EventTypeName | str]
    description: str | None
    """Text of your own; null without one"""
    watchlist_ids: list[str]
    max_per_minute: int | None
    """Attempts in a minute, repeated ones included; null: no bound"""
    filters: WebhookFilters
    headers: dict[str, str]
    """The names of the headers; each value is ***"""
    state: WebhookState | str
    """Open-ended; today one of: active, paused, disabled. `active`: events are delivered. `paused`: events wait for
    at most 30 days, and are delivered when it is active again. `disabled`: no delivery is made; what it misses comes
    by a replay only."""
    disabled_reason: WebhookDisabledReason | str | None
    """Open-ended; today one of: gone, no_success. null in other states. `gone`: the endpoint answered 410.
    `no_success`: no delivery succeeded for 5 days, and at least 20 attempts failed."""
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC"""


class WebhookFilters(TypedDict):
    signal_type: list[HistorySignalType | str]
    technology: list[str]
    category: list[str]
    platform: list[str]
    country: list[str]
    industry: list[str]
    confidence_min: HistorySignalConfidence | str | None
    """The lowest confidence of a signal; null: any"""


class WebhookCreate(TypedDict):
    url: str
    """https only, without user and password. The name must have public addresses only; it is resolved now, and again
    for each attempt"""
    event_types: list[EventTypeName]
    description: NotRequired[str | None]
    """Text of your own; null without one"""
    watchlist_ids: NotRequired[list[str]]
    """Only events of these watchlists; empty: of any watchlist, and of none. An unknown one is 404"""
    max_per_minute: NotRequired[int | None]
    """Attempts in a minute, repeated ones included; null: no bound"""
    filters: NotRequired[WebhookCreateFilters]
    """Narrow the events of signals, and no others. A signal must match every filter. A value that does not exist is
    400"""
    headers: NotRequired[dict[str, str]]
    """Headers of every attempt, at most 10. Not host, user-agent, content-*, webhook-* or a header of the
    connection. Their values are not shown again"""


class WebhookCreateFilters(TypedDict):
    """Narrow the events of signals, and no others. A signal must match every filter. A value that does not exist is
    400"""

    signal_type: NotRequired[list[HistorySignalType]]
    """Only signals of these types; empty: of all"""
    technology: NotRequired[list[str]]
    """Only signals of these technologies; empty: of all"""
    category: NotRequired[list[str]]
    """Only signals of these categories of technologies; empty: of all"""
    platform: NotRequired[list[str]]
    """Only signals of these platforms of the store; empty: of all"""
    country: NotRequired[list[str]]
    """Only signals of these countries of the store; ZZ: unknown; empty: of all"""
    industry: NotRequired[list[str]]
    """Only signals of these industries of the store; empty: of all"""
    confidence_min: NotRequired[HistorySignalConfidence | None]
    """The lowest confidence of a signal; null: any"""


class WebhookDisabledEvent(TypedDict):
    """A webhook was disabled after failed attempts; what it missed can be replayed."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["webhook.disabled"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: WebhookDisabledEventData


class WebhookDisabledEventData(TypedDict):
    webhook_id: str
    """Opaque, prefix whk_"""
    url: str
    """The address of the webhook"""
    reason: str
    """Why the webhook was disabled, as a sentence"""


class WebhookDisabledMessage(TypedDict):
    type: Literal["webhook.disabled"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: WebhookDisabledMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class WebhookDisabledMessageData(TypedDict):
    webhook_id: NotRequired[str]
    """Opaque, prefix whk_"""
    url: NotRequired[str]
    """The address of the webhook"""
    reason: NotRequired[str]
    """Why the webhook was disabled, as a sentence"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class WebhookFailingEvent(TypedDict):
    """A webhook had no success for 24 hours and at least 5 failed attempts."""

    id: str
    """Opaque, prefix evt_"""
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    type: Literal["webhook.failing"]
    created_at: str
    """ISO 8601, UTC; it never decreases along the sequence"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""
    related: RelatedResource | None
    """The resource that the event is about; null when no operation reads it"""
    data: WebhookFailingEventData


class WebhookFailingEventData(TypedDict):
    webhook_id: str
    """Opaque, prefix whk_"""
    url: str
    """The address of the webhook"""


class WebhookFailingMessage(TypedDict):
    type: Literal["webhook.failing"]
    timestamp: str
    """ISO 8601, UTC: the created_at of the event"""
    data: WebhookFailingMessageData
    sequence: int
    """The place in the sequence of the workspace and the environment: from 1, without gaps"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class WebhookFailingMessageData(TypedDict):
    webhook_id: NotRequired[str]
    """Opaque, prefix whk_"""
    url: NotRequired[str]
    """The address of the webhook"""
    truncated: NotRequired[Literal[True]]
    """The event is larger than 20 KB, and data has its ids only"""


class WebhookPage(TypedDict):
    data: list[Webhook]
    """The entries of this page"""
    next_cursor: str | None
    """The cursor of the next page; null on the last one"""


WebhookReplay = TypedDict(
    "WebhookReplay",
    {
        "from": "str",
        "to": "str",
        "only": "NotRequired[WebhookReplayOnly]",
        "event_types": "NotRequired[list[EventTypeName]]",
    },
)


class WebhookRotate(TypedDict):
    overlap_hours: NotRequired[int]
    """How long the old secret signs, too"""


class WebhookTest(TypedDict):
    type: NotRequired[EventTypeName]
    """Absent: the first one of its event_types"""


class WebhookTested(TypedDict):
    event: WebhookTestedEvent
    """What was sent. A test has no sequence and makes no delivery"""
    attempt: DeliveryAttempt


class WebhookTestedEvent(TypedDict):
    """What was sent. A test has no sequence and makes no delivery"""

    id: str
    """The webhook-id of the message"""
    type: EventTypeName | str
    """Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished,
    usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused,
    watchlist.rescans_resumed, webhook.failing, webhook.disabled."""
    timestamp: str
    """ISO 8601, UTC"""
    test: Literal[True]
    data: dict[str, Any]
    """The example of GET /v1/event_types"""
    environment: Environment | str
    """Open-ended; today one of: live, test."""


class WebhookUpdate(TypedDict):
    url: NotRequired[str]
    """https only, without user and password. The name must have public addresses only; it is resolved now, and again
    for each attempt"""
    event_types: NotRequired[list[EventTypeName]]
    description: NotRequired[str | None]
    """Text of your own; null without one"""
    watchlist_ids: NotRequired[list[str]]
    """Only events of these watchlists; empty: of any watchlist, and of none. An unknown one is 404"""
    filters: NotRequired[WebhookUpdateFilters]
    """Narrow the events of signals, and no others. A signal must match every filter. A value that does not exist is
    400"""
    max_per_minute: NotRequired[int | None]
    """Attempts in a minute, repeated ones included; null: no bound"""
    headers: NotRequired[dict[str, str]]
    """Headers of every attempt, at most 10. Not host, user-agent, content-*, webhook-* or a header of the
    connection. Their values are not shown again"""
    state: NotRequired[WatchlistState]


class WebhookUpdateFilters(TypedDict):
    """Narrow the events of signals, and no others. A signal must match every filter. A value that does not exist is
    400"""

    signal_type: NotRequired[list[HistorySignalType]]
    """Only signals of these types; empty: of all"""
    technology: NotRequired[list[str]]
    """Only signals of these technologies; empty: of all"""
    category: NotRequired[list[str]]
    """Only signals of these categories of technologies; empty: of all"""
    platform: NotRequired[list[str]]
    """Only signals of these platforms of the store; empty: of all"""
    country: NotRequired[list[str]]
    """Only signals of these countries of the store; ZZ: unknown; empty: of all"""
    industry: NotRequired[list[str]]
    """Only signals of these industries of the store; empty: of all"""
    confidence_min: NotRequired[HistorySignalConfidence | None]
    """The lowest confidence of a signal; null: any"""


class WebhookWithSecret(TypedDict):
    id: str
    """Opaque, prefix whk_"""
    url: str
    """https only, without user and password. The name must have public addresses only; it is resolved now, and again
    for each attempt"""
    event_types: list[EventTypeName | str]
    description: str | None
    """Text of your own; null without one"""
    watchlist_ids: list[str]
    max_per_minute: int | None
    """Attempts in a minute, repeated ones included; null: no bound"""
    filters: WebhookWithSecretFilters
    headers: dict[str, str]
    """The names of the headers; each value is ***"""
    state: WebhookState | str
    """Open-ended; today one of: active, paused, disabled. `active`: events are delivered. `paused`: events wait for
    at most 30 days, and are delivered when it is active again. `disabled`: no delivery is made; what it misses comes
    by a replay only."""
    disabled_reason: WebhookDisabledReason | str | None
    """Open-ended; today one of: gone, no_success. null in other states. `gone`: the endpoint answered 410.
    `no_success`: no delivery succeeded for 5 days, and at least 20 attempts failed."""
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC"""
    secret: str | None
    """whsec_ and base64: signs the messages. Shown once: null in a replayed response"""


class WebhookWithSecretFilters(TypedDict):
    signal_type: list[HistorySignalType | str]
    technology: list[str]
    category: list[str]
    platform: list[str]
    country: list[str]
    industry: list[str]
    confidence_min: HistorySignalConfidence | str | None
    """The lowest confidence of a signal; null: any"""


class ListStoresQuery(TypedDict, total=False):
    platform: str | Sequence[str]
    """Platform of the store; `custom` for a shop on no known platform. One value or several, separated by commas"""
    platform_none: str | Sequence[str]
    """Not these platforms. One value or several, separated by commas"""
    country: str | Sequence[str]
    """Country of the store; `ZZ` when it is not known. One value or several, separated by commas"""
    country_none: str | Sequence[str]
    """Not these countries. One value or several, separated by commas"""
    industry: str | Sequence[str]
    """Industry of the store; `unclassified` when it is not known. One value or several, separated by commas"""
    industry_none: str | Sequence[str]
    """Not these industries. One value or several, separated by commas"""
    status: CompactStoreStatus | Sequence[CompactStoreStatus]
    """Status of the store; by default active_storefront. One value or several, separated by commas"""
    status_none: CompactStoreStatus | Sequence[CompactStoreStatus]
    """Not these statuses. One value or several, separated by commas"""
    technology_any: str | Sequence[str]
    """The store has one of these technologies. One value or several, separated by commas"""
    technology_all: str | Sequence[str]
    """The store has each of these technologies. One value or several, separated by commas"""
    technology_none: str | Sequence[str]
    """The store has none of these technologies. One value or several, separated by commas"""
    category_any: str | Sequence[str]
    """The store has a technology of one of these categories. One value or several, separated by commas"""
    category_none: str | Sequence[str]
    """The store has no technology of these categories. One value or several, separated by commas"""
    install_state: MatchedTechnologyInstallState | Sequence[MatchedTechnologyInstallState]
    """State of the technologies that the store has. One value or several, separated by commas"""
    dropped_any: str | Sequence[str]
    """The store dropped one of these technologies. One value or several, separated by commas"""
    moved_from_platform: str | Sequence[str]
    """The store left one of these platforms. One value or several, separated by commas"""
    moved_to_platform: str | Sequence[str]
    """The store moved to one of these platforms. One value or several, separated by commas"""
    list_any: str | Sequence[str]
    """The store is in one of these lists. One value or several, separated by commas"""
    list_none: str | Sequence[str]
    """The store is in none of these lists. One value or several, separated by commas"""
    confidence_min: HistorySignalConfidence
    """The technologies that the store has are seen at least this surely"""
    first_observed_from: str
    """First day on which a scan saw them first. A time means its UTC day. ISO 8601, UTC"""
    first_observed_to: str
    """Last day on which a scan saw them first. A time means its UTC day. ISO 8601, UTC"""
    dropped_from: str
    """First day of the removal. A time means its UTC day. ISO 8601, UTC"""
    dropped_to: str
    """Last day of the removal. A time means its UTC day. ISO 8601, UTC"""
    moved_from: str
    """First day of the change of the platform. A time means its UTC day. ISO 8601, UTC"""
    moved_to: str
    """Last day of the change of the platform. A time means its UTC day. ISO 8601, UTC"""
    products_min: int
    """Least number of products, a multiple of ten"""
    products_max: int
    """Largest number of products, a multiple of ten"""
    sort: StoreExportRequestSort
    """Stores with equal values are ordered by storefront_id"""
    view: StoreSearchRequestView
    """`compact`: fewer members of each store, at the same price"""
    limit: int
    """Rows of a page"""
    cursor: str
    """next_cursor of the page before"""


class ListTechnologiesQuery(TypedDict, total=False):
    kind: TechnologyKind
    """Only entries of this kind"""
    category: str
    """Category slug; an unknown one gives an empty page. The categories, with the number of their technologies:
    a-b-testing (39), accessibility (49), advertising (189), affiliate-programs (110), analytics (280),
    appointment-scheduling (47), augmented-reality (13), authentication (22), blogs (14), buy-now-pay-later (81),
    caching (25), cart-abandonment (13), cdn (53), cms (279), comment-systems (10), content-curation (38),
    cookie-compliance (126), crm (23), cross-border-ecommerce (10), customer-data-platform (29), databases (4),
    digital-asset-management (18), ecommerce (373), ecommerce-frontends (4), editors (15), email (79),
    feature-management (2), font-scripts (76), fulfilment (74), geolocation (5), hosting (12), iaas (2),
    issue-trackers (2), javascript-frameworks (61), javascript-graphics (54), javascript-libraries (1009), live-chat
    (197), livestreaming (8), load-balancers (4), loyalty-and-rewards (27), magento-extensions (200), magento-themes
    (16), maps (67), marketing-automation (143), miscellaneous (77), mobile-frameworks (5), opencart-extensions (25),
    opencart-themes (16), operating-systems (17), paas (32), page-builders (56), payment-processors (309),
    performance (86), personalisation (133), prestashop-modules (150), prestashop-themes (9), programming-languages
    (24), recruitment-and-staffing (16), referral-marketing (7), reservations-and-delivery (26), retargeting (7),
    returns (12), reverse-proxies (5), reviews (120), rich-text-editors (10), rum (22), search-engines (58), security
    (116), segmentation (4), seo (35), shopify-apps (387), shopify-themes (123), shopware-plugins (49),
    static-site-generator (16), surveys (27), tag-managers (12), ticket-booking (2), translation (23), ui-frameworks
    (51), user-onboarding (9), video-players (58), web-frameworks (71), web-server-extensions (13), web-servers (70),
    widgets (145), wordpress-plugins (3155), wordpress-themes (1137)."""
    q: str
    """Case-insensitive prefix of name or slug"""
    sort: ListTechnologiesQuerySort
    """`-stores`: the most stores first, then those whose `stores` is null; equal numbers by slug. All pages have the
    numbers of one edition"""
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListJobsQuery(TypedDict, total=False):
    state: JobState
    """Only jobs in this state"""
    type: JobType
    """Only jobs of this type"""
    ids: str | Sequence[str]
    """Only these jobs, in this order and on one page. Unknown ones are left out. Without state, type and cursor. One
    value or several, separated by commas"""
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class GetJobResultsQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class GetStoreHistoryQuery(TypedDict, total=False):
    from_: str
    """Earliest effective_at, inclusive. ISO 8601, UTC"""
    to: str
    """Latest effective_at, inclusive. ISO 8601, UTC"""
    type: HistorySignalType
    """Only signals of this type"""
    technology: str
    """Only signals of this technology; for platform_changed and status_changed the platform"""
    category: str
    """Category of the technology; an unknown one gives an empty page"""
    include: GetStoreHistoryQueryInclude
    """`retracted`: retracted signals beside the confirmed ones"""
    retracted_from: str
    """Only retracted signals, with or without include: earliest retracted_at, inclusive. ISO 8601, UTC"""
    retracted_to: str
    """Only retracted signals, with or without include: latest retracted_at, inclusive. ISO 8601, UTC"""
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class SearchSignalsQuery(TypedDict, total=False):
    from_: str
    """Earliest effective_at, inclusive. ISO 8601, UTC"""
    to: str
    """Latest effective_at, inclusive. ISO 8601, UTC"""
    type: HistorySignalType | Sequence[HistorySignalType]
    """Only signals of these types. One value or several, separated by commas"""
    technology: str | Sequence[str]
    """Only signals of this technology; for platform_changed and status_changed the platform. One value or several,
    separated by commas"""
    category: str
    """Category of the technology; an unknown one gives an empty page"""
    include: GetStoreHistoryQueryInclude
    """`retracted`: retracted signals beside the confirmed ones"""
    retracted_from: str
    """Only retracted signals, with or without include: earliest retracted_at, inclusive. ISO 8601, UTC"""
    retracted_to: str
    """Only retracted signals, with or without include: latest retracted_at, inclusive. ISO 8601, UTC"""
    from_value: str | Sequence[str]
    """The signal's `from`: a platform, an install_state or a status. One value or several, separated by commas"""
    to_value: str | Sequence[str]
    """The signal's `to`: a platform, an install_state or a status. One value or several, separated by commas"""
    kind: TechnologyKind
    """Kind of the technology"""
    platform: str | Sequence[str]
    """Platform slug of the store when the signal was confirmed. One value or several, separated by commas"""
    country: str | Sequence[str]
    """Country of the store when the signal was confirmed; ZZ: unknown. One value or several, separated by commas"""
    industry: str | Sequence[str]
    """Industry slug of the store when the signal was confirmed. One value or several, separated by commas"""
    confidence: HistorySignalConfidence
    """Only signals of this confidence"""
    confirmed_from: str
    """Earliest confirmed_at, inclusive; required with order=asc. ISO 8601, UTC"""
    confirmed_to: str
    """Latest confirmed_at, inclusive. ISO 8601, UTC"""
    list_id: str
    """Only signals of the stores of this list, as it is when the page is read; an unknown one is 404. Needs the
    scope read:watchlists too"""
    order: SearchSignalsQueryOrder
    """`asc`: oldest confirmed_at first, for a reader who follows next_cursor. It needs confirmed_from, and not
    retracted_from or retracted_to"""
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListEventsQuery(TypedDict, total=False):
    after: str
    """next_cursor of an earlier page, with these or other filters. Without it the page begins with the oldest event"""
    types: EventTypeName | Sequence[EventTypeName]
    """Only events of these types. One value or several, separated by commas"""
    watchlist_id: str
    """Only signals that reached the workspace by this watchlist, and changes of the watchlist itself; no scans. A
    deleted watchlist answers 404: without this filter, its events remain"""
    limit: int
    """Entries of a page"""
    order: ListEventsQueryOrder
    """asc: along the sequence. desc: one page, the latest events first, without after"""
    wait: int
    """Seconds that an empty page waits for the first event. With order=asc only. The request holds one concurrency
    slot meanwhile"""


class ListListsQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListListStoresQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListWatchlistsQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListWatchlistStoresQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListWebhooksQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListWebhookDeliveriesQuery(TypedDict, total=False):
    state: DeliveryState
    """Only deliveries in this state"""
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


class ListDeliveriesQuery(TypedDict, total=False):
    webhook_id: str
    """Only deliveries to this webhook, which may be deleted; an unknown one is 404"""
    event_id: str
    """Only deliveries of this event. An event without any delivery to a webhook of the workspace is 404"""
    from_: str
    """Earliest created_at, inclusive. ISO 8601, UTC"""
    to: str
    """Latest created_at, inclusive. ISO 8601, UTC"""
    state: DeliveryState
    """Only deliveries in this state"""
    cursor: str
    """next_cursor of the page before"""
    limit: int
    """Entries of a page"""


JobResult = EnrichJobResult | ScanJobResult | ExportPart
