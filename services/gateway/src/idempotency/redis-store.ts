import { type Clock, dayMs } from '@shopscope/clock';
import { defineScript } from '@shopscope/redis';
import type { RedisCommand } from '../redis/compensation-queue.ts';
import { type RedisCircuitBreaker, RedisUnavailableError } from '../redis/redis-circuit-breaker.ts';
import { defaultLimits, reserveShare, type StoredBytesLimits, storedBytes } from './stored-bytes.ts';
import { createTotalBytes } from './total-bytes.ts';

/**
 * Stores responses of requests with an Idempotency-Key.
 *
 * - Concurrency: one execution at a time holds the lock of a key. The lock has the execution's token and the fingerprint of
 *   its body. A response is stored only by the execution that holds the lock.
 * - The gateway crashes -> the lock expires after 15 s, which is longer than any request.
 * - Redis does not respond in time -> the lock is released when Redis is available again.
 * - Redis refuses writes (its memory is full) -> new keys are refused and no response is stored. Stored responses are still read.
 * - Bounds: `workspaceBytes` and `totalBytes` of Redis's memory. Responses of executions in progress are not counted.
 * - More than `totalBytes` are stored -> a new key is accepted only if its workspace holds less than the rest of the reserve. The heaviest
 *   workspaces are refused first, and a light one still works (docs/decisions/0033-bound-stored-responses-by-workspace-and-in-all.md).
 * - Counts: the bytes per hour of storing, for each workspace and in total. A count leaves the sum 24 to 25 hours later, when all its
 *   responses have expired. A sum is therefore never too low, and too high by at most the bytes of one hour.
 * - Redis Cluster: a script cannot count a response in the total, which is in another slot. Each response is counted right after it is
 *   stored (total-bytes.ts).
 */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  /** The body, in the encoding that `encoding` names. */
  body: Buffer;
  encoding: 'identity' | 'gzip';
}

/** `full`: the workspace has used its space. `total_full`: all workspaces have used their space, and this workspace holds too much. */
export type BeginOutcome = 'acquired' | 'busy' | 'stored' | 'conflict' | 'full' | 'total_full';
/** `stored_by_other`, `lost`: this execution no longer holds the lock. With `lost`, no response is stored. */
export type FinishOutcome = 'stored' | 'stored_by_other' | 'lost';

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export interface Execution {
  workspaceId: string;
  /** The charge id. It is derived from the workspace, the operation and the Idempotency-Key. */
  name: string;
  /** Unique for this execution. */
  token: string;
  /** The fingerprint in hexadecimal. */
  fingerprint: string;
}

export const lockMs = 15_000;
export const responseTtlMs = dayMs;

const begin = defineScript({
  name: 'idempotency-begin',
  lua: `
local stored = redis.call('HGET', KEYS[1], 'fingerprint')
if stored then return stored == ARGV[2] and 'stored' or 'conflict' end
local lock = redis.call('GET', KEYS[2])
if lock then return string.sub(lock, -#ARGV[2]) == ARGV[2] and 'busy' or 'conflict' end
local hour = math.floor(tonumber(redis.call('TIME')[1]) / 3600)
local function sum(counts)
  local bytes = redis.call('HGETALL', counts)
  local total = 0
  for i = 1, #bytes, 2 do
    if tonumber(bytes[i]) < hour - 24 then redis.call('HDEL', counts, bytes[i]) else total = total + tonumber(bytes[i + 1]) end
  end
  return total
end
local own = sum(KEYS[3])
if own >= tonumber(ARGV[4]) then return 'full' end
local all = KEYS[4] and sum(KEYS[4]) or tonumber(ARGV[7])
if all >= tonumber(ARGV[5]) and own >= tonumber(ARGV[6]) - all then return 'total_full' end
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
for i = 3, #KEYS do
  redis.call('HINCRBY', KEYS[i], hour, ARGV[6])
  redis.call('EXPIRE', KEYS[i], 93600)
end
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
  clock: Pick<Clock, 'now'>,
  limits: StoredBytesLimits = defaultLimits,
) {
  const { workspaceBytes, totalBytes } = limits;
  const withReserve = totalBytes * (1 + reserveShare);
  const record = ({ workspaceId, name }: Pick<Execution, 'workspaceId' | 'name'>) => `idem:{${workspaceId}}:${name}`;
  const total = createTotalBytes(redis, clock);
  const keys = (execution: Execution) => [
    record(execution),
    `${record(execution)}:lock`,
    `idem:{${execution.workspaceId}}:bytes`,
    ...total.scriptKeys,
  ];
  /** An error that Redis returns does not open the circuit breaker: Redis responds, and stored responses can be read. */
  const runScript = async (execution: Execution, command: RedisCommand, release?: RedisCommand): Promise<unknown> => {
    const result = await redis.run(record(execution), (r) => command(r).catch(replyErrorOf), release);
    if (result instanceof Error) throw new RedisUnavailableError({ cause: result });
    return result;
  };
  const unlock =
    (execution: Execution): RedisCommand =>
    (r) =>
      abandon(r, [`${record(execution)}:lock`], [execution.token]);

  return {
    /** Sums the stored bytes of a cluster. Call it every `sumIntervalMs`. */
    sumTotal: total.sum,
    /** Call it after the last response, so that the total of a cluster has all of them. */
    countTotal: total.count,
    begin(execution: Execution): Promise<BeginOutcome> {
      const bounds = [workspaceBytes, totalBytes, withReserve, total.bytes];
      const values = [execution.token, execution.fingerprint, lockMs, ...bounds];
      const run: RedisCommand = (r) => begin(r, keys(execution), values);
      return runScript(execution, run, unlock(execution)) as Promise<BeginOutcome>;
    },
    async finish(execution: Execution, { body, ...meta }: StoredResponse): Promise<FinishOutcome> {
      const text = JSON.stringify(meta);
      const bytes = storedBytes([text, body]);
      const values = [execution.token, execution.fingerprint, text, body, responseTtlMs, bytes];
      try {
        const outcome = await runScript(execution, (r) => finish(r, keys(execution), values));
        if (outcome === 'stored') total.add(bytes);
        return outcome as FinishOutcome;
      } catch (error) {
        // The response is sent without being stored. A retry must not wait for the lock.
        void redis.release(record(execution), unlock(execution));
        throw error;
      }
    },
    /** Resolves to undefined when the response has expired. */
    async read(execution: Pick<Execution, 'workspaceId' | 'name'>): Promise<StoredResponse | undefined> {
      const [meta, body] = await redis.run(record(execution), (r) =>
        r.client.hmgetBuffer(record(execution), 'meta', 'body'),
      );
      return meta && body ? { ...JSON.parse(meta.toString()), body } : undefined;
    },
    /** Releases the lock, now or when Redis is available again. */
    abandon: (execution: Execution): Promise<void> => redis.release(record(execution), unlock(execution)),
  };
}

/** Returns the error that Redis itself returned. Throws every other error. */
function replyErrorOf(error: unknown): Error {
  if (error instanceof Error && error.name === 'ReplyError') return error;
  throw error;
}
