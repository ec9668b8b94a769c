"""The Shopscope API from Python: typed, retried, paced. See `Client` and `AsyncClient`."""

from . import types
from ._async_client import AsyncClient
from ._async_pages import AsyncPaged
from ._batches import EnrichBatch
from ._client import Client
from ._enrich import EnrichedDomain, EnrichProgress
from ._export import ExportedPart
from ._pages import Paged
from ._request import CallOptions, PostOptions, ResponseInfo
from ._version import __version__
from ._webhooks import WebhookEvent, WebhookHeaders, verify_webhook
from .errors import (
    ApiError,
    ApiErrorCode,
    AttemptTimeoutError,
    JobTimeoutError,
    ShopscopeError,
    TransportError,
    WebhookVerificationError,
    WebhookVerificationReason,
)

__all__ = [
    "ApiError",
    "ApiErrorCode",
    "AsyncClient",
    "AsyncPaged",
    "AttemptTimeoutError",
    "CallOptions",
    "Client",
    "EnrichBatch",
    "EnrichProgress",
    "EnrichedDomain",
    "ExportedPart",
    "JobTimeoutError",
    "Paged",
    "PostOptions",
    "ResponseInfo",
    "ShopscopeError",
    "TransportError",
    "WebhookEvent",
    "WebhookHeaders",
    "WebhookVerificationError",
    "WebhookVerificationReason",
    "__version__",
    "types",
    "verify_webhook",
]
