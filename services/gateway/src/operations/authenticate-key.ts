import { createDeadline, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { apiKeyDigest, parseApiKey } from '@shopscope/ids';
import { KeyStatus, type VerifyKeyResponse } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { LRUCache } from 'lru-cache';
import { type Caller, callerOf, isExpired } from '../domain/caller.ts';
import { unauthorized } from '../domain/unauthorized.ts';
import type { KeysClient } from '../outbound/grpc/keys.ts';
import type { AuthFailures } from '../outbound/memory/auth-failures.ts';

/**
 * From a bearer token to a caller. Answers of keys are remembered by the token itself, so that a hit costs one map
 * look-up and no hash; an invented token fails its checksum without any I/O. A positive answer is trusted for 30 s from
 * the START of the read on a monotonic clock, and never longer: when keys cannot be reached after that, the request is
 * `internal`. An event of keys ends an answer at once, and an answer whose read began before the event is used once and
 * not remembered. Simultaneous misses of a token are one read. Both memories are bounded and drop what was written longest
 * ago: instants are of the injected clock, and a hit is one map read that moves nothing (`peek`).
 *
 * An address from which too many different keys were refused gets one look-up a second for the rest of its minute. A
 * familiar key, which was valid when it was last read, is exempt: it is read again as always when its answer has ended. A
 * key whose refusal is remembered and a key that is being read cost no look-up and take none. So whoever shares an address
 * with a guesser, or with a broken deployment, keeps working. See outbound/memory/auth-failures.ts.
 */
export interface AuthenticateKey {
  /** Throws `unauthorized`, `rate_limited` for an address that failed too often, `internal` when keys cannot be asked. */
  authenticate(token: string, context: Attempt): Caller | Promise<Caller>;
  /** Forgets what the change may have made untrue. */
  forget(change: KeyChange): void;
  /** Remembered keys, for metrics. */
  readonly size: number;
}

export interface Attempt {
  origin: Origin;
  deadline: Deadline;
  /** Of the client; asked for only when the key is not remembered. */
  address(): string;
}

/** The narrowest member that is set counts. */
export interface KeyChange {
  keyId?: string;
  workspaceId?: string;
  planSlug?: string;
}

export interface AuthenticateKeyOptions {
  keys: Pick<KeysClient, 'verifyKey'>;
  authFailures: AuthFailures;
  clock: Clock;
  onLookup?: ((outcome: LookupOutcome) => void) | undefined;
  maxKeys?: number;
  maxRefusals?: number;
}

type LookupOutcome = 'hit' | 'refused' | 'miss' | 'joined' | 'malformed' | 'address_limited';

export const trustMs = 30_000;
/** A refused key may be one that is created in this moment. */
const refusalMs = 5_000;
const verifyTimeoutMs = 5_000;

interface Remembered {
  caller: Caller;
  /** After it the caller is not trusted, only familiar. */
  untilMs: number;
}

const ended = Number.NEGATIVE_INFINITY;

export function createAuthenticateKey(options: AuthenticateKeyOptions): AuthenticateKey {
  const { keys, authFailures, clock, onLookup = () => {} } = options;
  const { maxKeys = 100_000, maxRefusals = 10_000 } = options;
  const known = new LRUCache<string, Remembered>({ max: maxKeys });
  const refused = new LRUCache<string, number>({ max: maxRefusals });
  const reading = new Map<string, Promise<Caller>>();
  let changes = 0;

  const read = async (token: string, origin: Origin, deadline: Deadline): Promise<Caller> => {
    const startMs = clock.monotonicMs();
    const changesAtStart = changes;
    const answer = await keys.verifyKey(apiKeyDigest(token), origin, deadline);
    const caller = activeCaller(answer);
    if (!caller) {
      known.delete(token);
      refused.set(token, startMs + refusalMs);
      throw unauthorized('notActive');
    }
    if (changes === changesAtStart) known.set(token, { caller, untilMs: startMs + trustMs });
    return caller;
  };

  const join = (token: string, origin: Origin, timeoutMs: number): Promise<Caller> => {
    const inFlight = reading.get(token);
    onLookup(inFlight ? 'joined' : 'miss');
    if (inFlight) return inFlight;
    // Not the caller's deadline: others may join the read, and go on when this caller leaves.
    const deadline = createDeadline(timeoutMs, { clock });
    const promise = read(token, origin, deadline).finally(() => {
      if (reading.get(token) === promise) reading.delete(token);
    });
    reading.set(token, promise);
    return promise;
  };

  const current = (caller: Caller): Caller => {
    if (isExpired(caller, clock.now())) throw unauthorized('notActive');
    return caller;
  };

  const isRefused = (token: string, nowMs: number): boolean => {
    const untilMs = refused.peek(token);
    return untilMs !== undefined && nowMs < untilMs;
  };

  const acquireLookUp = (address: string) => {
    try {
      authFailures.acquireLookUp(address);
    } catch (error) {
      onLookup('address_limited');
      throw error;
    }
  };

  /** A well-formed key that is not remembered; a refusal counts for the address it came from. */
  const lookUp = async (token: string, attempt: Attempt, nowMs: number): Promise<Caller> => {
    const { origin, deadline } = attempt;
    const address = attempt.address();
    try {
      if (isRefused(token, nowMs)) {
        onLookup('refused');
        throw unauthorized('notActive');
      }
      if (!known.has(token) && !reading.has(token)) acquireLookUp(address);
      return current(await join(token, origin, deadline.timeoutMs(verifyTimeoutMs)));
    } catch (error) {
      if (AppError.from(error).code === 'unauthorized') authFailures.record(address, token);
      throw error;
    }
  };

  return {
    authenticate(token, attempt) {
      const familiar = known.peek(token);
      const nowMs = clock.monotonicMs();
      if (familiar && nowMs < familiar.untilMs) {
        onLookup('hit');
        return current(familiar.caller);
      }
      if (!parseApiKey(token)) {
        onLookup('malformed');
        throw unauthorized('malformed');
      }
      return lookUp(token, attempt, nowMs);
    },
    forget(change) {
      changes++;
      refused.clear();
      reading.clear();
      for (const remembered of known.values()) if (isTouched(remembered.caller, change)) remembered.untilMs = ended;
    },
    get size() {
      return known.size;
    },
  };
}

function isTouched(caller: Caller, { keyId, workspaceId, planSlug }: KeyChange): boolean {
  if (keyId) return caller.keyId === keyId;
  if (workspaceId) return caller.workspaceId === workspaceId;
  return caller.plan.slug === planSlug;
}

function activeCaller({ status, key, workspace, plan }: VerifyKeyResponse): Caller | undefined {
  return status === KeyStatus.ACTIVE && key && workspace && plan ? callerOf(key, workspace, plan) : undefined;
}
