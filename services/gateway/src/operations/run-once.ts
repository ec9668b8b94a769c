import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { canonicalJson } from '../domain/canonical-json.ts';
import { bodyConflict } from '../domain/charge.ts';
import { OutcomeUnknownError } from '../domain/outcome-unknown-error.ts';
import { remainingWorkMs } from '../domain/request-deadline.ts';
import type { BeginOutcome, Execution, IdempotencyStore, StoredResponse } from '../outbound/redis/idempotency.ts';

/**
 * One execution per Idempotency-Key and body within 24 hours; its 2xx answer is kept and repeated byte for byte. Others
 * are not kept: the retry runs. A twin that meets one in flight waits and repeats its answer. An execution whose lock was
 * lost (its process stood still, or Redis forgot) never sends its own answer: it sends the kept one, or takes its charge
 * back while it holds the lock anew and says `unavailable`. Without Redis the promise cannot be kept: `unavailable`,
 * before anything happens; when Redis fails after the charge, the answer is sent all the same.
 */
export interface Answer {
  status: number;
  /** Those that belong to the answer itself, billing headers among them. */
  headers: Record<string, string>;
  body: Buffer;
  /** Takes the answer's charge back. */
  undo: (() => Promise<void>) | undefined;
}

export interface RunOnce {
  workspaceId: string;
  /** Names charge and execution; derived from workspace, operation and Idempotency-Key. */
  chargeId: string;
  fingerprint: Buffer;
  deadline: Deadline;
}

export type OnceOutcome =
  | 'executed'
  | 'replayed'
  | 'conflict'
  | 'timed_out'
  | 'full'
  | 'lost'
  | 'redis_unavailable'
  | 'not_kept';

export type RunsOnce = (run: RunOnce, execute: () => Promise<Answer>) => Promise<Answer & { replayed: boolean }>;

const pollMs = { first: 15, most: 120 } as const;
/** An execution begins only when at least this much time is left. */
const beginMs = 1_000;
const compressAboveBytes = 1_024;
const gzipAsync = promisify<Buffer, { level: number }, Buffer>(gzip);
const gunzipAsync = promisify<Buffer, Buffer>(gunzip);

/** Hash of a parsed body, the same for any spacing and order of members. */
export function fingerprintOf(body: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(body)).digest();
}

export function createRunOnce(options: {
  store: IdempotencyStore;
  clock: Pick<Clock, 'sleep'>;
  onOutcome?: (outcome: OnceOutcome) => void;
}): RunsOnce {
  const { store, clock, onOutcome = () => {} } = options;
  const unavailable = (outcome: OnceOutcome, message: string, cause?: unknown) => {
    onOutcome(outcome);
    return new AppError('unavailable', message, { cause });
  };

  const begin = (at: Execution) =>
    store.begin(at).catch((error: unknown) => {
      throw unavailable('redis_unavailable', 'Idempotent requests cannot be taken right now; retry shortly.', error);
    });

  const replay = async (at: Execution): Promise<(Answer & { replayed: boolean }) | undefined> => {
    const kept = await store.read(at).catch((error: unknown) => {
      throw unavailable('redis_unavailable', 'Idempotent requests cannot be taken right now; retry shortly.', error);
    });
    if (!kept) return undefined;
    onOutcome('replayed');
    const body = kept.encoding === 'gzip' ? await gunzipAsync(kept.body) : kept.body;
    return { status: kept.status, headers: kept.headers, body, undo: undefined, replayed: true };
  };

  /** Waits while another execution holds the lock, for as long as there is time for an execution. */
  const beginOrWait = async (at: Execution, leftMs: () => number): Promise<BeginOutcome> => {
    for (let pauseMs: number = pollMs.first; ; pauseMs = Math.min(pollMs.most, pauseMs * 2)) {
      const outcome = await begin(at);
      if (outcome !== 'busy' || leftMs() < beginMs + pauseMs) return outcome;
      await clock.sleep(pauseMs);
    }
  };

  /** What became of an execution whose lock was lost. While that is unknown nobody may say what was billed. */
  const takeOver = async (at: Execution, deadline: Deadline) => {
    try {
      // Goes on when the caller has left: the charge has to be settled.
      const outcome = await beginOrWait(at, () => remainingWorkMs(deadline));
      const kept = outcome === 'stored' ? await replay(at) : undefined;
      if (outcome === 'stored' && !kept) throw new Error('the kept answer of the charge ended before it was read');
      return { outcome, kept };
    } catch (error) {
      throw new OutcomeUnknownError(error);
    }
  };

  const afterLostLock = async (at: Execution, answer: Answer, deadline: Deadline) => {
    const { outcome, kept } = await takeOver(at, deadline);
    if (outcome === 'stored') return kept;
    // Another execution still runs: it may be answering with this very charge.
    if (outcome === 'busy') throw new OutcomeUnknownError(new Error('the lock was lost and its holder has not ended'));
    await answer.undo?.();
    if (outcome === 'acquired') await store.abandon(at);
    return undefined;
  };

  return async ({ workspaceId, chargeId, fingerprint, deadline }, execute) => {
    const token = randomBytes(12).toString('base64url');
    const at: Execution = { workspaceId, name: chargeId, token, fingerprint: fingerprint.toString('hex') };

    switch (await beginOrWait(at, () => deadline.remainingMs)) {
      case 'stored': {
        const kept = await replay(at);
        if (kept) return kept;
        throw unavailable('timed_out', 'The kept answer has just ended; retry shortly.');
      }
      case 'conflict':
        onOutcome('conflict');
        throw bodyConflict();
      case 'full':
        throw unavailable(
          'full',
          'The workspace keeps too many idempotent answers; retry without an Idempotency-Key or later.',
        );
      case 'busy':
        throw unavailable('timed_out', 'An identical request is still in flight; retry shortly.');
      case 'acquired':
    }

    let answer: Answer;
    try {
      answer = await execute();
    } catch (error) {
      await store.abandon(at);
      throw error;
    }
    const finished = await store.finish(at, await keepable(answer)).catch(() => 'not_kept' as const);
    if (finished === 'kept' || finished === 'not_kept') {
      onOutcome(finished === 'kept' ? 'executed' : 'not_kept');
      return { ...answer, replayed: false };
    }
    const kept = await afterLostLock(at, answer, deadline);
    if (kept) return kept;
    throw unavailable('lost', 'The request was interrupted; retry shortly.');
  };
}

async function keepable({ status, headers, body }: Answer): Promise<StoredResponse> {
  if (body.length < compressAboveBytes) return { status, headers, body, encoding: 'identity' };
  return { status, headers, body: await gzipAsync(body, { level: 1 }), encoding: 'gzip' };
}
