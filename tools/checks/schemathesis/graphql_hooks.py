"""Judges the responses to GraphQL documents.

schemathesis generates documents, valid ones and invalid ones, and reports 5xx. Its own checks of the response expect `errors` in the body.
This API has errors in the envelope of REST instead, so the check here compares each response with the document, the schema and the envelope.
"""

import atexit
import json
import os
import re
import threading
from pathlib import Path

import graphql
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData

_PLACE = re.compile(r"\(line \d+, column \d+\)")
# The list in graphql.toml, whose values cannot come from the environment.
_ANY_LIST = "lst_00000000000000000000000000"
_CURSOR = re.compile(r'\bafter: "(?:[^"\\\n]|\\.)*"')
_EMPTY_LIST = re.compile(r": \[\]")
_UNITS = ["lookup_cached", "history_query"]


def _member(source, info, **_):
    return source[info.path.key]


def _text(data):
    """The same text for equal data in the same order. The library writes each Float with a point."""
    return json.dumps(json.loads(json.dumps(data), parse_int=float))


def _data_problem(schema, document, data):
    """The executor of the reference library must read the same data from the data, without an error."""
    result = graphql.execute(schema, document, root_value=data, field_resolver=_member)
    if result.errors:
        return f"data does not fit the schema: {result.errors[0].message}"
    return None if _text(result.data) == _text(data) else "data has other members than the document"


def _cost_problem(extensions):
    cost = extensions.get("cost") if isinstance(extensions, dict) and list(extensions) == ["cost"] else None
    if not isinstance(cost, dict) or sorted(cost) != ["billed", "nodes", "requested"]:
        return "extensions has another form than cost"
    requested, billed = cost["requested"], cost["billed"]
    if list(requested) != _UNITS or list(billed) != _UNITS:
        return "cost does not name its units"
    if any(not 0 <= billed[unit] <= requested[unit] for unit in _UNITS):
        return "billed is above requested"
    return None


def _success_problem(schema, document, body):
    if sorted(body) != ["data", "extensions"]:
        return "the body has other members than data and extensions"
    return _data_problem(schema, document, body["data"]) or _cost_problem(body["extensions"])


def _error_problem(response, body, is_valid):
    error = body.get("error")
    if list(body) != ["error"] or not isinstance(error, dict):
        return "the body is not the envelope"
    code, message, request_id = (error.get(name) for name in ("code", "message", "request_id"))
    if not isinstance(message, str) or request_id != response.headers.get("x-request-id", [None])[0]:
        return "the envelope has no message or another request id"
    if response.status_code == 404 and code == "not_found":
        # A list that does not exist.
        return None if is_valid else "an invalid document gets 404"
    if response.status_code != 400 or code != "invalid_request":
        return f"{response.status_code} {code} is not an answer to a document"
    return None if _PLACE.search(message) else f"the message names no place: {message}"


def _problem(case, response):
    schema = case.operation.schema.client_schema
    try:
        body = response.json()
    except ValueError:
        return "the body is no JSON"
    if not isinstance(body, dict):
        return "the body is no object"
    document = graphql.parse(case.body)
    is_valid = not graphql.validate(schema, document)
    if response.status_code != 200:
        return _error_problem(response, body, is_valid)
    return _success_problem(schema, document, body) if is_valid else "an invalid document is accepted"


_judged = 0
_counting = threading.Lock()


@schemathesis.check
def graphql_response(ctx, response, case):
    global _judged
    # 5xx is a failure of another check.
    if response.status_code >= 500:
        return
    problem = _problem(case, response)
    with _counting:
        _judged += 1
    assert problem is None, problem


@schemathesis.hook
def before_call(context, case, kwargs):
    body = case.body.replace(_ANY_LIST, os.environ["SHOPSCOPE_CHECK_LIST_ID"])
    # Random cursors and empty lists are refused. Half of the documents have none, so that some of them are accepted.
    case.body = _EMPTY_LIST.sub(": null", _CURSOR.sub("after: null", body)) if len(body) % 2 == 0 else body


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """graphql_response judges refusals, whose body has no `errors`."""
    return not (isinstance(failure, AcceptedNegativeData) and response.status_code == 400)


@atexit.register
def _write_judged_count():
    Path(os.environ["SHOPSCOPE_CHECK_SERVED_FILE"]).write_text(str(_judged), encoding="ascii")
