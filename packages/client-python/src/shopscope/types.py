"""Types of the API. Generated from docs/openapi.json: npm run generate --workspace @shopscope/client-python"""

from __future__ import annotations

from typing import Any, Literal

from ._compat import NotRequired, TypedDict



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


EventType = Literal[
    "signal.confirmed",
    "scan.completed",
    "scan.failed",
    "usage.threshold_reached",
    "key.expiring",
    "webhook.disabled",
]


DeliveryState = Literal["pending", "delivering", "succeeded", "retrying", "failed"]


DomainResultResult = Literal["added", "already_present", "error"]


DomainResultReason = Literal["invalid_domain"]


EnrichResultMatch = Literal["matched", "stale", "no_match", "error"]


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


JobType = Literal["scan", "enrich"]


JobState = Literal["queued", "running", "succeeded", "failed", "canceled"]


JobResultState = Literal["succeeded", "failed"]


OpenapiDocument = dict[str, Any]


TechnologyKind = Literal["platform", "app", "service", "theme"]


WatchlistState = Literal["active", "paused"]


WatchlistPauseReason = Literal["allowance_exhausted"]


WebhookState = Literal["active", "paused", "disabled"]


SignalType = Literal[
    "technology_added",
    "technology_removed",
    "install_state_changed",
    "platform_changed",
    "status_changed",
]


Confidence = Literal["high", "medium", "low"]


class Account(TypedDict):
    key: AccountKey
    workspace: AccountWorkspace
    plan: AccountPlan
    period: Period


class AccountKey(TypedDict):
    id: str
    """Opaque, prefix key_"""
    label: str
    prefix: str
    """Tag and first four characters of the secret; safe to log"""
    environment: str
    """live"""
    scopes: list[Scope]
    expires_at: str | None
    """ISO 8601, UTC"""


class AccountWorkspace(TypedDict):
    id: str
    """Opaque, prefix ws_"""
    name: str


class AccountPlan(TypedDict):
    slug: str
    limits: AccountPlanLimits


class AccountPlanLimits(TypedDict):
    concurrency: int
    """Simultaneous requests"""
    enrich_batch_max: int
    """Domains per enrich batch"""
    freshness_days: int
    """Whole days after which a profile is stale; 0: always"""
    history_days: int
    """Whole days that history reaches back"""
    live_refreshes_per_period: int
    rpm: int
    """Requests per minute"""


class Authentication(TypedDict):
    header: str
    keys_url: str
    scheme: Literal["bearer"]


class Billed(TypedDict):
    lookup_cached: int
    lookup_live: int


class Catalog(TypedDict):
    as_of: str
    """ISO 8601, UTC"""
    product_count: int
    available_count: int | None
    coverage: str
    """Open-ended; today one of: first_page, full, none. `first_page`: only the first products of the catalogue were
    read; counts and prices are of these, unless the store itself gives the total. `full`: the whole catalogue was
    read. `none`: no catalogue was seen; counts and prices are 0 and mean nothing."""
    currency: str
    """ISO 4217 code; XXX when no catalogue was seen"""
    price_range: CatalogPriceRange


class CatalogPriceRange(TypedDict):
    median: float
    p25: float
    p75: float


class Delivery(TypedDict):
    id: str
    """Opaque, prefix dlv_"""
    webhook_id: str
    """Opaque, prefix whk_"""
    event_id: str
    """Opaque, prefix evt_"""
    event_type: EventType
    state: DeliveryState
    attempts: list[DeliveryAttemptsItem]
    next_attempt_at: str | None
    """ISO 8601, UTC"""
    created_at: str
    """ISO 8601, UTC"""


class DeliveryAttemptsItem(TypedDict):
    at: str
    """ISO 8601, UTC"""
    status: int | None
    """null when no answer came"""
    latency_ms: int
    body_excerpt: str


class DeliveryPage(TypedDict):
    data: list[Delivery]
    next_cursor: str | None


