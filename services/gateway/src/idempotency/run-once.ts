import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Deadline } from '@shopscope/async';
import { bodyConflict, OutcomeUnknownError, remainingWorkMs } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import { AppError, type AppErrorOptions } from '@shopscope/errors';
import { canonicalJson } from '@shopscope/text';
import { isSlotMoving } from '../redis/redis-circuit-breaker.ts';
import type { BeginOutcome, Execution, IdempotencyStore, StoredResponse } from './redis-store.ts';

/**
 * Executes a request once per Idempotency-Key and body within 24 hours. Its 2xx response is stored and replayed byte for
 * byte. Other responses are not stored: a retry executes again.
 *
 * Concurrency:
 * - Another execution of the same key and body is in progress -> the request waits for it, and replays its response.
 * - An execution lost its lock (its process was suspended, or Redis lost its data) -> it never sends its own response. It
 *   sends the stored response of another execution. If there is none, it takes the lock again, voids its charge and
 *   responds `unavailable` (docs/decisions/0011-withhold-response-after-losing-idempotency-lock.md).
 *
 * Failures:
 * - The workspace, or all workspaces together, have used up the space for stored responses -> `unavailable`, before anything
 *   happens. A key with a stored response still replays it.
 * - Redis is unavailable at the start -> `unavailable`, before anything happens.
 * - The key's slot of a cluster moves at the start -> the request waits for the end of the move.
 * - Redis is unavailable after the charge -> the response is sent without being stored.
 */
export interface IdempotentResponse {
  status: number;
  /** The headers that are stored with the response, billing headers included. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body that is stored and replayed, if it differs: without a secret that is shown once. */
  replayedBody?: Buffer;
  /** Voids the charge of the response. Undefined if there is no charge. */
  voidCharge: (() => Promise<void>) | undefined;
}

export interface IdempotentRequest {
  workspaceId: string;
  /** The charge id. It is derived from the workspace, the operation and the Idempotency-Key. */
  chargeId: string;
  fingerprint: Buffer;
  deadline: Deadline;
}

export type RunOnceOutcome =
  | 'executed'
  | 'replayed'
  | 'conflict'
  | 'timed_out'
  | 'full'
  | 'total_full'
  | 'lost'
  | 'redis_unavailable'
  | 'not_stored';

export interface RunOnceDependencies {
  /** The stored responses. */
  responses: Pick<IdempotencyStore, 'begin' | 'finish' | 'read' | 'abandon'>;
  clock: Pick<Clock, 'sleep'>;
  onIdempotentRequest(outcome: RunOnceOutcome): void;
}

type MaybeReplayed = IdempotentResponse & { replayed: boolean };

const pollMs = { min: 15, max: 120 } as const;
/** An execution starts only when at least this much time is left. */
const minExecutionMs = 1_000;
const compressAboveBytes = 1_024;
const gzipAsync = promisify<Buffer, { level: number }, Buffer>(gzip);
const gunzipAsync = promisify<Buffer, Buffer>(gunzip);

/** Returns the hash of a parsed body. The hash does not depend on spacing or on the order of members. */
export function fingerprintOf(body: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(body)).digest();
}

function unavailable(
  { onIdempotentRequest }: RunOnceDependencies,
  outcome: RunOnceOutcome,
  message: string,
  options: AppErrorOptions = {},
): AppError {
  onIdempotentRequest(outcome);
  return new AppError('unavailable', message, options);
}

export const redisUnavailable = (deps: RunOnceDependencies) => (cause: unknown) => {
  throw unavailable(deps, 'redis_unavailable', 'Idempotent requests cannot be taken right now; retry shortly.', {
    cause,
  });
};

async function replay(deps: RunOnceDependencies, execution: Execution): Promise<MaybeReplayed | undefined> {
  const stored = await deps.responses.read(execution).catch(redisUnavailable(deps));
  if (!stored) return undefined;
  deps.onIdempotentRequest('replayed');
  const body = stored.encoding === 'gzip' ? await gunzipAsync(stored.body) : stored.body;
  return { status: stored.status, headers: stored.headers, body, voidCharge: undefined, replayed: true };
}

