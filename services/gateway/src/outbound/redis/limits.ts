import { randomBytes } from 'node:crypto';
import { createKeyedBatcher } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { defineScript } from '@shopscope/redis';
import type { AdmissionDecision, AdmitOutcome, Limits } from '../../domain/admission.ts';
import type { RedisCommand } from './compensation-queue.ts';
import { type RedisCircuitBreaker, RedisUnavailableError } from './redis-circuit-breaker.ts';

/** Decides whether a request of a key is within the key's limits. */
export interface Limiter {
  admit(keyId: string, limits: Limits): Promise<AdmissionDecision>;
}

/**
 * Enforces the rate and the concurrency of a key in one Lua call, on Redis time. Exact for any number of gateways.
 *
 * - Rate: one number contains the minute and the count, so it does not depend on when Redis expires the key.
 * - Concurrency: a slot is a lease in a sorted set, with its expiry as score. A slot lives as long as its answer: leases of
 *   requests in flight are renewed, because an answer is written for as long as its caller reads it.
 * - Batches: requests of one key from one event-loop turn are decided in one call, in their order. Slots that are released
 *   in one turn share one command.
 *
 * Failures:
 * - A gateway crashes -> its leases expire.
 * - Redis fails -> the decisions of that call reject, and callers decide locally. Leases that the call may have created are
 *   released when Redis is available again.
 * - Redis lost its data -> its epoch, which the first decision creates, differs from the known one. Callers decide locally
 *   until the minute ends (docs/decisions/0014-enforce-rate-limits-locally-without-redis.md).
 */

export interface RedisLimits extends Limiter {
  /** Redis time minus the wall time of this process, as last observed; 0 before the first response. */
  readonly clockOffsetMs: number;
  /** Renews the leases of all requests in flight. Call it every {@link leaseRenewalMs}. A lease that has expired is made anew. */
  renewLeases(): Promise<void>;
  /** Reads the epoch before the first decision, so that every later loss of data is detected. */
  learnEpoch(): Promise<void>;
}

/** The slots of a crashed gateway must be free within 15 s. */
export const leaseMs = 12_000;
/** Two renewals may fail before a lease expires. */
export const leaseRenewalMs = 3_500;

const outcomes: readonly AdmitOutcome[] = ['admitted', 'rate_limited', 'concurrency_limited'];
const maxBatchSize = 500;

/**
 * Arguments: rpm, concurrency, lease in ms, lease ids. Result: the epoch (the first lease id), Redis time in ms, then the
 * outcome and the remaining requests of each lease. The rate is minute × 10^8 + count, which is exact below 2^53.
 */
const admit = defineScript({
  name: 'admit',
  lua: `
local asked = #ARGV - 3
local epoch = redis.call('GET', KEYS[3])
if not epoch then
  epoch = ARGV[4]
  redis.call('SET', KEYS[3], epoch)
end
local now = redis.call('TIME')
local second = tonumber(now[1])
local nowMs = second * 1000 + math.floor(tonumber(now[2]) / 1000)
local minute = math.floor(second / 60)
local used = redis.call('INCRBY', KEYS[1], asked) - minute * 1e8
if used < asked or used >= 1e8 then
  used = asked
  redis.call('SET', KEYS[1], string.format('%.0f', minute * 1e8 + asked), 'EX', 120)
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', nowMs)
local left = tonumber(ARGV[1]) - (used - asked)
local free = tonumber(ARGV[2]) - redis.call('ZCARD', KEYS[2])
local answer = {epoch, nowMs}
for i = 1, asked do
  left = left - 1
  local outcome = 0
  if left < 0 then outcome = 1
  elseif free <= 0 then outcome = 2
  else
    free = free - 1
    redis.call('ZADD', KEYS[2], nowMs + tonumber(ARGV[3]), ARGV[3 + i])
  end
  answer[i * 2 + 1] = outcome
  answer[i * 2 + 2] = math.max(0, left)
end
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return answer
`,
});

/** Arguments: lease in ms, lease ids. */
const renew = defineScript({
  name: 'renew',
  lua: `
local now = redis.call('TIME')
local expiryMs = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000) + tonumber(ARGV[1])
for i = 2, #ARGV do
  redis.call('ZADD', KEYS[1], expiryMs, ARGV[i])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return expiryMs
`,
});

interface Slot {
  keyId: string;
  lease: string;
}

interface SlotRequest extends Slot {
  limits: Limits;
}

type SlotDecision = Omit<AdmissionDecision, 'release'>;

const minuteMs = 60_000;
const nothing = () => {};
const slotsOf = (keyId: string) => `slots:${keyId}`;
const releaseLeases =
  (keyId: string, leases: readonly string[]): RedisCommand =>
  (r) =>
    r.client.zrem(slotsOf(keyId), ...leases);
const epochKey = 'limits-epoch';

