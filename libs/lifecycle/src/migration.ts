import { retry } from '@shopscope/async';
import {
  type Environment,
  kafkaOptions,
  kafkaRules,
  kafkaSettings,
  mongoOptions,
  mongoRules,
  mongoSettings,
  readConfig,
  serviceSettings,
  z,
} from '@shopscope/config';
import { createKafka, type Kafka, rejectDifferences, type TopicDefinition, TopicsDifferError } from '@shopscope/kafka';
import { createRegistry, type Logger, type Registry } from '@shopscope/telemetry';

/** What a service needs in the data servers, and what `--migrate` therefore makes. */
export interface Migration {
  topics: readonly TopicDefinition[];
  /** A service without a database omits it, and its image contains no driver of MongoDB. */
  database?: {
    name: string;
    /** `migrateCollections` of @shopscope/mongo. */
    migrate(options: MongoConnection & { appName: string; logger: Logger; registry: Registry }): Promise<void>;
  };
}

type MongoConnection = ReturnType<typeof mongoOptions>;

const { SHOPSCOPE_ENV, LOG_LEVEL, INSTANCE_ID } = serviceSettings;
const settings = z.object({ SHOPSCOPE_ENV, LOG_LEVEL, INSTANCE_ID, ...kafkaSettings });

export interface MigrationSettings {
  config: z.output<typeof settings>;
  mongo?: MongoConnection;
}

/** Reads the settings of the data servers, without the other settings and the secrets of the service. Throws ConfigError. */
export function readMigrationSettings({ database }: Migration, env: Environment): MigrationSettings {
  if (!database) return { config: readConfig(settings, env, [kafkaRules]) };
  const config = readConfig(settings.extend(mongoSettings(database.name)), env, [kafkaRules, mongoRules]);
  return { config, mongo: mongoOptions(config) };
}

/**
 * 1. Creates the missing topics. 2. Makes collections, indexes and validators, which may take hours. 3. Rejects if a topic has other settings
 * than the services need, because they would refuse to start. Each step is idempotent and may run in several processes at once.
 */
export async function migrate(
  { topics, database }: Migration,
  { config, mongo }: MigrationSettings,
  { service, logger }: { service: string; logger: Logger },
): Promise<void> {
  const registry = createRegistry({ service });
  const kafka = createKafka({ ...kafkaOptions(config), onlyComparesTopics: false, logger, registry });
  try {
    await kafka.ensureTopics(topics);
    logger.info({ what: 'topics', done: topics.length, total: topics.length }, 'the topics exist');
    if (mongo) await database?.migrate({ ...mongo, appName: `${service}-migration`, logger, registry });
    await compareTopics(kafka, topics);
  } finally {
    await kafka.close();
  }
}

const visiblePauseMs = 500;
const maxVisiblePauses = 20;

/** A broker may not show a new topic for a moment. */
const compareTopics = (kafka: Kafka, topics: readonly TopicDefinition[]) =>
  retry(async () => rejectDifferences(await kafka.topicDifferences(topics)), {
    pauseMs: (attempt, error) =>
      error instanceof TopicsDifferError && error.isMissing && attempt < maxVisiblePauses ? visiblePauseMs : undefined,
  });
