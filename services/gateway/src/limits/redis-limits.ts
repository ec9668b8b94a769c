import { randomBytes } from 'node:crypto';
import { createKeyedBatcher } from '@shopscope/async';
import { type Clock, minuteMs } from '@shopscope/clock';
import { defineScript } from '@shopscope/redis';
import type { RedisCommand } from '../redis/compensation-queue.ts';
import { type RedisCircuitBreaker, RedisUnavailableError } from '../redis/redis-circuit-breaker.ts';
import type { AdmissionDecision, AdmitOutcome, Limits } from './decision.ts';

/**
 * Enforces the rates and the concurrency of keys with one Lua call, in Redis time. The limits are exact for any number of gateways.
 *
 * - Rate: one number contains the minute and the count. It therefore does not depend on when Redis expires the key.
 * - Concurrency: a slot is a lease in a sorted set, with its expiry as the score. A request holds its slot until its response has
 *   been written. Its lease is renewed, because writing takes as long as the caller reads.
 * - Batches: the requests of one event-loop turn are decided in one call, in their order, whatever their keys. All slots that are
 *   released in one turn share one call. One command per key would cost more than its content. In Redis Cluster, each call has
 *   the keys of one slot, because a script cannot have more (docs/decisions/0083-detect-lost-data-by-slot-in-redis-cluster.md).
 *
 * Failures:
 * - A gateway crashes -> its leases expire.
 * - Redis fails -> the decisions of that call reject, and callers decide locally. Leases that the call may have created are
 *   released when Redis is available again.
 * - Redis has lost its data -> the epoch of the slot, which the first decision creates, differs from the known epoch. Callers decide
 *   locally until the minute ends (docs/decisions/0014-enforce-rate-limits-locally-without-redis.md). A slot that moves to
 *   another node takes its epoch along.
 */
export type RedisLimits = ReturnType<typeof createRedisLimits>;

/** The slots of a crashed gateway must be free within 15 s. */
export const leaseMs = 12_000;
/** Two renewals may fail before a lease expires. */
export const leaseRenewalMs = 3_500;

const outcomes: readonly AdmitOutcome[] = ['admitted', 'rate_limited', 'concurrency_limited'];
const maxBatchSize = 500;

/**
 * Keys: the epoch of the slot, then the rate and the slots of each API key. Arguments: the lease in ms, then for each API key its rpm, its
 * concurrency, the number of its requests and their lease ids. Result: the epoch (the first lease id), Redis time in ms, then
 * the outcome and the remaining requests of each lease. The rate is stored as minute × 10^8 + count, which is exact below 2^53.
 */
const admit = defineScript({
  name: 'admit',
  lua: `
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  epoch = ARGV[5]
  redis.call('SET', KEYS[1], epoch)
end
local now = redis.call('TIME')
local second = tonumber(now[1])
local nowMs = second * 1000 + math.floor(tonumber(now[2]) / 1000)
local minute = math.floor(second / 60)
local answer = {epoch, nowMs}
local arg = 2
for key = 2, #KEYS, 2 do
  local rate = KEYS[key]
  local slots = KEYS[key + 1]
  local asked = tonumber(ARGV[arg + 2])
  local used = redis.call('INCRBY', rate, asked) - minute * 1e8
  if used < asked or used >= 1e8 then
    used = asked
    redis.call('SET', rate, string.format('%.0f', minute * 1e8 + asked), 'EX', 120)
  end
  redis.call('ZREMRANGEBYSCORE', slots, '-inf', nowMs)
  local left = tonumber(ARGV[arg]) - (used - asked)
  local free = tonumber(ARGV[arg + 1]) - redis.call('ZCARD', slots)
  for i = 1, asked do
    left = left - 1
    local outcome = 0
    if left < 0 then outcome = 1
    elseif free <= 0 then outcome = 2
    else
      free = free - 1
      redis.call('ZADD', slots, nowMs + tonumber(ARGV[1]), ARGV[arg + 2 + i])
    end
    answer[#answer + 1] = outcome
    answer[#answer + 1] = math.max(0, left)
  end
  redis.call('PEXPIRE', slots, ARGV[1])
  arg = arg + 3 + asked
end
return answer
`,
});

