import { dayMs } from '@shopscope/clock';
import type { Admin } from 'kafkajs';

export interface TopicDefinition {
  /** The topic's name without the prefix. */
  topic: string;
  partitions: number;
  retentionMs: number;
  /** Whether the broker sets the time of each record, so that no publisher can choose it. By default the publisher sets it. */
  appendTime?: boolean;
}

export const deadLetterSuffix = '.dlq';
const deadLetterRetentionMs = 30 * dayMs;

/** One replica may be missing. */
export const minInSyncReplicas = (replicationFactor: number): number => Math.max(1, replicationFactor - 1);

/** Returns the topics, each followed by its dead-letter topic. */
export const withDeadLetters = (topics: readonly TopicDefinition[]): TopicDefinition[] =>
  topics.flatMap((definition) => [
    definition,
    { topic: definition.topic + deadLetterSuffix, partitions: 1, retentionMs: deadLetterRetentionMs },
  ]);

/**
 * Creates the missing topics, each with its dead-letter topic, and waits until their partitions have leaders.
 *
 * - Concurrency: several instances may call it at once. A topic that another instance has just created causes no error.
 */
export async function createTopics(
  admin: Admin,
  topics: readonly TopicDefinition[],
  replicationFactor: number,
): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = withDeadLetters(topics).filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return;
  try {
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map(({ topic, partitions, retentionMs, appendTime }) => ({
        topic,
        numPartitions: partitions,
        replicationFactor,
        configEntries: [
          { name: 'retention.ms', value: String(retentionMs) },
          { name: 'message.timestamp.type', value: appendTime ? 'LogAppendTime' : 'CreateTime' },
          { name: 'min.insync.replicas', value: String(minInSyncReplicas(replicationFactor)) },
          { name: 'cleanup.policy', value: 'delete' },
        ],
      })),
    });
  } catch (error) {
    if (!alreadyExist(error)) throw error;
  }
}

function alreadyExist(error: unknown): boolean {
  const { type, errors } = error as { type?: string; errors?: { type?: string }[] };
  const types = errors ? errors.map((each) => each.type) : [type];
  return types.every((each) => each === 'TOPIC_ALREADY_EXISTS');
}
