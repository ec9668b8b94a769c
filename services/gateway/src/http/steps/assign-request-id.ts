import { invalidField } from '@shopscope/errors';
import { requestIdPattern } from '../../contract/headers.ts';
import { quoted } from '../input/sanitized-input.ts';
import type { ReceivedRequest } from '../request.ts';

/** Uses the caller's X-Request-Id. An invalid one is 400, under the generated id that the request already has. */
export function assignRequestId(request: ReceivedRequest): void {
  const sent = request.message.headers['x-request-id'];
  if (sent === undefined) return;
  if (typeof sent !== 'string' || !requestIdPattern.test(sent)) {
    const received = typeof sent === 'string' ? quoted(sent) : 'several';
    throw invalidField('X-Request-Id', `must have 8 to 64 characters from A-Z a-z 0-9 _ -, not ${received}`);
  }
  request.requestId = sent;
  request.origin = { ...request.origin, requestId: sent };
}
