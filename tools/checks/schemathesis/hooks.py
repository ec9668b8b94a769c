"""Answers that the contract asks for where schemathesis, which knows HTTP at large, expects others.

Each rule is as narrow as it can be told: the check, the operation, and the words of the answer. Whatever else that check
finds there still fails. Beside that, the answers of operations that are served are counted, which its own report does not.
"""

import atexit
import os
import threading
from pathlib import Path

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData, UnsupportedMethodResponse


def _error(response):
    """Code and message of the error envelope, empty when the body is something else."""
    try:
        error = response.json()["error"]
        return error["code"], error["message"]
    except (ValueError, KeyError, TypeError):
        return "", ""


def _wrong_method_is_no_such_route(failure, case, response):
    """The contract has no 405: a wrong method on a known path is 404 not_found, like any route that does not exist.

    Below /v1 such a route asks for a key first, also where the right method would be public.
    """
    if not isinstance(failure, UnsupportedMethodResponse):
        return False
    code, _ = _error(response)
    if response.status_code == 401:
        return code == "unauthorized" and case.operation.path.startswith("/v1")
    return response.status_code == 404 and code == "not_found"


# Field → operation where a value may be well-formed and still mean nothing: whether a name ends in a public suffix is
# in a list of thousands of rows, whether a cursor is ours in its signature. No schema can say either.
_MEANINGLESS = {"getStore": "domain", "listTechnologies": "cursor"}


def _no_schema_can_say(failure, case, response):
    field = _MEANINGLESS.get(case.operation.definition.raw.get("operationId"))
    code, message = _error(response)
    return (
        isinstance(failure, RejectedPositiveData)
        and response.status_code == 400
        and code == "invalid_request"
        and field is not None
        and message.startswith(f"{field}: ")
    )


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not (
        _wrong_method_is_no_such_route(failure, case, response) or _no_schema_can_say(failure, case, response)
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
def _tell_served():
    Path(os.environ["SHOPSCOPE_CHECK_SERVED_FILE"]).write_text(str(_served), encoding="ascii")
