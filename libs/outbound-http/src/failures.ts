import { errors } from 'undici';
import { OutboundError, type OutboundErrorCode } from './errors.ts';

const codeByCause: Record<string, OutboundErrorCode> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  // This machine has no route or no free port. The server did not cause that.
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
  // The parser of the HTTP client asserts that a status is at least 100.
  ERR_ASSERTION: 'invalid_response',
};

/**
 * Returns the failure that follows from a failed connection or request. The caller throws it.
 *
 * - The failure is undecided -> the failure itself, even if a time limit has passed meanwhile.
 * - A time limit caused the abort -> OutboundError `timeout`.
 * - Another abort -> the reason of `abort`.
 * - A network, TLS, DNS or protocol error -> OutboundError with the matching code.
 * - Any other error is a defect of this process -> the error itself.
 */
export function failureOf(error: unknown, abort: AbortSignal): unknown {
  if (error instanceof OutboundError && error.isUndecided) return error;
  const cause = abort.aborted ? abort.reason : error;
  if (cause instanceof OutboundError) return cause;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new OutboundError('timeout', 'the time limit passed', { cause });
  }
  if (abort.aborted) return cause;
  const name = String((cause as { code?: unknown } | undefined)?.code ?? '');
  const code = codeByCause[name] ?? codeByPrefix(name);
  if (code) return new OutboundError(code, name, { cause });
  return isClientError(cause) ? new OutboundError('invalid_response', name || cause.message, { cause }) : cause;
}

/** Other errors of the HTTP client are caused by the server, if the arguments of the request are valid. */
function isClientError(error: unknown): error is Error {
  return error instanceof errors.UndiciError || (error instanceof Error && error.name === 'HTTPParserError');
}

function codeByPrefix(name: string): OutboundErrorCode | undefined {
  if (name.startsWith('HPE_') || name.startsWith('Z_') || name.startsWith('ERR_BROTLI')) return 'invalid_response';
  if (/^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(name)) return 'tls_failure';
  return undefined;
}
