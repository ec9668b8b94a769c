"""Accepts responses that the contract defines and that schemathesis does not expect.

Each rule matches one check, one operation and one error text. Every other finding of that check still fails. The hooks also
count the responses of served operations, which the report of schemathesis does not contain.
"""

import atexit
import os
import re
import threading
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import unquote

import schemathesis
from schemathesis.generation.meta import CoverageScenario, coverage_scenario
from schemathesis.openapi.checks import RejectedPositiveData, UnsupportedMethodResponse


def _error(response):
    """Code and message of the error envelope; empty for any other body."""
    try:
        error = response.json()["error"]
        return error["code"], error["message"]
    except (ValueError, KeyError, TypeError):
        return "", ""


def _is_wrong_method(failure, case, response):
    """The contract has no 405. A wrong method on a known path gets 404 not_found, like a route that does not exist.

    Below /v1 such a route requires a key first, even if the right method is public.
    """
    if not isinstance(failure, UnsupportedMethodResponse):
        return False
    code, _ = _error(response)
    if response.status_code == 401:
        return code == "unauthorized" and case.operation.path.startswith("/v1")
    return response.status_code == 404 and code == "not_found"


# The vocabulary of filters, the characters of a description, and the names and values of headers.
_OF_WEBHOOK = {
    "description",
    "filters.technology",
    "filters.category",
    "filters.platform",
    "filters.country",
    "filters.industry",
    "headers",
}

# The vocabulary, clauses that exclude each other, ranges, and what a page may bill.
_OF_SEARCH = re.compile(
    r"where\b|cursor|max_units|facets|facet_size|(platform|country|industry|technology|category|list|dropped)_?(any|all|none)?$"
    r"|install_state|confidence_min|(first_observed|dropped|moved|products)_(from|to|min|max|from_platform|to_platform)"
)

# Operation → fields whose value may be well-formed but have no meaning. A schema cannot express the list of public suffixes
# of domains, the signature of a cursor, the characters of a name, that a span ends after it begins, the vocabulary, what an order needs, which
# parameters exclude others, or a quote.
_MEANINGLESS = {
    "getStore": {"domain"},
    "requestScan": {"domain"},
    "listStores": _OF_SEARCH,
    "searchStores": _OF_SEARCH,
    "countStores": _OF_SEARCH,
    "listTechnologies": {"cursor"},
    "listJobs": {"cursor", "state", "type"},
    "getJobResults": {"cursor"},
    # With order=desc these must be absent.
    "listEvents": {"after", "wait"},
    # The data of an event has the members of its type, and a plan includes a number of units.
    "appendTestEvent": {"data"},
    "setTestAllowance": {"body", "lookup_cached", "lookup_live", "history_query", "refresh_requested"},
    "listLists": {"cursor"},
    "createList": {"name"},
    "updateList": {"name"},
    "addListStores": {"body"},
    "listListStores": {"cursor"},
    "enrichList": {"max_units"},
    "exportStores": re.compile(_OF_SEARCH.pattern + r"|columns|max_rows"),
    "removeListStore": {"domain"},
    "listWatchlists": {"cursor"},
    "createWatchlist": {"name", "technologies", "rescan_interval_days"},
    "updateWatchlist": {"name", "technologies", "rescan_interval_days"},
    "addWatchlistStores": {"body"},
    "listWatchlistStores": {"cursor"},
    "removeWatchlistStore": {"domain"},
    "listWebhooks": {"cursor"},
    "createWebhook": _OF_WEBHOOK,
    "updateWebhook": _OF_WEBHOOK,
    # 20 replays of a workspace may be unfinished.
    "replayWebhook": {"from", "to", "webhook_id"},
    "listDeliveries": {"cursor"},
    "listWebhookDeliveries": {"cursor"},
    "getStoreHistory": {"domain", "cursor", "from", "retracted_from"},
    # A schema does not express the syntax of a document, or what it could bill.
    "graphql": {"query", "variables", "operationName", "extensions.maxUnits"},
    "searchSignals": {
        "cursor",
        "from",
        "confirmed_from",
        "retracted_from",
        "order",
        "technology",
        "platform",
        "country",
        "industry",
        "from_value",
        "to_value",
    },
}


# Members with names of the caller. A message names such a member, for example `headers.x-team`.
_OF_CALLER = ("headers", "data", "variables", "extensions.maxUnits")