class DomainResults(TypedDict):
    results: list[DomainResult]


class DomainResult(TypedDict):
    input: str
    domain: str | None
    """Canonical registrable domain, A-labels, lower case"""
    result: DomainResultResult
    reason: DomainResultReason | None


class DomainsRequest(TypedDict):
    domains: list[str]


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
    `no_match`: the domain is unknown, which does not mean that the site is no store; free. `error`: the input is not
    a domain; free."""
    reason: EnrichResultReason | None
    """not_in_corpus with no_match (unknown, which does not mean that the site is no store); invalid_domain with
    error"""
    scan_requested: bool
    """true: a scan of this domain was queued, or one of this workspace already was"""
    scan_job_id: str | None
    """The scan; the operation that reads it, GET /v1/jobs/{job_id}, comes with a later release"""
    store: Store | None
    """null with no_match and error"""


class Error(TypedDict):
    error: ErrorDetail


class ErrorDetail(TypedDict):
    code: ErrorCode
    message: str
    request_id: str
    """Prefix req_, or the X-Request-Id that was sent"""
    reset_at: NotRequired[str]
    """With payment_required: when the period ends"""
    unit: NotRequired[BillingUnit]
    """With payment_required: the unit of which too few are left"""


class Event(TypedDict):
    id: str
    """Opaque, prefix evt_"""
    type: EventType
    created_at: str
    """ISO 8601, UTC"""
    data: dict[str, Any]


class EventPage(TypedDict):
    data: list[Event]
    next_cursor: str
    """Where to resume; never null"""
    has_more: bool


class GraphqlRequest(TypedDict):
    query: str
    operationName: NotRequired[str | None]
    variables: NotRequired[dict[str, Any] | None]


class GraphqlResponse(TypedDict):
    data: NotRequired[dict[str, Any] | None]
    errors: NotRequired[list[GraphqlResponseErrorsItem]]


class GraphqlResponseErrorsItem(TypedDict):
    message: str
    path: NotRequired[list[str | int]]
    extensions: GraphqlResponseErrorsItemExtensions


class GraphqlResponseErrorsItemExtensions(TypedDict):
    code: str


class Health(TypedDict):
    status: HealthStatus
    version: str


class History(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    observation: Observation
    window: HistoryWindow
    data: list[Signal]
    """Newest effective_at first"""
    next_cursor: str | None


HistoryWindow = TypedDict(
    "HistoryWindow",
    {
        "from": "str",
        "to": "str",
        "truncated_by_plan": "bool",
    },
)


class HostDocument(TypedDict):
    name: str
    description: str
    documentation_url: str
    graphql: HostDocumentGraphql
    rest: HostDocumentRest


class HostDocumentGraphql(TypedDict):
    url: str
    access: str


class HostDocumentRest(TypedDict):
    base_url: str
    openapi_url: str
    version: str
    authentication: Authentication


class Job(TypedDict):
    id: str
    """Opaque, prefix job_"""
    type: JobType
    state: JobState
    domain: str | None
    """Canonical registrable domain, A-labels, lower case"""
    progress: JobProgress
    attempts: int
    """At most 3"""
    billed: UsageCounters
    error: JobError | None
    created_at: str
    """ISO 8601, UTC"""
    started_at: str | None
    """ISO 8601, UTC"""
    finished_at: str | None
    """ISO 8601, UTC"""


class JobProgress(TypedDict):
    total: int
    done: int
    failed: int


class JobError(TypedDict):
    code: str
    message: str


class JobPage(TypedDict):
    data: list[Job]
    next_cursor: str | None


class JobResults(TypedDict):
    data: list[JobResult]
    next_cursor: str | None


class JobResult(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    state: JobResultState
    error: JobResultError | None


class JobResultError(TypedDict):
    code: str
    message: str


class List(TypedDict):
    id: str
    """Opaque, prefix lst_"""
    name: str
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC"""


class ListCreate(TypedDict):
    name: str