/** Keys: the slots of each API key. Arguments: for each API key, the number of its leases and their ids. */
const release = defineScript({
  name: 'release',
  lua: `
local arg = 1
for key = 1, #KEYS do
  local last = arg + tonumber(ARGV[arg])
  for i = arg + 1, last do redis.call('ZREM', KEYS[key], ARGV[i]) end
  arg = last + 1
end
return #KEYS
`,
});

/** Arguments: the lease in ms, then the lease ids. */
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

const nothing = () => {};
const rateOf = (keyId: string) => `rpm:{${keyId}}`;
const slotsOf = (keyId: string) => `slots:{${keyId}}`;
const byKey = <S extends Slot>(slots: readonly S[]): Map<string, S[]> => Map.groupBy(slots, ({ keyId }) => keyId);
const idsOf = (slots: readonly Slot[]) => slots.map(({ lease }) => lease);
function releaseSlots(slots: readonly Slot[]): RedisCommand {
  const keys = byKey(slots);
  const args = [...keys.values()].flatMap((ofKey) => [ofKey.length, ...idsOf(ofKey)]);
  return (r) => release(r, [...keys.keys()].map(slotsOf), args);
}
/** The epochs that are read at a time, so that no command waits longer than its time limit. */
const epochsAtOnce = 512;

