import type { AppError } from '@shopscope/errors';
import { jsonReply, type Reply } from './reply.ts';

/** Encodes an error as the error envelope of the contract. No other function does this. */
export function errorReply(error: AppError, requestId: string): Reply {
  const { reset_at, unit, retry_after: retryAfter, usage_remaining: usageRemaining } = error.details;
  const more = error.code === 'payment_required' ? { reset_at, unit } : {};
  const envelope = { error: { code: error.code, message: error.publicMessage, request_id: requestId, ...more } };
  const reply = jsonReply(error.status, envelope, {
    ...(error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(error.status === 429 || error.status === 503 ? { 'Retry-After': String(retryAfter ?? 1) } : {}),
  });
  return typeof usageRemaining === 'number' ? { ...reply, usageRemaining } : reply;
}