/** Waits while another execution holds the lock, or the slot of the key moves, and enough time is left for an execution. */
async function beginOrWait(
  deps: RunOnceDependencies,
  execution: Execution,
  leftMs: () => number,
): Promise<BeginOutcome> {
  for (let pauseMs: number = pollMs.min; ; pauseMs = Math.min(pollMs.max, pauseMs * 2)) {
    const isTimeLeft = () => leftMs() >= minExecutionMs + pauseMs;
    const outcome = await deps.responses.begin(execution).catch((error: unknown) => {
      if (isSlotMoving(error) && isTimeLeft()) return 'moving' as const;
      return redisUnavailable(deps)(error);
    });
    if (outcome !== 'moving' && (outcome !== 'busy' || !isTimeLeft())) return outcome;
    await deps.clock.sleep(pauseMs);
  }
}

/** Finds out which execution holds the lock. Until that is known, no status can report what was billed. */
async function beginAgain(deps: RunOnceDependencies, execution: Execution, deadline: Deadline) {
  try {
    // Continues after the caller has disconnected, because the charge must be settled.
    const outcome = await beginOrWait(deps, execution, () => remainingWorkMs(deadline));
    const stored = outcome === 'stored' ? await replay(deps, execution) : undefined;
    if (outcome === 'stored' && !stored) throw new Error('the stored response expired before it was read');
    return { outcome, stored };
  } catch (error) {
    throw new OutcomeUnknownError(error);
  }
}

async function settleAfterLostLock(
  deps: RunOnceDependencies,
  execution: Execution,
  response: IdempotentResponse,
  deadline: Deadline,
): Promise<MaybeReplayed | undefined> {
  const { outcome, stored } = await beginAgain(deps, execution, deadline);
  if (outcome === 'stored') return stored;
  // The other execution may be sending a response with this charge.
  if (outcome === 'busy') throw new OutcomeUnknownError(new Error('another execution still holds the lost lock'));
  await response.voidCharge?.();
  if (outcome === 'acquired') await deps.responses.abandon(execution);
  return undefined;
}

export async function runOnce(
  deps: RunOnceDependencies,
  { workspaceId, chargeId, fingerprint, deadline }: IdempotentRequest,
  execute: () => Promise<IdempotentResponse>,
): Promise<MaybeReplayed> {
  const token = randomBytes(12).toString('base64url');
  const execution: Execution = { workspaceId, name: chargeId, token, fingerprint: fingerprint.toString('hex') };

  switch (await beginOrWait(deps, execution, () => deadline.remainingMs)) {
    case 'stored': {
      const stored = await replay(deps, execution);
      if (stored) return stored;
      throw unavailable(deps, 'timed_out', 'The stored response has just expired; retry shortly.');
    }
    case 'conflict':
      deps.onIdempotentRequest('conflict');
      throw bodyConflict();
    case 'full':
      throw unavailable(
        deps,
        'full',
        'The workspace keeps too many idempotent answers; retry without an Idempotency-Key or later.',
        { fault: 'limit' },
      );
    case 'total_full':
      throw unavailable(
        deps,
        'total_full',
        'Too many idempotent answers are kept at the moment; retry without an Idempotency-Key or later.',
      );
    case 'busy':
      throw unavailable(deps, 'timed_out', 'An identical request is still in flight; retry shortly.');
    case 'acquired':
  }

  let response: IdempotentResponse;
  try {
    response = await execute();
  } catch (error) {
    await deps.responses.abandon(execution);
    throw error;
  }
  const finished = await deps.responses.finish(execution, await toStored(response)).catch(() => 'not_stored' as const);
  if (finished === 'stored' || finished === 'not_stored') {
    deps.onIdempotentRequest(finished === 'stored' ? 'executed' : 'not_stored');
    return { ...response, replayed: false };
  }
  const stored = await settleAfterLostLock(deps, execution, response, deadline);
  if (stored) return stored;
  throw unavailable(deps, 'lost', 'The request was interrupted; retry shortly.');
}

async function toStored({ status, headers, ...response }: IdempotentResponse): Promise<StoredResponse> {
  const body = response.replayedBody ?? response.body;
  if (body.length < compressAboveBytes) return { status, headers, body, encoding: 'identity' };
  return { status, headers, body: await gzipAsync(body, { level: 1 }), encoding: 'gzip' };
}
