// Publishes dead letters to their topic again, oldest first; README.md says when. Two ways to run it:
//   kubectl -n shopscope exec -i deploy/metering -- node --input-type=module - usage.v1 100 < deploy/runbooks/replay-dead-letters.mjs
//   KAFKA_BROKERS=127.0.0.1:8101 node_modules/.bin/node --conditions=@shopscope/source deploy/runbooks/replay-dead-letters.mjs usage.v1 100
import { createKafka, createProducer, replayDeadLetters } from '@shopscope/kafka';
import { createLogger, createRegistry } from '@shopscope/telemetry';

// biome-ignore lint/style/noProcessEnv: an operator's script; its environment is that of the pod it runs in
const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '' } = process.env;
const [topic, count] = process.argv.slice(2);
if (!topic || topic.endsWith('.dlq') || !/^\d+$/.test(count ?? '') || KAFKA_BROKERS === '') {
  console.error(
    'KAFKA_BROKERS=host:port replay-dead-letters TOPIC MOST   (TOPIC as in usage.v1, without prefix and .dlq)',
  );
  process.exit(2);
}

const service = 'replay-dead-letters';
const kafka = createKafka({
  brokers: KAFKA_BROKERS.split(','),
  clientId: service,
  topicPrefix: KAFKA_TOPIC_PREFIX,
  replicationFactor: 1,
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
