import { randomBytes } from 'node:crypto';
import { createKeyedBatcher } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { defineScript } from '@shopscope/redis';
import type { AdmissionDecision, AdmitOutcome, Limits } from '../../domain/admission.ts';
import type { RedisWork } from './compensation-queue.ts';
import { type RedisCircuitBreaker, RedisUnavailable } from './redis-circuit-breaker.ts';

/**
 * Rate and concurrency of a key in one Lua call, on Redis time, exact for any number of gateways.
 *
 * - Rate: a number that names its minute, so that nothing depends on when Redis forgets it.
 * - Concurrency: a slot in use is a lease in a sorted set, scored by its expiry. A gateway dies -> its slots end by themselves.
 * - Batches: requests of one key that arrive in one event-loop turn are decided in one call, in their order. Slots that
 *   become free in one turn are released in one command.
 * - Redis fails -> the decisions of that call reject, and callers decide locally. Leases that the call may have made are
 *   released when Redis answers again.
 * - Redis lost its state -> the minute's counters are lost with it. Its epoch, made with its first decision, differs: who
 *   knows another one does not ask Redis until the minute has ended (docs/decisions/0014-enforce-rate-limits-locally-without-redis.md).
 */
export interface LimitStore {
  admit(keyId: string, limits: Limits): Promise<AdmissionDecision>;
}

export interface SharedLimits extends LimitStore {
  /** What Redis time is ahead of this process's wall time, in ms, as last heard; 0 before. */
  readonly aheadMs: number;
  /** Learns the epoch before the first decision, so that no loss of state after it goes unnoticed. */
  begin(): Promise<void>;
}

/** Longer than any request (10.5 s), and well within the 15 s after which a dead gateway's slots have to be back. */
export const leaseMs = 12_000;

const outcomes: readonly AdmitOutcome[] = ['admitted', 'rate_limited', 'concurrency_limited'];
const maxBatchSize = 500;

/**
 * Arguments: rpm, concurrency, lease in ms, leases. Answer: the epoch (the first lease that ever was), the time in ms,
 * then outcome and rest of each lease. The rate's number is the minute times 10^8 and the count: exact below 2^53.
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

interface Slot {
  keyId: string;
  lease: string;
}

interface Asking extends Slot {
  limits: Limits;
}

interface Answer {
  outcome: AdmitOutcome;
  remaining: number;
  resetSeconds: number;
}

const minuteMs = 60_000;
const nothing = () => {};
const slotsOf = (keyId: string) => `slots:${keyId}`;
const endOf =
  (keyId: string, leases: readonly string[]): RedisWork =>
  (r) =>
    r.client.zrem(slotsOf(keyId), ...leases);
const epochKey = 'limits-epoch';

export function createRedisLimits(redis: RedisCircuitBreaker, clock: Pick<Clock, 'now' | 'monotonicMs'>): SharedLimits {
  const process = randomBytes(6).toString('base64url');
  const minuteOf = createMinute(clock);
  let leases = 0;
  const newLease = () => `${process}${(leases++).toString(36)}`;

  const decide = async (asking: readonly Asking[]): Promise<Answer[]> => {
    if (minuteOf.isLost) throw new RedisUnavailable();
    // Plans may change between two requests of a turn; the later one knows better.
    const { keyId, limits } = asking.at(-1) as Asking;
    const ids = asking.map(({ lease }) => lease);
    const keys = [`rpm:${keyId}`, slotsOf(keyId), epochKey];
    const args = [limits.rpm, limits.concurrency, leaseMs, ...ids];
    const askedAtMs = clock.now();
    const reply = await redis.run((r) => admit(r, keys, args), endOf(keyId, ids));
    const [epoch, nowMs, ...rest] = reply as [string, number, ...number[]];
    minuteOf.hear(epoch, nowMs, askedAtMs);
    if (minuteOf.isLost) {
      void redis.release(endOf(keyId, ids));
      throw new RedisUnavailable();
    }
    return asking.map((_, i) => ({
      outcome: outcomes[rest[i * 2] ?? 0] ?? 'admitted',
      remaining: rest[i * 2 + 1] ?? 0,
      resetSeconds: 60 - (Math.floor(nowMs / 1_000) % 60),
    }));
  };

  const keyOf = ({ keyId }: { keyId: string }) => keyId;
  const decisions = createKeyedBatcher<Asking, Answer>({ keyOf, maxBatchSize, run: decide });
  const releases = createKeyedBatcher<Slot>({
    keyOf,
    maxBatchSize,
    async run(slots) {
      const { keyId } = slots[0] as Slot;
      const leases = slots.map(({ lease }) => lease);
      await redis.release(endOf(keyId, leases));
      return undefined;
    },
  });
  const release = (slot: Slot) => {
    // A release that finds the queue full is dropped: the lease ends by itself.
    releases.submit(slot).catch(() => {});
  };

  return {
    get aheadMs() {
      return minuteOf.aheadMs;
    },
    async begin() {
      const askedAtMs = clock.now();
      const first = newLease();
      const [epoch, [seconds, microseconds]] = await redis.run(async (r) => {
        await r.client.setnx(epochKey, first);
        return Promise.all([r.client.get(epochKey), r.client.time()]);
      });
      minuteOf.hear(epoch ?? first, Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000), askedAtMs);
    },
    async admit(keyId, limits) {
      const lease = newLease();
      const answer = await decisions.submit({ keyId, limits, lease });
      return { ...answer, release: answer.outcome === 'admitted' ? () => release({ keyId, lease }) : nothing };
    },
  };
}

/** Whose minute it is: Redis time as last heard, and whether this Redis knew the minute from its beginning. */
function createMinute(clock: Pick<Clock, 'now' | 'monotonicMs'>) {
  let known: string | undefined;
  let lostUntilMs = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  return {
    hear(epoch: string, nowMs: number, askedAtMs: number) {
      if (known !== undefined && known !== epoch) lostUntilMs = clock.monotonicMs() + minuteMs - (nowMs % minuteMs);
      known = epoch;
      aheadMs = nowMs - (askedAtMs + clock.now()) / 2;
    },
    get isLost() {
      return clock.monotonicMs() < lostUntilMs;
    },
    get aheadMs() {
      return aheadMs;
    },
  };
}
