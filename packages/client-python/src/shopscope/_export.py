from __future__ import annotations

import hashlib
import json
from collections import deque
from dataclasses import dataclass
from typing import Any, cast

from .errors import ShopscopeError
from .types import ExportPart, Job, JobResult, StoreRow


@dataclass(frozen=True)
class ExportedPart:
    part: int
    rows: int
    text: str
    """Lines of NDJSON, or records of CSV. The texts of all parts in their order are the file."""

    def store_rows(self) -> deque[StoreRow]:
        """The rows of a part with NDJSON."""
        return deque(json.loads(line) for line in self.text.split("\n") if line)


def part_of(job_id: str, result: JobResult) -> ExportPart:
    if "sha256" not in result:
        raise ShopscopeError(f"the job {job_id} is no export")
    return cast(ExportPart, result)


def checked_part(job_id: str, result: ExportPart, text: str) -> ExportedPart:
    if hashlib.sha256(text.encode()).hexdigest() != result["sha256"]:
        raise ShopscopeError(f"part {result['part']} of the export {job_id} differs from its sha256")
    return ExportedPart(result["part"], result["rows"], text)


def require_success(job: Job) -> None:
    if job["state"] != "succeeded":
        error = cast(Any, job["error"]) or {"message": "no error"}
        raise ShopscopeError(f"the export {job['id']} is {job['state']}: {error['message']}")