export function createRedisLimits(redis: RedisCircuitBreaker, clock: Pick<Clock, 'now' | 'monotonicMs'>): RedisLimits {
  const processId = randomBytes(6).toString('base64url');
  const redisState = createRedisState(clock);
  let leases = 0;
  const newLease = () => `${processId}${(leases++).toString(36)}`;

  const decide = async (requests: readonly SlotRequest[]): Promise<SlotDecision[]> => {
    if (redisState.lostThisMinute) throw new RedisUnavailableError();
    // The plan can change between two requests of a turn. The last request has the newest plan.
    const { keyId, limits } = requests.at(-1) as SlotRequest;
    const ids = requests.map(({ lease }) => lease);
    const keys = [`rpm:${keyId}`, slotsOf(keyId), epochKey];
    const args = [limits.rpm, limits.concurrency, leaseMs, ...ids];
    const sentAtMs = clock.now();
    const reply = await redis.run((r) => admit(r, keys, args), releaseLeases(keyId, ids));
    const [epoch, nowMs, ...rest] = reply as [string, number, ...number[]];
    redisState.observe(epoch, nowMs, sentAtMs);
    if (redisState.lostThisMinute) {
      void redis.release(releaseLeases(keyId, ids));
      throw new RedisUnavailableError();
    }
    return requests.map((_, i) => ({
      outcome: outcomes[rest[i * 2] ?? 0] ?? 'admitted',
      remaining: rest[i * 2 + 1] ?? 0,
      resetSeconds: 60 - (Math.floor(nowMs / 1_000) % 60),
    }));
  };

  const keyOf = ({ keyId }: { keyId: string }) => keyId;
  const decisions = createKeyedBatcher<SlotRequest, SlotDecision>({ keyOf, maxBatchSize, run: decide });
  const releases = createKeyedBatcher<Slot>({
    keyOf,
    maxBatchSize,
    async run(slots) {
      const { keyId } = slots[0] as Slot;
      const leases = slots.map(({ lease }) => lease);
      await redis.release(releaseLeases(keyId, leases));
      return undefined;
    },
  });
  /** The leases of requests in flight, with their keys. */
  const held = new Map<string, string>();
  const release = (slot: Slot) => {
    held.delete(slot.lease);
    // The queue is full -> the release is dropped, and the lease expires.
    releases.submit(slot).catch(() => {});
  };

  const renewHeld = async (keyId: string, leases: readonly string[]) => {
    const current = leases.filter((lease) => held.has(lease));
    if (current.length === 0) return;
    try {
      await redis.run((r) => renew(r, [slotsOf(keyId)], [leaseMs, ...current]));
    } finally {
      // Released during the call, which may have run after the release.
      const ended = current.filter((lease) => !held.has(lease));
      if (ended.length > 0) void redis.release(releaseLeases(keyId, ended));
    }
  };

  return {
    get clockOffsetMs() {
      return redisState.clockOffsetMs;
    },
    async renewLeases() {
      const leasesByKey = Map.groupBy(held.keys(), (lease) => held.get(lease) ?? '');
      for (const [keyId, leases] of leasesByKey) {
        for (let first = 0; first < leases.length; first += maxBatchSize) {
          await renewHeld(keyId, leases.slice(first, first + maxBatchSize));
        }
      }
    },
    async learnEpoch() {
      const sentAtMs = clock.now();
      const first = newLease();
      const [epoch, [seconds, microseconds]] = await redis.run(async (r) => {
        await r.client.setnx(epochKey, first);
        return Promise.all([r.client.get(epochKey), r.client.time()]);
      });
      redisState.observe(epoch ?? first, Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000), sentAtMs);
    },
    async admit(keyId, limits) {
      const lease = newLease();
      const decision = await decisions.submit({ keyId, limits, lease });
      if (decision.outcome !== 'admitted') return { ...decision, release: nothing };
      held.set(lease, keyId);
      return { ...decision, release: () => release({ keyId, lease }) };
    },
  };
}

/** Redis time as last observed, and whether Redis lost its data in this minute. */
function createRedisState(clock: Pick<Clock, 'now' | 'monotonicMs'>) {
  let knownEpoch: string | undefined;
  let lostUntilMs = Number.NEGATIVE_INFINITY;
  let clockOffsetMs = 0;
  return {
    observe(epoch: string, nowMs: number, sentAtMs: number) {
      if (knownEpoch !== undefined && knownEpoch !== epoch) {
        lostUntilMs = clock.monotonicMs() + minuteMs - (nowMs % minuteMs);
      }
      knownEpoch = epoch;
      clockOffsetMs = nowMs - (sentAtMs + clock.now()) / 2;
    },
    get lostThisMinute() {
      return clock.monotonicMs() < lostUntilMs;
    },
    get clockOffsetMs() {
      return clockOffsetMs;
    },
  };
}
