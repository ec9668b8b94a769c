import { type Admin, Kafka, logLevel } from 'kafkajs';
import { activeController } from './kafka-quorum.ts';
import { askTimeoutMs, instantOf, others, type ServerNode } from './server-node.ts';

export interface TopicPartition {
  topic: string;
  partition: number;
  /** The name of the broker that leads the partition. */
  leader: string;
  replicas: string[];
  inSync: string[];
}

/** The node ids of the brokers count from 1, as their names do. */
const nameOf = (nodeId: number) => `kafka-${nodeId}`;
const nodeIdOf = (name: string) => Number(name.slice('kafka-'.length));

/** Asks the brokers of a cluster. `without` names a broker that is not asked, because it does not run. */
export function createKafkaCluster(nodes: readonly ServerNode[]) {
  const withAdmin = async <T>(without: string, work: (admin: Admin) => Promise<T>): Promise<T> => {
    const admin = new Kafka({
      brokers: others(nodes, without).map(({ port }) => `127.0.0.1:${port}`),
      logLevel: logLevel.NOTHING,
      connectionTimeout: askTimeoutMs,
      requestTimeout: 2 * askTimeoutMs,
      retry: { retries: 1, initialRetryTime: 50 },
    }).admin();
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  };
  const read = async (admin: Admin, topic?: string): Promise<TopicPartition[]> => {
    const { topics } = await admin.fetchTopicMetadata(topic === undefined ? undefined : { topics: [topic] });
    return topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionId, leader, replicas, isr }) => ({
        topic: name,
        partition: partitionId,
        leader: nameOf(leader),
        replicas: replicas.map(nameOf),
        inSync: isr.map(nameOf),
      })),
    );
  };
  const partitions = (without = '', topic?: string) => withAdmin(without, (admin) => read(admin, topic));
  const instantWhere = (what: string, without: string, isReached: (partition: TopicPartition) => boolean) =>
    instantOf(what, async () => (await partitions(without)).every(isReached) || undefined);
  /** Resolves to the name of the broker that is the active controller. */
  const controller = async (without = ''): Promise<string> =>
    nameOf(await Promise.any(others(nodes, without).map(({ port }) => activeController(port))));
  return {
    partitions,
    /** Resolves to the name of the broker that leads most partitions of the topic. */
    async leaderOf(topic: string): Promise<string> {
      const counts = Map.groupBy(await partitions('', topic), ({ leader }) => leader);
      const [first] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
      if (!first) throw new Error(`${topic} has no leader`);
      return first[0];
    },
    controller,
    /** Resolves to the instant at which another broker is the active controller. */
    untilControlledWithout: (without: string) =>
      instantOf('another active controller', async () => (await controller(without)) !== without || undefined),
    /** Resolves to the instant at which every partition has a leader that is not this broker. */
    untilLedWithout: (without: string) =>
      instantWhere('leaders of all partitions', without, ({ leader }) => leader !== without && leader !== nameOf(-1)),
    /** Resolves to the instant at which every replica is in sync. */
    untilWhole: () =>
      instantWhere('all replicas in sync', '', ({ replicas, inSync }) => replicas.length === inSync.length),
    /** Resolves to the instant at which only the leader of each partition of the topic is in sync. */
    untilInSyncAlone: (topic: string, without: string) =>
      instantOf(`an ISR of one for ${topic}`, async () => {
        const found = await partitions(without, topic);
        return found.every(({ inSync }) => inSync.length === 1) || undefined;
      }),
    /** Gives the partitions of the topic these replicas, and waits until all are in sync. */
    async assign(topic: string, replicasOf: (partition: TopicPartition) => string[]): Promise<void> {
      const found = await partitions('', topic);
      const wanted = new Map(found.map((each) => [each.partition, replicasOf(each)]));
      const partitionAssignment = [...wanted].map(([partition, names]) => ({
        partition,
        replicas: names.map(nodeIdOf),
      }));
      await withAdmin('', (admin) => admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] }));
      await instantOf(`the new replicas of ${topic}`, async () => {
        const isAssigned = ({ partition, inSync, replicas }: TopicPartition) => {
          const names = wanted.get(partition)?.toSorted().join();
          return replicas.toSorted().join() === names && inSync.toSorted().join() === names;
        };
        return (await partitions('', topic)).every(isAssigned) || undefined;
      });
    },
    /** Resolves to the number of records with a time in this span (wall clock) in the partitions that the broker did not lead. */
    async recordsBetween(among: readonly TopicPartition[], fromMs: number, toMs: number): Promise<number> {
      const [{ topic } = { topic: '' }] = among;
      const offsetsAt = (atMs: number) =>
        withAdmin('', (admin) => admin.fetchTopicOffsetsByTimestamp(topic, Math.round(atMs)));
      const [from, to] = await Promise.all([offsetsAt(fromMs), offsetsAt(toMs)]);
      const offsetIn = (offsets: typeof from, partition: number) =>
        Number(offsets.find((each) => each.partition === partition)?.offset ?? 0);
      return among.reduce((sum, { partition }) => sum + offsetIn(to, partition) - offsetIn(from, partition), 0);
    },
  };
}
