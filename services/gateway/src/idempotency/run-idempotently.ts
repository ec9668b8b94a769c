import type { IncomingHttpHeaders } from 'node:http';
import { invalidField } from '@shopscope/errors';
import { deriveId, newId } from '@shopscope/ids';
import type { RequestBilling } from '../charging/request-billing.ts';
import { idempotencyKeyLength } from '../contract/headers.ts';
import type { AuthenticatedExchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply/reply.ts';
import { fingerprintOf, type IdempotentResponse, type RunOnce } from './run-once.ts';

/** Executes a POST: with an Idempotency-Key once for its content (run-once.ts), else each time, with a new charge id. */
export async function runIdempotently(
  request: { exchange: AuthenticatedExchange; headers: IncomingHttpHeaders; runOnce: RunOnce; operation: string },
  work: {
    /** What the request asks for: the same key with other content is a conflict. */
    content(): unknown;
    execute(chargeId: string, fingerprint: Buffer | undefined): Promise<IdempotentResponse>;
  },
): Promise<Reply> {
  const { exchange, headers, runOnce, operation } = request;
  const { caller, deadline, billing } = exchange;
  const key = idempotencyKeyOf(headers['idempotency-key']);
  if (key === undefined) return replyOf(await work.execute(newId('chg'), undefined));
  const { workspaceId } = caller;
  const chargeId = deriveId('chg', workspaceId, operation, key);
  const fingerprint = fingerprintOf(work.content());
  const result = await runOnce({ workspaceId, chargeId, fingerprint, deadline }, () =>
    work.execute(chargeId, fingerprint),
  );
  if (result.replayed) Object.assign(billing, { chargeId, earlier: 'replayed' } satisfies Partial<RequestBilling>);
  return replyOf(result, result.replayed);
}

function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const { min, max } = idempotencyKeyLength;
  if (typeof header !== 'string' || header.length < min || header.length > max) {
    throw invalidField('Idempotency-Key', `must have ${min} to ${max} characters, not ${header.length}`);
  }
  return header;
}

function replyOf({ status, headers, body }: IdempotentResponse, replayed = false): Reply {
  return { status, headers: replayed ? { ...headers, 'Idempotent-Replayed': 'true' } : headers, body };
}
