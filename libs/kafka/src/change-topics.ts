import { retry } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import type { Admin } from 'kafkajs';
import type { Kafka } from './kafka.ts';
import { raisePartitions } from './raise-partitions.ts';
import { type ChangeOptions, publishersMs, setConfigs } from './topic-configs.ts';
import type { TopicDifference } from './topic-differences.ts';

export type { ChangeOptions } from './topic-configs.ts';

/**
 * Changes topics so that the differences end. It creates no topic, which `--migrate` does.
 *
 * 1. Replicas are added to the partitions that have too few, and are in sync.
 * 2. The configurations are set, also `min.insync.replicas`. A topic that was left closed is opened when every publisher knows its partitions.
 * 3. Partitions are added by {@link raisePartitions}, each with as many replicas as the others.
 *
 * - A change fails -> the call rejects, and the earlier changes stay. A repeated call makes the remaining changes.
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
      const needed = new Map(each.map((difference) => [difference.setting, difference.needed]));
      const replicas = needed.get('replication.factor');
      const partitions = needed.get('partitions');
      // With more in-sync replicas required than there are, the topic would refuse all events.
      if (replicas !== undefined) await addReplicas(admin, topic, Number(replicas), options);
      if (needed.has('max.message.bytes')) await untilPublishersKnow(topic, options);
      const configs = [...needed].filter(([setting]) => isConfig(setting));
      if (configs.length > 0) {
        options.report(`${topic}: ${configs.map((config) => config.join('=')).join(', ')}`);
        await setConfigs(admin, topic, Object.fromEntries(configs));
      }
      if (partitions !== undefined) await raisePartitions(admin, { ...options, topic, partitions: Number(partitions) });
    }
  } finally {
    await admin.disconnect();
  }
}

/** The process that closed the topic died. It may have added partitions just before. */
async function untilPublishersKnow(topic: string, options: ChangeOptions): Promise<void> {
  const waitMs = options.publishersMs ?? publishersMs;
  options.report(`${topic}: closed by an earlier call; ${waitMs / 1_000} s until all publishers know its partitions`);
  await (options.clock ?? systemClock).sleep(waitMs, options.abort);
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
