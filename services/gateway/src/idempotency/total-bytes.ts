import { type Clock, hourMs, secondMs } from '@shopscope/clock';
import { clusterSlots, defineScript } from '@shopscope/redis';
import type { RedisCircuitBreaker } from '../redis/redis-circuit-breaker.ts';

/**
 * The stored bytes of all workspaces, by hour.
 *
 * - One server: the scripts of the store count and sum the bytes. The functions of this file do nothing.
 * - Redis Cluster: the bytes are counted in {@link parts} keys, which are spread over the slots and thus over the nodes. At each
 *   {@link sumIntervalMs}, each gateway adds the bytes that it stored to one of the keys, and sums all keys.
 *
 * Bounds in a cluster:
 * - The sum lacks the bytes that other gateways stored in the last two intervals. The total can be exceeded by these bytes.
 * - A gateway stops -> it adds the bytes that it stored since its last addition.
 * - A gateway crashes -> the bytes that it stored in its last interval are never counted in the total. The counts of the workspaces have them.
 * - A node is unavailable -> its keys keep their last sums. The bytes that were to be added there are added to the next key at the next interval.
 */
export const sumIntervalMs = 2 * secondMs;

const parts = 16;
const totalKey = 'idem:bytes';
const hoursKept = 24;

const add = defineScript({
  name: 'idempotency-count',
  lua: `
redis.call('HINCRBY', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], 93600)
return 1
`,
});

export const totalKeysOf = ({ slots, keyIn }: Pick<RedisCircuitBreaker, 'slots' | 'keyIn'>): string[] =>
  slots === 1
    ? [totalKey]
    : Array.from({ length: parts }, (_, part) => keyIn(Math.floor((part * clusterSlots) / parts), totalKey));

type BytesByHour = ReadonlyMap<number, number>;

export function createTotalBytes(redis: RedisCircuitBreaker, clock: Pick<Clock, 'now'>) {
  const isCluster = redis.slots > 1;
  const keys = totalKeysOf(redis);
  const sums = new Map<string, BytesByHour>();
  let bytes = 0;
  /** What this gateway has stored and not yet counted in Redis, by hour. */
  let uncounted = new Map<number, number>();
  let turn = 0;

  const hourNow = () => Math.floor(clock.now() / hourMs);
  const firstHour = () => hourNow() - hoursKept;
  const totalOf = (counts: BytesByHour) =>
    [...counts].reduce((total, [hour, amount]) => (hour < firstHour() ? total : total + amount), 0);
  /** Adds to the keys in turn, so that each node has a part. */
  const count = async () => {
    const due = uncounted;
    uncounted = new Map();
    for (const [hour, amount] of due) {
      const key = keys[turn++ % keys.length] as string;
      await redis
        .run(key, (r) => add(r, [key], [hour, amount]))
        .catch(() => uncounted.set(hour, (uncounted.get(hour) ?? 0) + amount));
    }
  };
  const read = async (key: string) => {
    const counts = await redis.run(key, (r) => r.client.hgetall(key)).catch(() => undefined);
    if (!counts) return;
    const byHour = Object.entries(counts).map(([hour, amount]) => [Number(hour), Number(amount)] as const);
    sums.set(key, new Map(byHour));
    const expired = byHour.filter(([hour]) => hour < firstHour()).map(([hour]) => String(hour));
    if (expired.length > 0) await redis.run(key, (r) => r.client.hdel(key, ...expired)).catch(() => {});
  };

  return {
    /** The key of the total for the scripts, unless Redis is a cluster. */
    scriptKeys: isCluster ? [] : keys,
    /** The latest sum in a cluster, with what this gateway has stored since then. */
    get bytes() {
      return bytes;
    },
    /** Counts a response that was stored now. */
    add(amount: number): void {
      if (!isCluster) return;
      bytes += amount;
      uncounted.set(hourNow(), (uncounted.get(hourNow()) ?? 0) + amount);
    },
    /** Adds what this gateway has stored and not yet counted. Never rejects. */
    count,
    async sum(): Promise<void> {
      if (!isCluster) return;
      await count();
      await Promise.all(keys.map(read));
      bytes = [...sums.values(), uncounted].reduce((total, counts) => total + totalOf(counts), 0);
    },
  };
}
