// Publishes dead letters to their topic again, oldest first; README.md says when. Two ways to run it:
//   . deploy/runbooks/on-call.sh && replay usage.v1 100
//   SHOPSCOPE_ENV=development KAFKA_BROKERS=127.0.0.1:8101 node_modules/.bin/node --conditions=@shopscope/source deploy/runbooks/replay-dead-letters.mjs usage.v1 100
import {
  ConfigError,
  kafkaOptions,
  kafkaRules,
  kafkaSettings,
  readConfig,
  serviceSettings,
  z,
} from '@shopscope/config';
import { createKafka, createProducer, replayDeadLetters } from '@shopscope/kafka';
import { createLogger, createRegistry } from '@shopscope/telemetry';

const [topic, count] = process.argv.slice(2);
if (!topic || topic.endsWith('.dlq') || !/^\d+$/.test(count ?? '')) refuse();

const { SHOPSCOPE_ENV, INSTANCE_ID } = serviceSettings;
const config = readSettings();
const service = 'replay-dead-letters';
const kafka = createKafka({
  ...kafkaOptions(config),
  clientId: service,
  logger: createLogger({ service, instance: service, level: 'warn' }),
  registry: createRegistry({ service }),
});
const producer = createProducer(kafka);
try {
  const replayed = await replayDeadLetters(kafka, { topic, producer, maxEvents: Number(count) });
  console.log(`${replayed} dead letters of ${topic} were published again`);
} finally {
  await producer.close();
  await kafka.close();
}

/** The same KAFKA_* variables as a service has. */
function readSettings() {
  try {
    // biome-ignore lint/style/noProcessEnv: an operator's script; its environment is that of the pod it runs in
    return readConfig(z.object({ ...kafkaSettings, SHOPSCOPE_ENV, INSTANCE_ID }), process.env, [kafkaRules]);
  } catch (error) {
    if (error instanceof ConfigError) refuse(error.message);
    throw error;
  }
}

function refuse(message = '') {
  console.error(`${message}\nreplay-dead-letters TOPIC MOST   (TOPIC as in usage.v1, without prefix and .dlq)`.trim());
  process.exit(2);
}
