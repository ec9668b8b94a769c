import { defineScript } from '@shopscope/redis';
import type { RedisWork } from './compensation-queue.ts';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.ts';

/**
 * Kept answers of requests that carry an Idempotency-Key. Executions exclude each other by a lock that holds a token and
 * the body's fingerprint and ends by itself after 15 s, or, when Redis did not answer its execution in time, as soon as
 * Redis answers again; an answer is written under the execution's own token only. What a workspace keeps is counted in
 * buckets of the hour in which it was written, so that the sum is at most an hour behind.
 */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  /** As `encoding` says. */
  body: Buffer;
  encoding: 'identity' | 'gzip';
}

export type BeginOutcome = 'acquired' | 'busy' | 'stored' | 'conflict' | 'full';
/** kept: written; stored: another execution's answer is there; lost: the lock is not this execution's any more. */
export type FinishOutcome = 'kept' | 'stored' | 'lost';

export interface IdempotencyStore {
  /** `name` is the charge id, which is derived from workspace, operation and Idempotency-Key. */
  begin(at: Execution): Promise<BeginOutcome>;
  finish(at: Execution, answer: KeptAnswer): Promise<FinishOutcome>;
  /** Undefined when it has ended in between. */
  read(at: Pick<Execution, 'workspaceId' | 'name'>): Promise<KeptAnswer | undefined>;
  /** Lets the next execution begin, now or as soon as Redis answers again. */
  abandon(at: Execution): Promise<void>;
}

export interface Execution {
  workspaceId: string;
  name: string;
  /** Of this execution alone. */
  token: string;
  /** Hexadecimal. */
  fingerprint: string;
}

export const lockMs = 15_000;
export const keepMs = 24 * 60 * 60 * 1000;
/** Per workspace, compressed. */
export const keptBytesMax = 512 * 1024 * 1024;

const begin = defineScript({
  name: 'idempotency-begin',
  lua: `
local stored = redis.call('HGET', KEYS[1], 'fingerprint')
if stored then return stored == ARGV[2] and 'stored' or 'conflict' end
local lock = redis.call('GET', KEYS[2])
if lock then return string.sub(lock, -#ARGV[2]) == ARGV[2] and 'busy' or 'conflict' end
local hour = math.floor(tonumber(redis.call('TIME')[1]) / 3600)
local kept = redis.call('HGETALL', KEYS[3])
local total = 0
for i = 1, #kept, 2 do
  if tonumber(kept[i]) < hour - 24 then redis.call('HDEL', KEYS[3], kept[i]) else total = total + tonumber(kept[i + 1]) end
end
if total >= tonumber(ARGV[4]) then return 'full' end
redis.call('SET', KEYS[2], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
return 'acquired'
`,
});

const finish = defineScript({
  name: 'idempotency-finish',
  lua: `
local lock = redis.call('GET', KEYS[2])
if not lock or string.sub(lock, 1, #ARGV[1]) ~= ARGV[1] then
  return redis.call('EXISTS', KEYS[1]) == 1 and 'stored' or 'lost'
end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[2], 'meta', ARGV[3], 'body', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
local hour = math.floor(tonumber(redis.call('TIME')[1]) / 3600)
redis.call('HINCRBY', KEYS[3], hour, #ARGV[3] + #ARGV[4] + 200)
redis.call('EXPIRE', KEYS[3], 93600)
redis.call('DEL', KEYS[2])
return 'kept'
`,
});

const abandon = defineScript({
  name: 'idempotency-abandon',
  lua: `
local lock = redis.call('GET', KEYS[1])
if lock and string.sub(lock, 1, #ARGV[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`,
});

export function createIdempotencyStore(
  redis: RedisCircuitBreaker,
  options: { maxBytes?: number } = {},
): IdempotencyStore {
  const { maxBytes = keptBytesMax } = options;
  const record = ({ workspaceId, name }: Pick<Execution, 'workspaceId' | 'name'>) => `idem:{${workspaceId}}:${name}`;
  const keys = (at: Execution) => [record(at), `${record(at)}:lock`, `idem:{${at.workspaceId}}:bytes`];
  const unlock =
    (at: Execution): RedisWork =>
    (r) =>
      abandon(r, [`${record(at)}:lock`], [at.token]);

  return {
    begin(at) {
      const values = [at.token, at.fingerprint, lockMs, maxBytes];
      return redis.run((r) => begin(r, keys(at), values), unlock(at)) as Promise<BeginOutcome>;
    },
    async finish(at, { body, ...meta }) {
      const values = [at.token, at.fingerprint, JSON.stringify(meta), body, keepMs];
      try {
        return (await redis.run((r) => finish(r, keys(at), values))) as FinishOutcome;
      } catch (error) {
        // The answer is sent unkept; whoever asks again need not wait for a lock that guards nothing.
        void redis.release(unlock(at));
        throw error;
      }
    },
    async read(at) {
      const [meta, body] = await redis.run((r) => r.client.hmgetBuffer(record(at), 'meta', 'body'));
      return meta && body ? { ...JSON.parse(meta.toString()), body } : undefined;
    },
    abandon: (at) => redis.release(unlock(at)),
  };
}
