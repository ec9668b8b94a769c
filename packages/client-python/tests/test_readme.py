from __future__ import annotations

import os
import re
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import mypy.api
import pytest
from standardwebhooks import Webhook

from .enriching import Enriching
from .scripted_service import ScriptedService

FOLDER = Path(__file__).parents[1]


def examples() -> str:
    """All examples of the README, in their order: later ones use names of earlier ones."""
    blocks = re.findall(r"^```python\n(.*?)^```", (FOLDER / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    return "\n\n".join(blocks)


def run_examples() -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(examples(), "README.md", "exec"), names)
    names["client"].close()
    return names


def test_the_examples_of_the_readme_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    enriching = Enriching(batch_max=100)
    with ScriptedService([enriching], is_async=False, options={}) as service:
        monkeypatch.setenv("SHOPSCOPE_API_KEY", "svc_live_x")
        monkeypatch.setenv("SHOPSCOPE_BASE_URL", service.url)
        names = run_examples()
    secret, sent, body = (
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        int(time.time()),
        '{"type": "scan.failed", "data": {}}',
    )
    signature = Webhook(secret).sign("evt_1", datetime(1970, 1, 1) + timedelta(seconds=sent), body)
    headers = {"webhook-id": "evt_1", "webhook-timestamp": str(sent), "webhook-signature": signature}
    monkeypatch.setenv("SHOPSCOPE_WEBHOOK_SECRET", secret)
    assert names["receive"](headers, body.encode()) == 204
    assert names["receive"](headers, b"{}") == 400
    printed = capsys.readouterr().out
    assert "evt_1 scan.failed {}" in printed
    assert "matched.test no_match not_in_corpus" in printed
    assert enriching.keys["list-of-2026-11-0"] == 1


@pytest.mark.service
def test_the_examples_of_the_readme_run_with_the_service() -> None:
    assert os.environ["SHOPSCOPE_API_KEY"]
    run_examples()


def test_the_examples_of_the_readme_are_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "readme.py"
    file.write_text(examples())
    monkeypatch.setenv("MYPYPATH", str(FOLDER / "src"))
    cache = os.environ.get("MYPY_CACHE_DIR", str(FOLDER / ".mypy_cache"))
    said, _, status = mypy.api.run(["--strict", "--cache-dir", cache, str(file)])
    assert status == 0, said


def test_every_method_of_a_client_with_a_cost_is_in_the_readme() -> None:
    text = (FOLDER / "README.md").read_text()
    for method in ("get_store", "get_store_if_changed", "enrich_stores", "enrich_all", "request_scan", "cancel_job"):
        assert f"`{method}`" in text
