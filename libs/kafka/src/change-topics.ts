import { retry } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import type { Admin } from 'kafkajs';
import type { Kafka } from './kafka.ts';
import { raisePartitions } from './raise-partitions.ts';
import { type ChangeOptions, setConfigs } from './topic-configs.ts';
import type { TopicDifference } from './topic-differences.ts';

export type { ChangeOptions } from './topic-configs.ts';

/**
 * Changes topics so that the differences end. It creates no topic, which `--migrate` does.
 *
 * - A change fails -> the call rejects, and the earlier changes stay. A repeated call makes the remaining changes.
 * - Replicas are added to the partitions that have too few. The call resolves when the new replicas are in sync.
 * - Partitions are added by {@link raisePartitions}.
 */
export async function changeTopics(
  kafka: Kafka,
  differences: readonly TopicDifference[],
  options: ChangeOptions,
): Promise<void> {
  const admin = kafka.client.admin();
  await admin.connect();
  try {
    for (const [topic, each] of Map.groupBy(differences, ({ topic: name }) => name)) {
      const configs = each.filter(({ setting }) => isConfig(setting));
      if (configs.length > 0) {
        options.report(`${topic}: ${configs.map(({ setting, needed }) => `${setting}=${needed}`).join(', ')}`);
        await setConfigs(admin, topic, Object.fromEntries(configs.map(({ setting, needed }) => [setting, needed])));
      }
      for (const { setting, needed } of each) {
        if (setting === 'replication.factor') await addReplicas(admin, topic, Number(needed), options);
        if (setting === 'partitions') await raisePartitions(admin, { ...options, topic, partitions: Number(needed) });
      }
    }
  } finally {
    await admin.disconnect();
  }
}

const isConfig = (setting: string) => !['topic', 'partitions', 'replication.factor'].includes(setting);

const reassignmentPauseMs = 500;
const maxReassignmentPauses = 3_600;

async function addReplicas(admin: Admin, topic: string, replicas: number, options: ChangeOptions): Promise<void> {
  const [{ brokers }, { topics }] = await Promise.all([
    admin.describeCluster(),
    admin.fetchTopicMetadata({ topics: [topic] }),
  ]);
  const ids = brokers.map(({ nodeId }) => nodeId);
  if (ids.length < replicas)
    throw new Error(`${topic} needs ${replicas} replicas, and the cluster has ${ids.length} brokers.`);
  const partitions = topics[0]?.partitions ?? [];
  const load = new Map(ids.map((id) => [id, partitions.filter((each) => each.replicas.includes(id)).length]));
  const partitionAssignment = partitions
    .filter((each) => each.replicas.length < replicas)
    .map(({ partitionId, replicas: present }) => {
      const added = ids
        .filter((id) => !present.includes(id))
        .toSorted((a, b) => (load.get(a) ?? 0) - (load.get(b) ?? 0))
        .slice(0, replicas - present.length);
      for (const id of added) load.set(id, (load.get(id) ?? 0) + 1);
      return { partition: partitionId, replicas: [...present, ...added] };
    });
  options.report(`${topic}: ${replicas} replicas of ${partitionAssignment.length} partitions`);
  await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
  const moving = [{ topic, partitions: partitionAssignment.map(({ partition }) => partition) }];
  await retry(
    async () => {
      const { topics: unfinished } = await admin.listPartitionReassignments({ topics: moving });
      if (unfinished.length > 0) throw new Error(`the new replicas of ${topic} are not in sync yet`);
    },
    {
      pauseMs: (attempt) => (attempt < maxReassignmentPauses ? reassignmentPauseMs : undefined),
      abort: options.abort,
      clock: systemClock,
    },
  );
}
