import { defineScript } from '@shopscope/redis';
import type { RedisCommand } from './compensation-queue.ts';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.ts';

/**
 * Stores responses of requests with an Idempotency-Key.
 *
 * - Concurrency: one execution at a time holds the lock of a key. The lock has the execution's token and the fingerprint of
 *   its body. A response is stored only by the execution that holds the lock.
 * - The gateway crashes -> the lock expires after 15 s, which is longer than any request.
 * - Redis does not respond in time -> the lock is released when Redis is available again.
 * - Bound: `maxBytes` per workspace. Stored bytes are counted per hour, so the sum can be too high by the bytes of one hour.
 */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  /** Encoded as `encoding`. */
  body: Buffer;
  encoding: 'identity' | 'gzip';
}

export type BeginOutcome = 'acquired' | 'busy' | 'stored' | 'conflict' | 'full';
/** `stored_by_other`, `lost`: this execution no longer holds the lock. With `lost` no response is stored. */
export type FinishOutcome = 'stored' | 'stored_by_other' | 'lost';

export interface IdempotencyStore {
  begin(execution: Execution): Promise<BeginOutcome>;
  finish(execution: Execution, response: StoredResponse): Promise<FinishOutcome>;
  /** Undefined when the response has expired. */
  read(execution: Pick<Execution, 'workspaceId' | 'name'>): Promise<StoredResponse | undefined>;
  /** Releases the lock, now or when Redis is available again. */
  abandon(execution: Execution): Promise<void>;
}

export interface Execution {
  workspaceId: string;
  /** The charge id. It is derived from workspace, operation and Idempotency-Key. */
  name: string;
  /** Unique for this execution. */
  token: string;
  /** Hexadecimal. */
  fingerprint: string;
}

export const lockMs = 15_000;
export const responseTtlMs = 24 * 60 * 60 * 1000;
/** Default of `maxBytes`: compressed bytes per workspace. */
export const maxStoredBytes = 512 * 1024 * 1024;

const begin = defineScript({
  name: 'idempotency-begin',
  lua: `
local stored = redis.call('HGET', KEYS[1], 'fingerprint')
if stored then return stored == ARGV[2] and 'stored' or 'conflict' end
local lock = redis.call('GET', KEYS[2])
if lock then return string.sub(lock, -#ARGV[2]) == ARGV[2] and 'busy' or 'conflict' end
local hour = math.floor(tonumber(redis.call('TIME')[1]) / 3600)
local bytes = redis.call('HGETALL', KEYS[3])
local total = 0
for i = 1, #bytes, 2 do
  if tonumber(bytes[i]) < hour - 24 then redis.call('HDEL', KEYS[3], bytes[i]) else total = total + tonumber(bytes[i + 1]) end
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
  return redis.call('EXISTS', KEYS[1]) == 1 and 'stored_by_other' or 'lost'
end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[2], 'meta', ARGV[3], 'body', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
local hour = math.floor(tonumber(redis.call('TIME')[1]) / 3600)
redis.call('HINCRBY', KEYS[3], hour, #ARGV[3] + #ARGV[4] + 200)
redis.call('EXPIRE', KEYS[3], 93600)
redis.call('DEL', KEYS[2])
return 'stored'
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
  const { maxBytes = maxStoredBytes } = options;
  const record = ({ workspaceId, name }: Pick<Execution, 'workspaceId' | 'name'>) => `idem:{${workspaceId}}:${name}`;
  const keys = (execution: Execution) => [
    record(execution),
    `${record(execution)}:lock`,
    `idem:{${execution.workspaceId}}:bytes`,
  ];
  const unlock =
    (execution: Execution): RedisCommand =>
    (r) =>
      abandon(r, [`${record(execution)}:lock`], [execution.token]);

  return {
    begin(execution) {
      const values = [execution.token, execution.fingerprint, lockMs, maxBytes];
      return redis.run((r) => begin(r, keys(execution), values), unlock(execution)) as Promise<BeginOutcome>;
    },
    async finish(execution, { body, ...meta }) {
      const values = [execution.token, execution.fingerprint, JSON.stringify(meta), body, responseTtlMs];
      try {
        return (await redis.run((r) => finish(r, keys(execution), values))) as FinishOutcome;
      } catch (error) {
        // The response is sent without being stored. A retry must not wait for the lock.
        void redis.release(unlock(execution));
        throw error;
      }
    },
    async read(execution) {
      const [meta, body] = await redis.run((r) => r.client.hmgetBuffer(record(execution), 'meta', 'body'));
      return meta && body ? { ...JSON.parse(meta.toString()), body } : undefined;
    },
    abandon: (execution) => redis.release(unlock(execution)),
  };
}
