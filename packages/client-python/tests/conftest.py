from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .scripted_service import Answer, ScriptedService

Start = Callable[..., ScriptedService]


@pytest.fixture(params=["sync", "async"])
def start(request: pytest.FixtureRequest) -> Iterator[Start]:
    """Starts a service with the answers of the test, and a client of it with the options of the test."""
    services: list[ScriptedService] = []

    def start_service(*answers: Answer, **options: Any) -> ScriptedService:
        service = ScriptedService(answers, request.param == "async", options)
        services.append(service)
        return service

    yield start_service
    for service in services:
        service.end()
