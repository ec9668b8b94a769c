import { SchemaOlderError } from '@shopscope/errors';
import kafkajs, { type Admin } from 'kafkajs';
import { closedBytes } from './topic-configs.ts';
import { minInSyncReplicas, type TopicDefinition, withDeadLetters } from './topics.ts';

const { ConfigResourceTypes } = kafkajs;

export type TopicSetting =
  | 'topic'
  | 'partitions'
  | 'replication.factor'
  | 'min.insync.replicas'
  | 'retention.ms'
  | 'message.timestamp.type'
  | 'cleanup.policy'
  | 'max.message.bytes';

/** One setting of a topic that is not as the services need it. */
export interface TopicDifference {
  /** The topic's name in the cluster, with the prefix. */
  topic: string;
  setting: TopicSetting;
  /** Undefined if the topic does not exist. */
  found: string | undefined;
  needed: string;
}

/** Thrown at the start of a service in production. A further attempt would find the same. */
export class TopicsDifferError extends SchemaOlderError {
  readonly differences: readonly TopicDifference[];
  /** Whether a topic does not exist, which `--migrate` changes. Other differences are changed by `admin topics apply`. */
  readonly isMissing: boolean;

  constructor(differences: readonly TopicDifference[]) {
    const isMissing = differences.some(({ setting }) => setting === 'topic');
    super(describeTopics(differences), isMissing ? undefined : '"admin topics plan" lists all differences');
    this.name = 'TopicsDifferError';
    this.differences = differences;
    this.isMissing = isMissing;
  }
}

/** The differences that matter to services. A topic is closed while partitions are added, which ends by itself. */
export const lastingDifferences = (all: readonly TopicDifference[]): TopicDifference[] =>
  all.filter(({ setting }) => setting !== 'max.message.bytes');

/** Throws {@link TopicsDifferError} if there are lasting differences. */
export function rejectDifferences(all: readonly TopicDifference[]): void {
  const differences = lastingDifferences(all);
  if (differences.length > 0) throw new TopicsDifferError(differences);
}

/** The first difference, for a sentence to operators. A missing topic comes before a different setting. */
export function describeTopics(differences: readonly TopicDifference[]): string {
  const missing = differences.find(({ setting }) => setting === 'topic');
  const first = missing ?? differences[0];
  if (!first) return 'All topics have the settings that they need';
  const more = differences.length === 1 ? '' : ` (and ${differences.length - 1} more)`;
  if (missing) return `Topic ${first.topic} is missing${more}`;
  return `Topic ${first.topic} has ${first.setting} ${first.found}, but ${first.needed} is needed${more}`;
}

/** The settings of a topic in the cluster. */
export interface FoundTopic {
  partitions: number;
  /** The number of replicas of the partition that has the fewest. */
  replicas: number;
  configs: Readonly<Record<string, string>>;
}

const configNames = [
  'min.insync.replicas',
  'retention.ms',
  'message.timestamp.type',
  'cleanup.policy',
  'max.message.bytes',
] as const;

/** Kafka's default: a topic that was left closed is opened again. */
const defaultMaxBytes = String(1024 * 1024 + 12);

/**
 * Compares the topics and their dead-letter topics with what the services need. More partitions and replicas and a longer retention than
 * needed are no difference. The names of `topics` have the prefix.
 */
export async function readTopicDifferences(
  admin: Admin,
  topics: readonly TopicDefinition[],
  replicationFactor: number,
): Promise<TopicDifference[]> {
  const needed = withDeadLetters(topics);
  const existing = new Set(await admin.listTopics());
  const names = needed.map(({ topic }) => topic).filter((topic) => existing.has(topic));
  const found = await readTopics(admin, names);
  return needed.flatMap((definition) => differencesOf(definition, found.get(definition.topic), replicationFactor));
}

async function readTopics(admin: Admin, names: readonly string[]): Promise<Map<string, FoundTopic>> {
  if (names.length === 0) return new Map();
  const [metadata, described] = await Promise.all([
    admin.fetchTopicMetadata({ topics: [...names] }),
    admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({
        type: ConfigResourceTypes.TOPIC,
        name,
        configNames: [...configNames],
      })),
    }),
  ]);
  const configs = new Map(
    described.resources.map(({ resourceName, configEntries }) => [
      resourceName,
      Object.fromEntries(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
  return new Map(
    metadata.topics.map(({ name, partitions }) => [
      name,
      {
        partitions: partitions.length,
        replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        configs: configs.get(name) ?? {},
      },
    ]),
  );
}

export function differencesOf(
  { topic, partitions, retentionMs, appendTime }: TopicDefinition,
  found: FoundTopic | undefined,
  replicationFactor: number,
): TopicDifference[] {
  if (!found) return [{ topic, setting: 'topic', found: undefined, needed: `${partitions} partitions` }];
  const { configs } = found;
  const atLeast = (setting: TopicSetting, has: number, needs: number): TopicDifference[] =>
    has >= needs ? [] : [{ topic, setting, found: String(has), needed: String(needs) }];
  const exactly = (setting: TopicSetting, needs: string): TopicDifference[] =>
    configs[setting] === needs ? [] : [{ topic, setting, found: configs[setting] ?? 'unknown', needed: needs }];
  const inSync = configs['min.insync.replicas'];
  const most = minInSyncReplicas(Math.max(found.replicas, replicationFactor));
  // More would refuse all events while one replica is missing.
  const inSyncNeeded = clamp(Number(inSync ?? 0), minInSyncReplicas(replicationFactor), most);
  // Kafka keeps events without a limit if the value is -1.
  const isKeptLonger = configs['retention.ms'] === '-1' || Number(configs['retention.ms']) > retentionMs;
  return [
    ...atLeast('partitions', found.partitions, partitions),
    ...atLeast('replication.factor', found.replicas, replicationFactor),
    ...exactly('min.insync.replicas', String(inSyncNeeded)),
    ...(isKeptLonger ? [] : exactly('retention.ms', String(retentionMs))),
    ...exactly('message.timestamp.type', appendTime ? 'LogAppendTime' : 'CreateTime'),
    ...exactly('cleanup.policy', 'delete'),
    ...(configs['max.message.bytes'] === closedBytes ? exactly('max.message.bytes', defaultMaxBytes) : []),
  ];
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
