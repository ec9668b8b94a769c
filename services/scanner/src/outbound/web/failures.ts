import { errors } from 'undici';
import { isUndecided, type UndecidedReason, type UnreachableReason, VisitFailure } from '../../domain/reasons.ts';

const reasonByCode: Record<string, UnreachableReason | UndecidedReason> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  // This machine has no route or no free port. The store did not cause that.
  ENETUNREACH: 'egress_broken',
  EADDRNOTAVAIL: 'egress_broken',
  EHOSTDOWN: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ERR_STREAM_PREMATURE_CLOSE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ENOTFOUND: 'dns_failure',
  EAI_AGAIN: 'dns_unavailable',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  UND_ERR_RESPONSE: 'invalid_response',
};

/**
 * Returns the failure of the visit that follows from a failed connection or request. The caller throws it.
 *
 * - The failure is undecided -> the failure itself, even if a time limit has passed meanwhile.
 * - A time limit caused the abort -> VisitFailure `timeout`.
 * - Another abort (the lease is lost, the scanner stops) -> the reason of `abort`.
 * - A network, TLS, DNS or protocol error -> VisitFailure with the matching reason.
 * - Any other error is a defect of the scanner -> the error itself.
 */
export function failureOf(error: unknown, abort: AbortSignal): unknown {
  if (isUndecided(error)) return error;
  const cause = abort.aborted ? abort.reason : error;
  if (cause instanceof VisitFailure) return cause;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new VisitFailure('timeout', 'the time limit passed', { cause });
  }
  if (abort.aborted) return cause;
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '');
  const reason = reasonByCode[code] ?? reasonByPrefix(code);
  if (reason) return new VisitFailure(reason, code, { cause });
  return isClientError(cause) ? new VisitFailure('invalid_response', code || cause.message, { cause }) : cause;
}

/** Other errors of the HTTP client are caused by the site, because the scanner sends only plain GET requests. */
function isClientError(error: unknown): error is Error {
  return error instanceof errors.UndiciError || (error instanceof Error && error.name === 'HTTPParserError');
}

function reasonByPrefix(code: string): UnreachableReason | undefined {
  if (code.startsWith('HPE_') || code.startsWith('Z_') || code.startsWith('ERR_BROTLI')) return 'invalid_response';
  if (/^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls_failure';
  return undefined;
}