class ListEnrichRequest(TypedDict):
    refresh: NotRequired[bool]


class ListPage(TypedDict):
    data: list[List]
    next_cursor: str | None


class ListUpdate(TypedDict):
    name: NotRequired[str]


class MemberPage(TypedDict):
    data: list[Member]
    next_cursor: str | None


class Member(TypedDict):
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    added_at: str


class Observation(TypedDict):
    coverage_note: str | None
    """What could not be seen or is not listed (always with scope partial), that the name is only the domain, and
    what was looked at; in words"""
    last_completed_scan_at: str
    """ISO 8601, UTC"""
    scope: str
    """Open-ended; today one of: full, partial. `full`: the home page was seen completely and the listing was tried;
    coverage_note names what else was looked at; a technology that is not listed may be treated as absent. `partial`:
    a part could not be seen or is not listed, and coverage_note says which; a technology that is not listed may
    still be there."""


class Period(TypedDict):
    starts_at: str
    """ISO 8601, UTC"""
    ends_at: str
    """ISO 8601, UTC"""
    included: UsageCounters
    used: UsageCounters


class ServiceIndex(TypedDict):
    authentication: Authentication
    documentation_url: str
    endpoints: dict[str, str]
    """Operation id to URL template; placeholders in braces are path parameters"""
    openapi_url: str
    version: str


Signal = TypedDict(
    "Signal",
    {
        "id": "str",
        "type": "str",
        "technology": "str",
        "from": "str | None",
        "to": "str | None",
        "confidence": "str",
        "effective_at": "str",
        "confirmed_at": "str",
    },
)


class SignalPage(TypedDict):
    data: list[StoreSignal]
    next_cursor: str | None


class Store(TypedDict):
    brand_group_id: str
    """Opaque, prefix bg_"""
    domain: str
    """Canonical registrable domain, A-labels, lower case"""
    storefront_host: str
    """Host that serves the shop; equal to domain when it is the same"""
    storefront_id: str
    """Opaque, prefix sf_"""
    name: str
    profile_url: str
    catalog: Catalog
    geography: StoreGeography
    industry: StoreIndustry
    observation: Observation
    platform: StorePlatform
    status: StoreStatus
    technologies: list[StoreTechnology]
    recent_signals: list[Signal]
    """The last five confirmed signals, newest first"""


class StoreGeography(TypedDict):
    basis: str
    """Open-ended; today one of: observed, declared, inferred, unknown. `declared`: the store states the country
    itself, for example in the address of its structured data. `observed`: the country was seen in the store's pages
    or settings. `inferred`: concluded from the domain ending, a phone number, the currency or the language.
    `unknown`: nothing was seen; country is ZZ."""
    country: str
    """ISO 3166-1 alpha-2; ZZ when unknown"""


class StoreIndustry(TypedDict):
    basis: str
    """Open-ended; today one of: classified, declared, unknown. `classified`: concluded from the words of the store's
    pages and products. `declared`: the store states the industry itself. `unknown`: too little was seen; slug is
    unclassified."""
    slug: str


class StorePlatform(TypedDict):
    name: str
    slug: str
    confidence: str
    """Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree.
    `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform
    custom."""
    first_observed_at: str
    """ISO 8601, UTC"""
    last_confirmed_at: str
    """ISO 8601, UTC"""


class StoreStatus(TypedDict):
    state: str
    """Open-ended; today one of: active_storefront, password_protected, redirected, parked, unreachable, closed,
    not_a_storefront. `active_storefront`: a shop that trades. `password_protected`: the shop is behind a password
    page. `redirected`: the domain leads to another site. `parked`: the domain is parked or for sale. `unreachable`:
    the site did not answer, or answered with an error. `closed`: the shop says that it is closed, or its page is
    gone. `not_a_storefront`: a site that answers and shows no shop."""
    as_of: str
    """ISO 8601, UTC"""