def _is_meaningless_value(failure, case, response):
    fields = _MEANINGLESS.get(case.operation.definition.raw.get("operationId"), set())
    code, message = _error(response)
    # `technology[1]` is a value of a list.
    field = re.sub(r"\[\d+\]$", "", message.partition(": ")[0])
    field = next((name for name in _OF_CALLER if field.startswith(f"{name}.")), field)
    return (
        isinstance(failure, RejectedPositiveData)
        and response.status_code == 400
        and code == "invalid_request"
        and (fields.match(field) if isinstance(fields, re.Pattern) else field in fields)
    )


def _is_outside_pattern(failure, case, response):
    """A link takes a value of an earlier response, such as the path template of an index, whatever the schema of the parameter says."""
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return False
    values = case.path_parameters or {}
    patterns = {
        parameter["name"]: parameter.get("schema", {}).get("pattern")
        for parameter in case.operation.definition.raw.get("parameters", [])
        if parameter.get("in") == "path"
    }
    field = _error(response)[1].partition(": ")[0]
    pattern = patterns.get(field)
    return pattern is not None and not re.search(pattern, unquote(str(values.get(field, ""))))


def _is_time(value):
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value) is not None


def _make_meaningful(operation, case):
    """A URL that may be reached, and a time span of events. A value of another form stays, because it tests that form."""
    body = case.body
    if not isinstance(body, dict):
        return
    url = body.get("url")
    if operation in ("createWebhook", "updateWebhook") and isinstance(url, str) and 0 < len(url) <= 2048:
        body["url"] = os.environ["SHOPSCOPE_CHECK_RECEIVER_URL"]
    if operation == "replayWebhook" and _is_time(body.get("from")) and _is_time(body.get("to")):
        now = datetime.now(timezone.utc)
        body["from"] = (now - timedelta(hours=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        body["to"] = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _spare_known_webhook(operation, case):
    """The known webhook is neither deleted nor paused, because other operations need it."""
    known = os.environ["SHOPSCOPE_CHECK_WEBHOOK_ID"]
    path = case.path_parameters or {}
    if operation in ("deleteWebhook", "updateWebhook") and path.get("webhook_id") == known:
        path["webhook_id"] = "whk_00000000000000000000000000"


def _use_test_key(case):
    """The operations of the test tenant exist for test keys only. A request without the key of the run keeps what it has."""
    if case.operation.definition.raw.get("x-environment") != "test":
        return
    headers = case.headers or {}
    if headers.get("Authorization") == f"Bearer {os.environ['SHOPSCOPE_CHECK_KEY']}":
        headers["Authorization"] = f"Bearer {os.environ['SHOPSCOPE_CHECK_TEST_KEY']}"


# Of the cases of a coverage scenario for a parameter, the first and each nth are sent.
_STEP = int(os.environ["SHOPSCOPE_CHECK_SCENARIO_STEP"])
_WRONG_TYPE_STEP = int(os.environ["SHOPSCOPE_CHECK_WRONG_TYPE_STEP"])
_seen = Counter()


@schemathesis.hook
def filter_case(context, case):
    """Thins the cases of each coverage scenario. Every operation and parameter keeps at least one case of each scenario that it has."""
    scenario = coverage_scenario(case)
    if scenario is None:
        return True
    step = _WRONG_TYPE_STEP if scenario is CoverageScenario.INCORRECT_TYPE else _STEP
    place = (case.operation.label, scenario, case._meta.phase.data.parameter)
    _seen[place] += 1
    return _seen[place] % step == 1 % step


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    _use_test_key(case)
    # A wait of a second tells as much as one of eight, and the run has thousands of requests.
    query = case.query or {}
    if operation == "listEvents" and str(query.get("wait")) in {"2", "3", "4", "5", "6", "7", "8"}:
        query["wait"] = "1"
    _make_meaningful(operation, case)
    _spare_known_webhook(operation, case)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not (
        _is_wrong_method(failure, case, response)
        or _is_meaningless_value(failure, case, response)
        or _is_outside_pattern(failure, case, response)
    )


_served = 0
_counting = threading.Lock()


@schemathesis.hook
def after_call(context, case, response):
    global _served
    if case.operation.definition.raw.get("x-served") is True:
        with _counting:
            _served += 1


@atexit.register
def _write_served_count():
    Path(os.environ["SHOPSCOPE_CHECK_SERVED_FILE"]).write_text(str(_served), encoding="ascii")
