import { ApiError, ConnectionError, TimeoutError } from '@shopscope/client';
import { exitCodes, InterruptedError, UsageError } from './exit-codes.ts';

const byApiCode: Partial<Record<ApiError['code'], number>> = {
  invalid_request: exitCodes.usage,
  unauthorized: exitCodes.access,
  forbidden_scope: exitCodes.access,
  not_found: exitCodes.notFound,
  payment_required: exitCodes.allowance,
  rate_limited: exitCodes.temporary,
  concurrency_limited: exitCodes.temporary,
  unavailable: exitCodes.temporary,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof InterruptedError) return exitCodes.interrupted;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return exitCodes.temporary;
  if (!(error instanceof ApiError)) return exitCodes.unexpected;
  return byApiCode[error.code] ?? (error.status >= 502 ? exitCodes.temporary : exitCodes.unexpected);
}

/** What went wrong and what to do, without a stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConnectionError) return `${error.message}. ${checkAddress}`;
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const advice = adviceOf(error);
  const requestId = error.requestId ? ` (request ${error.requestId})` : '';
  return `${error.message}${advice ? ` ${advice}` : ''}${requestId}`;
}

const checkAddress =
  'Check the address (SHOPSCOPE_BASE_URL, or that of `shopscope login --base-url`), the network, and that the service runs.';

/** Only errors whose message does not say what to do. */
function adviceOf({ code }: ApiError): string {
  if (code === 'unauthorized') return 'Run `shopscope login`, or set SHOPSCOPE_API_KEY.';
  if (code === 'not_implemented') return 'This service does not serve the operation yet.';
  return '';
}
