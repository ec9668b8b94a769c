import { hostname } from 'node:os';
import {
  type Environment,
  kafkaOptions,
  kafkaSettings,
  readConfig,
  readLocalSystem,
  serviceSettings,
  z,
} from '@shopscope/config';
import { createKafka, type Kafka } from '@shopscope/kafka';
import { createLogger, createRegistry } from '@shopscope/telemetry';

const settings = z.object({ SHOPSCOPE_ENV: serviceSettings.SHOPSCOPE_ENV, ...kafkaSettings });
const service = 'admin';

/** Kafka with the settings that services have. Without KAFKA_BROKERS: the broker of the running local system. */
export function openKafka(env: Environment): Kafka {
  const { KAFKA_BROKERS: given = readLocalSystem(env, 'KAFKA_BROKERS').stack?.kafka?.brokers } = env;
  const environment = env.KAFKA_BROKERS ? {} : { SHOPSCOPE_ENV: 'development' };
  const config = readConfig(settings, { ...environment, ...env, KAFKA_BROKERS: given });
  const logger = createLogger({ service, instance: service, level: 'fatal' });
  const options = kafkaOptions({ ...config, INSTANCE_ID: `${service}-${hostname()}` });
  return createKafka({ ...options, logger, registry: createRegistry({ service }) });
}
