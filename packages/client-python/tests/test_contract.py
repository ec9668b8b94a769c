from __future__ import annotations

import inspect
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from shopscope import AsyncClient, Client, types

REPOSITORY = Path(__file__).parents[3]
CONTRACT = REPOSITORY / "docs/openapi.json"

pytestmark = pytest.mark.skipif(not CONTRACT.exists(), reason="openapi.json is in the repository, not in the package")


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.strip()


RELEASE = output_of(REPOSITORY / ".ci/last-release") if CONTRACT.exists() else ""


@pytest.fixture(params=["docs/openapi.json", *([RELEASE] if RELEASE else [])])
def contract(request: pytest.FixtureRequest) -> Any:
    """The contract of this commit, and that of the last release when there is one."""
    is_current = request.param == "docs/openapi.json"
    return json.loads(CONTRACT.read_text() if is_current else output_of("git", "show", f"{RELEASE}:docs/openapi.json"))


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def public_methods(client: type) -> dict[str, Any]:
    members = inspect.getmembers(client, inspect.isfunction)
    return {name: member for name, member in members if not name.startswith("_") and name not in ("close", "aclose")}


def test_every_served_operation_of_the_api_has_a_method_in_both_clients(contract: Any) -> None:
    operations = [operation for item in contract["paths"].values() for operation in item.values()]
    served = {snake_case(operation["operationId"]) for operation in operations if operation["x-served"]}
    assert len(served) >= 9
    assert served <= public_methods(Client).keys()
    assert served <= public_methods(AsyncClient).keys()


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    def parameters(method: Any) -> list[tuple[str, Any, Any]]:
        every = inspect.signature(method).parameters.values()
        return [(each.name, each.kind, each.default) for each in every]

    methods, async_methods = public_methods(Client), public_methods(AsyncClient)
    assert methods.keys() == async_methods.keys()
    for name, method in methods.items():
        assert parameters(method) == parameters(async_methods[name])
        if name != "enrich_all":
            assert inspect.getdoc(method) == inspect.getdoc(async_methods[name])


def test_every_member_of_every_schema_of_the_contract_is_in_the_types(contract: Any) -> None:
    for name, schema in contract["components"]["schemas"].items():
        of_type = getattr(types, name)
        if "anyOf" in schema:
            members = [getattr(types, each["$ref"].rpartition("/")[2]) for each in schema["anyOf"]]
            assert list(of_type.__args__) == members
        elif schema["type"] == "string":
            assert of_type is str
        elif schema.get("additionalProperties") != {}:
            assert schema.get("properties", {}).keys() <= of_type.__annotations__.keys()


def test_every_error_code_of_the_contract_is_in_the_types(contract: Any) -> None:
    error = contract["components"]["schemas"]["Error"]["properties"]["error"]
    assert set(error["properties"]["code"]["x-extensible-enum"]) <= set(types.ErrorCode.__args__)  # type: ignore[attr-defined]