class StoreResponse(TypedDict):
    match: Literal["matched"]
    """matched also when the profile is stale"""
    store: Store


StoreSignal = TypedDict(
    "StoreSignal",
    {
        "id": "str",
        "type": "str",
        "technology": "str",
        "from": "str | None",
        "to": "str | None",
        "confidence": "str",
        "effective_at": "str",
        "confirmed_at": "str",
        "domain": "str",
        "storefront_id": "str",
    },
)


class StoreTechnology(TypedDict):
    category: str
    confidence: str
    """Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree.
    `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform
    custom."""
    first_observed_at: str
    """ISO 8601, UTC"""
    install_state: str
    """Open-ended; today one of: configured, active, inactive. `configured`: loaded or set up, but never seen
    working. `active`: seen working. `inactive`: was active before, is still set up, and is no longer seen working."""
    last_confirmed_at: str
    """ISO 8601, UTC"""
    name: str
    slug: str


class Technology(TypedDict):
    slug: str
    """Canonical identifier, the same in store profiles and signals"""
    name: str
    kind: TechnologyKind
    category: str
    vendor: str
    website: str
    listing_url: str


class TechnologyPage(TypedDict):
    data: list[Technology]
    next_cursor: str | None


class Usage(TypedDict):
    period: Period
    by_key: list[UsageOfKey]
    """Every active key, and revoked or expired ones that spent units in the period"""


class UsageOfKey(TypedDict):
    key_id: str
    """Opaque, prefix key_"""
    label: str
    used: UsageCounters


class UsageCounters(TypedDict):
    history_query: int
    lookup_cached: int
    lookup_live: int
    refresh_requested: int


class Watchlist(TypedDict):
    id: str
    """Opaque, prefix wl_"""
    name: str
    event_types: list[EventType]
    technologies: list[str]
    rescan_interval_days: int | None
    """At least plan.limits.freshness_days; null: no rescans"""
    state: WatchlistState
    pause_reason: WatchlistPauseReason | None
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC"""


class WatchlistCreate(TypedDict):
    name: str
    event_types: list[EventType]
    technologies: list[str]
    rescan_interval_days: int | None
    """At least plan.limits.freshness_days; null: no rescans"""


class WatchlistPage(TypedDict):
    data: list[Watchlist]
    next_cursor: str | None


class WatchlistUpdate(TypedDict):
    name: NotRequired[str]
    event_types: NotRequired[list[EventType]]
    technologies: NotRequired[list[str]]
    rescan_interval_days: NotRequired[int | None]
    """At least plan.limits.freshness_days; null: no rescans"""
    state: NotRequired[WatchlistState]


class Webhook(TypedDict):
    id: str
    """Opaque, prefix whk_"""
    url: str
    """https only"""
    event_types: list[EventType]
    watchlist_ids: NotRequired[list[str]]
    description: str
    state: WebhookState
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC"""


class WebhookCreate(TypedDict):
    url: str
    """https only"""
    event_types: list[EventType]
    watchlist_ids: NotRequired[list[str]]
    description: str


class WebhookPage(TypedDict):
    data: list[Webhook]
    next_cursor: str | None


WebhookReplay = TypedDict(
    "WebhookReplay",
    {
        "from": "str",
        "to": "str",
    },
)


class WebhookReplayed(TypedDict):
    events: int


class WebhookRotate(TypedDict):
    overlap_hours: NotRequired[int]


class WebhookUpdate(TypedDict):
    url: NotRequired[str]
    """https only"""
    event_types: NotRequired[list[EventType]]
    watchlist_ids: NotRequired[list[str]]
    description: NotRequired[str]
    state: NotRequired[WatchlistState]


class WebhookWithSecret(TypedDict):
    id: str
    """Opaque, prefix whk_"""
    url: str
    """https only"""
    event_types: list[EventType]
    watchlist_ids: NotRequired[list[str]]
    description: str
    state: WebhookState
    created_at: str
    """ISO 8601, UTC"""
    updated_at: str
    """ISO 8601, UTC"""
    secret: str
    """Shown once"""


