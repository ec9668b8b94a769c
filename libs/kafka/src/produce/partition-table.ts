import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Circuits } from './circuits.ts';
import type { ProduceCluster } from './cluster.ts';
import { createPartition, type Partition } from './partition.ts';
import { unavailable } from './unavailable.ts';

/**
 * The partitions of the topics that the producer uses, with their leaders.
 *
 * - The metadata is older than half of {@link metadataMaxAgeMs} -> it is read again in the background.
 * - The metadata is older than {@link metadataMaxAgeMs}, for example after a pause -> events wait until it is read. An event with an old
 *   number of partitions could be handled after a later event of its key.
 * - The metadata cannot be read -> the partitions keep their leaders. The next event and the failing requests cause further attempts.
 */
export type PartitionTable = ReturnType<typeof createPartitionTable>;

/** Publishers know added partitions after this time. */
export const metadataMaxAgeMs = 60_000;
const noBroker = -2;

export function createPartitionTable(options: { cluster: ProduceCluster; circuits: Circuits; clock: Clock }) {
  const { cluster, circuits, clock } = options;
  const topics = new Map<string, Partition[]>();
  let readAtMs = clock.monotonicMs();
  let reading: Promise<void> | undefined;
  let changed = () => {};

  /** Topics that were not loaded yet. The entry stands for all partitions of the topic. */
  const absent = new Map<string, { partition: Partition; loading: Promise<readonly Partition[]> | undefined }>();

  const update = (topic: string, partitions: Partition[]) => {
    const leaders = cluster.leadersOf(topic) ?? [];
    leaders.forEach((leader, number) => {
      const known = partitions[number];
      if (!known) {
        const added = createPartition(topic, number, leader, circuits.create());
        partitions.push(added);
        circuits.add(added);
      } else if (known.leader !== leader) {
        known.leader = leader;
        circuits.succeeded(known);
        known.endPause?.();
      }
    });
    for (const removed of partitions.splice(leaders.length)) circuits.remove(removed);
  };
  const read = async () => {
    const startedMs = clock.monotonicMs();
    try {
      await cluster.refresh();
      for (const [topic, partitions] of topics) update(topic, partitions);
    } catch (error) {
      reading = undefined;
      throw error;
    }
    changed();
    // Calls of this turn wait for this read too, so that no later call overtakes an earlier one.
    setImmediate(() => {
      readAtMs = startedMs;
      reading = undefined;
    });
  };
  const readShared = () => {
    reading ??= read();
    return reading;
  };
  // The requests that fail call this function again.
  const refresh = () => void readShared().catch(() => {});
  const ageMs = () => clock.monotonicMs() - readAtMs;

  const absentOf = (topic: string) => {
    let entry = absent.get(topic);
    if (entry) return entry;
    entry = { partition: createPartition(topic, -1, noBroker, circuits.create()), loading: undefined };
    circuits.add(entry.partition);
    absent.set(topic, entry);
    return entry;
  };
  const load = async (topic: string): Promise<readonly Partition[]> => {
    await cluster.load(topic);
    const partitions: Partition[] = [];
    update(topic, partitions);
    circuits.remove(absentOf(topic).partition);
    circuits.brokerAnswered(noBroker);
    // Calls of this turn wait for this promise too, so that no later call overtakes an earlier one.
    setImmediate(() => {
      topics.set(topic, partitions);
      absent.delete(topic);
    });
    return partitions;
  };

  return {
    /** Returns undefined if the topic was not loaded yet. */
    partitionsOf: (topic: string): readonly Partition[] | undefined => topics.get(topic),
    /** Rejects if the topic does not exist or no broker answers in time. */
    async load(topic: string, deadline: Deadline): Promise<readonly Partition[]> {
      const entry = absentOf(topic);
      if (!entry.partition.circuit.admits()) throw unavailable('the circuit is open');
      entry.loading ??= load(topic).catch((error: unknown) => {
        entry.loading = undefined;
        throw error;
      });
      try {
        return await deadline.race(entry.loading);
      } catch (error) {
        // An answer of a broker concerns this topic. Otherwise no topic can be loaded.
        if ((error as { type?: unknown }).type) circuits.failed(entry.partition);
        else circuits.brokerFailed(noBroker);
        throw error instanceof AppError ? error : unavailable('the topic cannot be read', error);
      }
    },
    /** Reads the leaders in the background. */
    refresh,
    /** Returns whether the number of partitions is too old for an event. Reads it in the background before that. */
    isOld(): boolean {
      if (ageMs() > metadataMaxAgeMs / 2) refresh();
      return ageMs() > metadataMaxAgeMs;
    },
    /** Resolves when the leaders were read again. Rejects if no broker answers in time. */
    async renew(deadline: Deadline): Promise<void> {
      try {
        await deadline.race(readShared());
      } catch (error) {
        throw error instanceof AppError ? error : unavailable('the partitions cannot be read', error);
      }
    },
    /** Sets the function that is called after the leaders were read. */
    onChange(callback: () => void): void {
      changed = callback;
    },
  };
}