export function createRedisLimits(redis: RedisCircuitBreaker, clock: Pick<Clock, 'now' | 'monotonicMs'>) {
  const processId = randomBytes(6).toString('base64url');
  const redisState = createRedisState(clock);
  let leases = 0;
  const newLease = () => `${processId}${(leases++).toString(36)}`;

  const clusterSlotOf = redis.slots === 1 ? () => '' : ({ keyId }: Slot) => String(redis.slotOf(slotsOf(keyId)));
  const epochKeyOf = (slot: string) => redis.keyIn(Number(slot), 'limits-epoch');
  /** Runs the script for the keys of one slot and observes its epoch. */
  const runAdmit = async (
    slot: string,
    keys: readonly string[],
    args: readonly (string | number)[],
    compensation?: RedisCommand,
  ) => {
    const epochKey = epochKeyOf(slot);
    const sentAtMs = clock.now();
    const reply = await redis.run(epochKey, (r) => admit(r, [epochKey, ...keys], [leaseMs, ...args]), compensation);
    const [epoch, nowMs, ...rest] = reply as [string, number, ...number[]];
    if (redisState.observe(slot, epoch, nowMs, sentAtMs) === 'lost') void learnEpochs();
    return { nowMs, rest };
  };

  let isLearning = false;
  /**
   * Reads the epochs of all slots: before the first decision, so that every later loss of data is detected, and after a loss, so that
   * the other slots of the node are decided locally in the same minute. A slot that cannot be read is learned with its first decision.
   */
  const learnEpochs = async (): Promise<void> => {
    if (isLearning) return;
    isLearning = true;
    const learn = (slot: number) => runAdmit(redis.slots === 1 ? '' : String(slot), [], [0, 0, 0, newLease()]);
    for (let first = 0; first < redis.slots; first += epochsAtOnce) {
      const count = Math.min(epochsAtOnce, redis.slots - first);
      await Promise.allSettled(Array.from({ length: count }, (_, index) => learn(first + index)));
    }
    isLearning = false;
  };

  const decide = async (requests: readonly SlotRequest[]): Promise<SlotDecision[]> => {
    const slot = clusterSlotOf(requests[0] as SlotRequest);
    if (redisState.isLost(slot)) throw new RedisUnavailableError();
    const keys = byKey(requests);
    const args = [...keys.values()].flatMap((ofKey) => {
      // The plan can change between two requests of a turn. The last request has the newest plan.
      const { limits } = ofKey.at(-1) as SlotRequest;
      return [limits.rpm, limits.concurrency, ofKey.length, ...idsOf(ofKey)];
    });
    const names = [...keys.keys()].flatMap((keyId) => [rateOf(keyId), slotsOf(keyId)]);
    const compensation = releaseSlots(requests);
    const sentAtMonotonicMs = clock.monotonicMs();
    const { nowMs, rest } = await runAdmit(slot, names, args, compensation);
    if (redisState.isLost(slot)) {
      void redis.release(epochKeyOf(slot), compensation);
      throw new RedisUnavailableError();
    }
    const resetSeconds = 60 - (Math.floor(nowMs / 1_000) % 60);
    const lastsUntilMs = sentAtMonotonicMs + minuteMs - (nowMs % minuteMs);
    const decided = new Map(
      [...keys.values()].flat().map((request, n) => {
        const outcome = outcomes[rest[n * 2] ?? 0] ?? 'admitted';
        return [request, { outcome, remaining: rest[n * 2 + 1] ?? 0, resetSeconds, lastsUntilMs }] as const;
      }),
    );
    return requests.map((request) => decided.get(request) as SlotDecision);
  };

  const decisions = createKeyedBatcher<SlotRequest, SlotDecision>({
    keyOf: clusterSlotOf,
    maxBatchSize,
    run: decide,
  });
  const releases = createKeyedBatcher<Slot>({
    keyOf: clusterSlotOf,
    maxBatchSize,
    async run(slots) {
      await redis.release(slotsOf((slots[0] as Slot).keyId), releaseSlots(slots));
      return undefined;
    },
  });
  /** The leases of requests in flight, with their keys. */
  const held = new Map<string, string>();
  const releaseSlot = (slot: Slot) => {
    held.delete(slot.lease);
    // The queue is full -> the release is dropped, and the lease expires.
    releases.submit(slot).catch(() => {});
  };

  const renewHeld = async (keyId: string, leases: readonly string[]) => {
    const current = leases.filter((lease) => held.has(lease));
    if (current.length === 0) return;
    try {
      await redis.run(slotsOf(keyId), (r) => renew(r, [slotsOf(keyId)], [leaseMs, ...current]));
    } finally {
      // A lease that was released during this call may have been renewed after its release.
      const ended = current.filter((lease) => !held.has(lease));
      if (ended.length > 0) {
        void redis.release(slotsOf(keyId), releaseSlots(ended.map((lease) => ({ keyId, lease }))));
      }
    }
  };

  return {
    /** Redis time minus the wall time of this process, from the latest response. 0 before the first response. */
    get clockOffsetMs() {
      return redisState.clockOffsetMs;
    },
    /**
     * Renews the leases of all requests in flight. Call it every {@link leaseRenewalMs}. An expired lease is created again. A node that
     * fails delays no renewal on another node.
     */
    async renewLeases(): Promise<void> {
      const leasesByKey = Map.groupBy(held.keys(), (lease) => held.get(lease) ?? '');
      let failure: unknown;
      for (const [keyId, leases] of leasesByKey) {
        for (let first = 0; first < leases.length; first += maxBatchSize) {
          await renewHeld(keyId, leases.slice(first, first + maxBatchSize)).catch((error: unknown) => {
            failure = error;
          });
        }
      }
      if (failure) throw failure;
    },
    learnEpochs,
    async admit(keyId: string, limits: Limits): Promise<AdmissionDecision> {
      const lease = newLease();
      const decision = await decisions.submit({ keyId, limits, lease });
      if (decision.outcome !== 'admitted') return { ...decision, release: nothing };
      held.set(lease, keyId);
      return { ...decision, release: () => releaseSlot({ keyId, lease }) };
    },
  };
}

/** The latest observed Redis time, and the slots whose data Redis has lost in this minute. */
function createRedisState(clock: Pick<Clock, 'now' | 'monotonicMs'>) {
  /** By slot; at most one per slot of the cluster. */
  const epochs = new Map<string, { epoch: string; lostUntilMs: number }>();
  let clockOffsetMs = 0;
  return {
    observe(slot: string, epoch: string, nowMs: number, sentAtMs: number): 'kept' | 'lost' {
      clockOffsetMs = nowMs - (sentAtMs + clock.now()) / 2;
      const known = epochs.get(slot);
      if (known?.epoch === epoch) return 'kept';
      const isLost = known !== undefined;
      const lostUntilMs = isLost ? clock.monotonicMs() + minuteMs - (nowMs % minuteMs) : Number.NEGATIVE_INFINITY;
      epochs.set(slot, { epoch, lostUntilMs });
      return isLost ? 'lost' : 'kept';
    },
    isLost: (slot: string): boolean =>
      clock.monotonicMs() < (epochs.get(slot)?.lostUntilMs ?? Number.NEGATIVE_INFINITY),
    get clockOffsetMs() {
      return clockOffsetMs;
    },
  };
}
