import type { IncomingHttpHeaders } from 'node:http';
import { chargeOf, type NamedCharge, type RequestBilling } from '@shopscope/charging';
import { invalidField } from '@shopscope/errors';
import { deriveId, newId } from '@shopscope/ids';
import { idempotencyKeyLength } from '../contract/headers.ts';
import { type Reply, storableReply } from '../http/reply/reply.ts';
import type { BillableRequest, Caller } from '../keys/caller.ts';
import {
  fingerprintOf,
  type IdempotentResponse,
  type RunOnceDependencies,
  redisUnavailable,
  runOnce,
} from './run-once.ts';
import type { TestResets } from './test-resets.ts';

export type PendingCharge = NamedCharge<Caller>;

export interface IdempotentDependencies extends RunOnceDependencies {
  resets: Pick<TestResets, 'latest'>;
}

/** The response of an operation that charges nothing. */
export const unchargedReply = (status: number, body: object): IdempotentResponse => ({
  ...storableReply(status, body),
  voidCharge: undefined,
});

/**
 * Executes a POST: with an Idempotency-Key once for its content (run-once.ts), otherwise each time, with a new charge id. `content` is
 * the content of the request. The same key with other content is a conflict. In the test tenant a key is new after a reset, except that of an
 * operation that `outlivesReset`.
 */
export async function runIdempotently(
  deps: IdempotentDependencies,
  request: BillableRequest & { headers: IncomingHttpHeaders },
  content: unknown,
  execute: (charge: PendingCharge) => Promise<IdempotentResponse>,
  { outlivesReset = false } = {},
): Promise<Reply> {
  const charge = chargeOf(request);
  const key = idempotencyKeyOf(request.headers['idempotency-key']);
  if (key === undefined) return replyOf(await execute({ ...charge, chargeId: newId('chg'), fingerprint: undefined }));
  const scope = scopeOf(request.caller);
  const reset = outlivesReset ? '' : await latestReset(deps, request.caller);
  const chargeId = deriveId('chg', `${scope}${reset}`, charge.operation, key);
  const fingerprint = fingerprintOf(content);
  const run = { workspaceId: scope, chargeId, fingerprint, deadline: request.deadline };
  const result = await runOnce(deps, run, () => execute({ ...charge, chargeId, fingerprint }));
  if (result.replayed)
    Object.assign(request.billing, { chargeId, earlier: 'replayed' } satisfies Partial<RequestBilling>);
  return replyOf(result, result.replayed);
}

/** The scope of an Idempotency-Key, and of the space for stored responses. A workspace has one in each environment. */
const scopeOf = ({ workspaceId, keyEnvironment }: Caller) =>
  keyEnvironment === 'live' ? workspaceId : `${workspaceId}/${keyEnvironment}`;

/** Returns the latest reset of the workspace. It is empty without one, and for live keys. */
async function latestReset(deps: IdempotentDependencies, { workspaceId, keyEnvironment }: Caller): Promise<string> {
  return keyEnvironment === 'live' ? '' : deps.resets.latest(workspaceId).catch(redisUnavailable(deps));
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