class ListTechnologiesQuery(TypedDict, total=False):
    kind: TechnologyKind
    category: str
    """Category slug; an unknown one gives an empty page. The categories, with the number of their technologies:
    a-b-testing (32), accessibility (38), advertising (167), affiliate-programs (85), analytics (216),
    appointment-scheduling (33), augmented-reality (13), authentication (17), blogs (14), buy-now-pay-later (66),
    caching (25), cart-abandonment (9), cdn (51), cms (279), comment-systems (9), content-curation (35),
    cookie-compliance (88), crm (22), cross-border-ecommerce (10), customer-data-platform (27), databases (4),
    digital-asset-management (17), ecommerce (304), ecommerce-frontends (3), editors (15), email (54),
    feature-management (2), font-scripts (62), fulfilment (47), geolocation (5), hosting (11), iaas (2),
    issue-trackers (2), javascript-frameworks (61), javascript-graphics (53), javascript-libraries (713), live-chat
    (129), livestreaming (7), load-balancers (4), loyalty-and-rewards (22), magento-extensions (138), magento-themes
    (12), maps (40), marketing-automation (112), miscellaneous (76), mobile-frameworks (4), opencart-extensions (24),
    opencart-themes (14), operating-systems (17), paas (32), page-builders (53), payment-processors (138),
    performance (63), personalisation (111), prestashop-modules (125), prestashop-themes (7), programming-languages
    (24), recruitment-and-staffing (16), referral-marketing (7), reservations-and-delivery (25), retargeting (7),
    returns (12), reverse-proxies (5), reviews (84), rich-text-editors (10), rum (22), search-engines (47), security
    (73), segmentation (4), seo (27), shopify-apps (242), shopify-themes (123), shopware-plugins (37),
    static-site-generator (16), surveys (23), tag-managers (10), ticket-booking (2), translation (17), ui-frameworks
    (48), user-onboarding (9), video-players (38), web-frameworks (71), web-server-extensions (13), web-servers (70),
    widgets (114), wordpress-plugins (1169), wordpress-themes (413)."""
    q: str
    """Case-insensitive prefix of name or slug"""
    cursor: str
    """next_cursor of the page before"""
    limit: int


class GetStoreHistoryQuery(TypedDict, total=False):
    from_: str
    """ISO 8601, UTC"""
    to: str
    """ISO 8601, UTC"""
    type: SignalType
    technology: str
    category: str
    cursor: str
    """next_cursor of the page before"""
    limit: int


class SearchSignalsQuery(TypedDict, total=False):
    from_: str
    """ISO 8601, UTC"""
    to: str
    """ISO 8601, UTC"""
    type: SignalType
    technology: str
    category: str
    kind: TechnologyKind
    platform: str
    country: str
    industry: str
    confidence: Confidence
    confirmed_from: str
    """ISO 8601, UTC"""
    confirmed_to: str
    """ISO 8601, UTC"""
    list_id: str
    """Opaque, prefix lst_"""
    cursor: str
    """next_cursor of the page before"""
    limit: int


class PollEventsQuery(TypedDict, total=False):
    after: str
    types: str
    """Comma-separated event types"""
    watchlist_id: str
    """Opaque, prefix wl_"""
    limit: int


class ListListsQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int


class ListListStoresQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int


class ListWatchlistsQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int


class ListWatchlistStoresQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int


class ListJobsQuery(TypedDict, total=False):
    state: JobState
    type: JobType
    cursor: str
    """next_cursor of the page before"""
    limit: int


class GetJobResultsQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int


class ListWebhooksQuery(TypedDict, total=False):
    cursor: str
    """next_cursor of the page before"""
    limit: int


class ListDeliveriesQuery(TypedDict, total=False):
    state: DeliveryState
    cursor: str
    """next_cursor of the page before"""
    limit: int
