import { beginSlotMove, withRedis } from '@shopscope/local-stack';
import { sleep } from '../../wait.ts';
import { instantOf, nodeAt, type ServerNode } from './server-node.ts';

/** The pause after each step of a move. Requests thus meet a slot whose keys are on two nodes. */
const stepPauseMs = 60;

type SlotRange = [first: number, last: number, owner: [host: string, port: number, id: string]];

/** Sends commands to the nodes of a cluster, and moves slots between them. */
export function createRedisCluster(nodes: readonly ServerNode[]) {
  const call = <T>({ port }: ServerNode, ...command: [string, ...(string | number)[]]) =>
    withRedis(port, (redis) => redis.call(command[0], ...command.slice(1)) as Promise<T>);
  const slotsOf = async (owner: ServerNode): Promise<number[]> => {
    const ranges = await call<SlotRange[]>(owner, 'CLUSTER', 'SLOTS');
    return ranges
      .filter(([, , [, port]]) => nodeAt(nodes, port) === owner)
      .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n));
  };
  return {
    /** Resolves to the slots of the node that have keys, with those that have most keys first. */
    async filledSlots(owner: ServerNode): Promise<number[]> {
      const slots = await slotsOf(owner);
      const counts = await withRedis(owner.port, (redis) =>
        Promise.all(slots.map((slot) => redis.cluster('COUNTKEYSINSLOT', slot))),
      );
      return slots
        .map((slot, n) => ({ slot, count: counts[n] ?? 0 }))
        .filter(({ count }) => count > 0)
        .toSorted((a, b) => b.count - a.count)
        .map(({ slot }) => slot);
    },
    /** Moves a slot with its keys to the next node. */
    async moveSlot(slot: number): Promise<void> {
      const move = await beginSlotMove({ ports: nodes.map(({ port }) => port), slot });
      await sleep(stepPauseMs);
      await move.moveKeys();
      await sleep(stepPauseMs);
      await move.end();
    },
    /** Resolves to the instant at which every node says that all slots are served. */
    untilWhole: () =>
      instantOf('a cluster that serves all slots', async () => {
        const states = await Promise.all(nodes.map((node) => call<string>(node, 'CLUSTER', 'INFO')));
        const lines = ['cluster_state:ok', 'cluster_slots_ok:16384'];
        return states.every((state) => lines.every((line) => state.includes(line))) || undefined;
      }),
  };
}
