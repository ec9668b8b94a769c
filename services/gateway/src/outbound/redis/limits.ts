import { randomBytes } from 'node:crypto';
import { defineScript } from '@shopscope/redis';
import type { AdmitOutcome, Decision, Limits } from '../../domain/admission.ts';
import { createCoalescer } from '../coalesce.ts';
import type { GuardedRedis } from './guarded-redis.ts';

/**
 * Rate and concurrency of a key in one Lua call, on Redis time, exact for any number of gateways. The rate is a counter
 * that ends with its minute; a slot in use is a lease in a sorted set, scored by its expiry, so that what a dead gateway
 * held comes back by itself. Requests of one key that arrive in one event-loop turn are decided in one call, in their
 * order, and slots that come free in one turn are given back in one command. When Redis fails, so do the decisions of
 * that call; callers have another way then.
 */
export interface LimitStore {
  admit(keyId: string, limits: Limits): Promise<Decision>;
}

/** Longer than any request, shorter than the bound within which a dead gateway's slots are back. */
export const leaseMs = 15_000;

const outcomes: readonly AdmitOutcome[] = ['admitted', 'rate_limited', 'concurrency_limited'];
const maxBatch = 500;

/** Arguments: rpm, concurrency, lease in ms, leases. Answer: seconds to the minute's end, then outcome and rest of each. */
const admit = defineScript({
  name: 'admit',
  lua: `
local asked = #ARGV - 3
local now = redis.call('TIME')
local second = tonumber(now[1])
local nowMs = second * 1000 + math.floor(tonumber(now[2]) / 1000)
local reset = 60 - second % 60
local used = redis.call('INCRBY', KEYS[1], asked)
if used == asked then redis.call('EXPIREAT', KEYS[1], second + reset) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', nowMs)
local left = tonumber(ARGV[1]) - (used - asked)
local free = tonumber(ARGV[2]) - redis.call('ZCARD', KEYS[2])
local answer = {reset}
for i = 1, asked do
  left = left - 1
  local outcome = 0
  if left < 0 then outcome = 1
  elseif free <= 0 then outcome = 2
  else
    free = free - 1
    redis.call('ZADD', KEYS[2], nowMs + tonumber(ARGV[3]), ARGV[3 + i])
  end
  answer[i * 2] = outcome
  answer[i * 2 + 1] = math.max(0, left)
end
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return answer
`,
});

interface Asking {
  keyId: string;
  limits: Limits;
  lease: string;
}

interface Answer {
  outcome: AdmitOutcome;
  remaining: number;
  resetSeconds: number;
}

const nothing = () => {};
const slotsOf = (keyId: string) => `slots:${keyId}`;

export function createRedisLimits(redis: GuardedRedis): LimitStore {
  const process = randomBytes(6).toString('base64url');
  let leases = 0;
  let released: Map<string, string[]> | undefined;

  const decideFor = async (keyId: string, asking: readonly Asking[]): Promise<Answer[]> => {
    // Plans may change between two requests of a turn; the later one knows better.
    const { rpm, concurrency } = (asking.at(-1) as Asking).limits;
    const args = [rpm, concurrency, leaseMs, ...asking.map(({ lease }) => lease)];
    const reply = (await redis.run((r) => admit(r, [`rate:${keyId}`, slotsOf(keyId)], args))) as number[];
    const [resetSeconds = 60, ...rest] = reply;
    return asking.map((_, i) => ({
      outcome: outcomes[rest[i * 2] ?? 0] ?? 'admitted',
      remaining: rest[i * 2 + 1] ?? 0,
      resetSeconds,
    }));
  };

  const decisions = createCoalescer<Asking, Answer | undefined>({
    maxBatch,
    async call(batch) {
      const answers = new Map<Asking, Answer>();
      const decideGroup = async (keyId: string, asking: readonly Asking[]) => {
        const decided = await decideFor(keyId, asking).catch(() => []);
        for (const [i, answer] of decided.entries()) answers.set(asking[i] as Asking, answer);
      };
      const byKey = Map.groupBy(batch, ({ keyId }) => keyId);
      await Promise.all([...byKey].map(([keyId, asking]) => decideGroup(keyId, asking)));
      return batch.map((asking) => answers.get(asking));
    },
  });

  const giveBack = () => {
    for (const [keyId, ended] of released ?? []) redis.tell((r) => r.client.zrem(slotsOf(keyId), ...ended));
    released = undefined;
  };
  const release = (keyId: string, lease: string) => {
    if (!released) {
      released = new Map();
      setImmediate(giveBack);
    }
    const ended = released.get(keyId);
    if (ended) ended.push(lease);
    else released.set(keyId, [lease]);
  };

  return {
    async admit(keyId, limits) {
      const lease = `${process}${(leases++).toString(36)}`;
      const answer = await decisions.load({ keyId, limits, lease });
      if (!answer) throw new Error('Redis did not decide');
      return { ...answer, release: answer.outcome === 'admitted' ? () => release(keyId, lease) : nothing };
    },
  };
}
