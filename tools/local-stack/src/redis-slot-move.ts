import { withRedis } from './redis-connection.ts';

export interface SlotMoveOptions {
  /** The ports of all nodes of the cluster. */
  ports: readonly number[];
  slot: number;
}

export interface SlotMove {
  /** The port of the node that gets the slot. It comes after the owner in the list of ports. */
  target: number;
  /** Moves the keys that the slot has now. */
  moveKeys(): Promise<void>;
  /** Makes the target the owner of the slot. */
  end(): Promise<void>;
}

const batchSize = 100;
const migrateTimeoutMs = 5_000;

/** Begins to move a slot of a local Redis Cluster, in the order of Redis's documentation. Until its end, both nodes have keys of the slot. */
export async function beginSlotMove({ ports, slot }: SlotMoveOptions): Promise<SlotMove> {
  const idOf = (port: number) => withRedis(port, async (redis) => String(await redis.cluster('MYID')));
  const ranges = await withRedis(ports[0] as number, (redis) => redis.cluster('SLOTS'));
  const owner = (ranges as unknown as [number, number, [string, number]][]).find(
    ([from, to]) => from <= slot && slot <= to,
  );
  const source = owner?.[2][1] ?? 0;
  const target = ports[(ports.indexOf(source) + 1) % ports.length] as number;
  const [sourceId, targetId] = [await idOf(source), await idOf(target)];
  await withRedis(target, (redis) => redis.cluster('SETSLOT', slot, 'IMPORTING', sourceId));
  await withRedis(source, (redis) => redis.cluster('SETSLOT', slot, 'MIGRATING', targetId));
  return {
    target,
    moveKeys: () =>
      withRedis(source, async (redis) => {
        for (;;) {
          const keys = await redis.cluster('GETKEYSINSLOT', slot, batchSize);
          if (keys.length === 0) return;
          await redis.migrate('127.0.0.1', target, '', 0, migrateTimeoutMs, 'KEYS', ...keys);
        }
      }),
    async end() {
      const others = ports.filter((port) => port !== source && port !== target);
      for (const port of [target, source, ...others]) {
        await withRedis(port, (redis) => redis.cluster('SETSLOT', slot, 'NODE', targetId));
      }
    },
  };
}

export async function moveSlot(options: SlotMoveOptions): Promise<void> {
  const move = await beginSlotMove(options);
  await move.moveKeys();
  await move.end();
}
