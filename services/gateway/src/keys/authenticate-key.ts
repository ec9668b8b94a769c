import { createDeadline, createKeyedSlots, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { apiKeyDigest, parseApiKey } from '@shopscope/ids';
import { KeyStatus, type VerifyKeyResponse } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { LRUCache } from 'lru-cache';
import type { AuthFailures } from './auth-failures.ts';
import { type Caller, type CallerUse, callerOf, isExpired } from './caller.ts';
import type { KeysClient } from './keys-client.ts';
import { malformedToken, unauthorized } from './unauthorized.ts';

/**
 * Authenticates the bearer token of a request. Results of keys are cached by the token:
 * docs/decisions/0006-cache-credentials-by-token.md.
 *
 * - A malformed token fails its checksum without I/O.
 * - A valid key is cached for 30 s from the START of the read, on the monotonic clock. A refused key is cached for 5 s.
 * - A key whose use the listener does not accept is refused like an unknown key.
 * - A key event invalidates cached results at once. A result whose read began before the event, valid or refused, is used
 *   once and not cached. After `invalidate`, every new request therefore depends on a read that began after it.
 *
 * Concurrency: simultaneous cache misses of one token share one read.
 *
 * Failures:
 * - The keys service is unavailable -> cached keys are valid until their 30 s end. After that, requests fail with `internal`.
 * - An address sent too many different invalid keys -> one look-up per second for the rest of its minute
 *   (auth-failures.ts). Keys with a cached result, keys whose cached result has expired, and keys that are
 *   being read are exempt. Callers with valid keys at the same address therefore continue to work.
 * - An address sends many unfamiliar keys at the same time -> at most {@link maxLookUps} of their look-ups run at a time, and the others wait.
 *
 * Bounds: `maxKeys` valid and `maxRefusals` refused keys; the oldest entry is dropped first. A hit is one map read (`peek`).
 */
export type AuthenticateKey = ReturnType<typeof createAuthenticateKey>;

export interface AuthenticationContext {
  origin: Origin;
  deadline: Deadline;
  /** The uses of keys that the listener accepts. */
  keyUses: readonly CallerUse[];
  /** Returns the address of the client. It is called only when the key is not cached. */
  address(): string;
}

/** A change of a key, a workspace or a plan. The first member that is set applies. */
export interface KeyChange {
  keyId?: string;
  workspaceId?: string;
  planSlug?: string;
}

export interface AuthenticateKeyOptions {
  keys: Pick<KeysClient, 'verifyKey'>;
  authFailures: AuthFailures;
  clock: Clock;
  onLookup?: ((outcome: LookupOutcome, token: string) => void) | undefined;
  maxKeys?: number;
  maxRefusals?: number;
}

type LookupOutcome = 'hit' | 'refused' | 'miss' | 'joined' | 'malformed' | 'address_limited';

export const cacheTtlMs = 30_000;
/** This time is short, because a refused key may be created at any moment. */
const refusalTtlMs = 5_000;
const verifyTimeoutMs = 5_000;
/**
 * The maximum number of concurrent look-ups of unfamiliar keys per address. A refused key counts for its address only when its look-up has
 * ended. Without this bound, all keys of a burst of invented keys would be looked up.
 */
const maxLookUps = 16;

interface CachedKey {
  caller: Caller;
  /** After this time, the key is read again. It stays exempt from the limit of its address. */
  validUntilMs: number;
}

const expired = Number.NEGATIVE_INFINITY;

export function createAuthenticateKey(options: AuthenticateKeyOptions) {
  const { keys, authFailures, clock, onLookup = () => {} } = options;
  const { maxKeys = 100_000, maxRefusals = 10_000 } = options;
  const cachedKeys = new LRUCache<string, CachedKey>({ max: maxKeys });
  const refusedUntilMs = new LRUCache<string, number>({ max: maxRefusals });
  const readsInFlight = new Map<string, Promise<Caller>>();
  const slots = createKeyedSlots({ maxPerKey: maxLookUps });
  let changes = 0;

  const read = async (token: string, origin: Origin, deadline: Deadline): Promise<Caller> => {
    const startMs = clock.monotonicMs();
    const changesAtStart = changes;
    const caller = activeCaller(await keys.verifyKey(apiKeyDigest(token), origin, deadline));
    if (!caller) {
      cachedKeys.delete(token);
      if (changes === changesAtStart) refusedUntilMs.set(token, startMs + refusalTtlMs);
      throw unauthorized('notActive');
    }
    if (changes === changesAtStart) cachedKeys.set(token, { caller, validUntilMs: startMs + cacheTtlMs });
    return caller;
  };

  const joinOrStartRead = (token: string, origin: Origin, timeoutMs: number): Promise<Caller> => {
    const inFlight = readsInFlight.get(token);
    onLookup(inFlight ? 'joined' : 'miss', token);
    if (inFlight) return inFlight;
    // The deadline of the caller is not used: other callers may join the read, and need it when this caller has disconnected.
    const deadline = createDeadline(timeoutMs, { clock });
    const promise = read(token, origin, deadline).finally(() => {
      if (readsInFlight.get(token) === promise) readsInFlight.delete(token);
    });
    readsInFlight.set(token, promise);
    return promise;
  };

  const unlessRefused = (caller: Caller, { keyUses }: AuthenticationContext): Caller => {
    if (!keyUses.includes(caller.use) || isExpired(caller, clock.now())) throw unauthorized('notActive');
    return caller;
  };

  const isRefused = (token: string): boolean => {
    const untilMs = refusedUntilMs.peek(token);
    return untilMs !== undefined && clock.monotonicMs() < untilMs;
  };

  const acquireLookUp = (address: string, token: string) => {
    try {
      authFailures.acquireLookUp(address);
    } catch (error) {
      onLookup('address_limited', token);
      throw error;
    }
  };

  const cachedCaller = (token: string): Caller | undefined => {
    const cached = cachedKeys.peek(token);
    return cached && clock.monotonicMs() < cached.validUntilMs ? cached.caller : undefined;
  };

  const isUnfamiliar = (token: string) => !cachedKeys.has(token) && !readsInFlight.has(token);

  /** Looks up a well-formed key that is not cached. A refused key counts for the address of the client. */
  const lookUp = async (token: string, context: AuthenticationContext, address: string): Promise<Caller> => {
    const { origin, deadline } = context;
    try {
      if (isRefused(token)) {
        onLookup('refused', token);
        throw unauthorized('notActive');
      }
      // Another request may have looked up the key while this one waited.
      const caller = cachedCaller(token);
      if (caller) return unlessRefused(caller, context);
      if (isUnfamiliar(token)) acquireLookUp(address, token);
      return unlessRefused(await joinOrStartRead(token, origin, deadline.timeoutMs(verifyTimeoutMs)), context);
    } catch (error) {
      if (AppError.from(error).code === 'unauthorized') authFailures.record(address, token);
      throw error;
    }
  };

  const lookUpInTurn = async (token: string, context: AuthenticationContext, address: string): Promise<Caller> => {
    const taken = slots.take(address, (turn) => context.deadline.race(turn));
    const release = taken instanceof Promise ? await taken : taken;
    try {
      return await lookUp(token, context, address);
    } finally {
      release();
    }
  };

  return {
    /** Throws `unauthorized`, `rate_limited` (too many invalid keys of the address), or `internal` (the keys service is unavailable). */
    authenticate(token: string, context: AuthenticationContext): Caller | Promise<Caller> {
      const caller = cachedCaller(token);
      if (caller) {
        onLookup('hit', token);
        return unlessRefused(caller, context);
      }
      if (!parseApiKey(token)) {
        onLookup('malformed', token);
        throw malformedToken(token);
      }
      const address = context.address();
      return isUnfamiliar(token) && !isRefused(token)
        ? lookUpInTurn(token, context, address)
        : lookUp(token, context, address);
    },
    /** Invalidates the cached results that the change may affect. */
    invalidate(change: KeyChange): void {
      changes++;
      refusedUntilMs.clear();
      readsInFlight.clear();
      for (const cached of cachedKeys.values()) if (isAffected(cached.caller, change)) cached.validUntilMs = expired;
    },
    /** The number of cached valid keys, for metrics. */
    get size() {
      return cachedKeys.size;
    },
  };
}

function isAffected(caller: Caller, { keyId, workspaceId, planSlug }: KeyChange): boolean {
  if (keyId) return caller.keyId === keyId;
  if (workspaceId) return caller.workspaceId === workspaceId;
  return caller.plan.slug === planSlug;
}

function activeCaller({ status, key, workspace, plan }: VerifyKeyResponse): Caller | undefined {
  return status === KeyStatus.ACTIVE && key && workspace && plan ? callerOf(key, workspace, plan) : undefined;
}
