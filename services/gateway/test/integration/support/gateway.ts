import { randomBytes } from 'node:crypto';
import type { Clock } from '@shopscope/clock';
import { consumeEvents, createKafka, createProducer, type EventType } from '@shopscope/kafka';
import { topics } from '@shopscope/proto';
import { createRedis } from '@shopscope/redis';
import { createLogger, createRegistry, type Origin } from '@shopscope/telemetry';
import { loadConfig } from '../../../src/config.ts';
import { startGateway } from '../../../src/service.ts';
import { type Neighbours, startNeighbours } from './neighbours.ts';

/** A gateway in this process with stand-ins for its neighbours, on the real Redis and Kafka. */
const environment = process.env;

export interface TestGatewayOptions {
  env?: Record<string, string>;
  clock?: Clock;
  neighbours?: Neighbours;
  id?: string;
}

export function stack() {
  const redisUrl = environment.SHOPSCOPE_REDIS_URL;
  const brokers = environment.SHOPSCOPE_KAFKA_BROKERS;
  if (!redisUrl || !brokers)
    throw new Error('SHOPSCOPE_REDIS_URL and SHOPSCOPE_KAFKA_BROKERS must name the test stack');
  return { redisUrl, brokers };
}

export const newTestId = () => `gw-${randomBytes(4).toString('hex')}`;

/** What a gateway of this test needs to be told. */
export function environmentOf(id: string, neighbours: Neighbours, more: Record<string, string> = {}) {
  const { redisUrl, brokers } = stack();
  return {
    HOST: '127.0.0.1',
    HTTP_PORT: '0',
    ADMIN_PORT: '0',
    SHOPSCOPE_ENV: 'test',
    LOG_LEVEL: 'silent',
    INSTANCE_ID: `${id}-${randomBytes(2).toString('hex')}`,
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_PREFIX: `${id}.`,
    REDIS_URL: redisUrl,
    REDIS_KEY_PREFIX: `${id}:`,
    KEYS_ADDRESS: neighbours.address,
    PROFILES_ADDRESS: neighbours.address,
    METERING_ADDRESS: neighbours.address,
    SCAN_SCHEDULER_ADDRESS: neighbours.address,
    PUBLIC_API_URL: 'https://api.shopscope.test',
    PUBLIC_SITE_URL: 'https://shopscope.test',
    CURSOR_SECRET: 'a secret of at least thirty-two characters',
    ...more,
  };
}

export async function startTestGateway(options: TestGatewayOptions = {}) {
  const id = options.id ?? newTestId();
  const neighbours = options.neighbours ?? (await startNeighbours());
  const env = environmentOf(id, neighbours, options.env);
  const service = await startGateway(loadConfig(env), options.clock ? { clock: options.clock } : {});
  const url = service.httpUrl as string;
  const { port } = new URL(url);

  return {
    id,
    url,
    port: Number(port),
    service,
    neighbours,
    async stop() {
      await service.stop();
      if (!options.neighbours) await neighbours.stop();
      if (!options.id) await cleanUp(id);
    },
  };
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' });

export function testKafka(id: string) {
  const registry = createRegistry({ service: 'test' });
  const { brokers } = stack();
  return createKafka({
    brokers: brokers.split(','),
    clientId: 'test',
    topicPrefix: `${id}.`,
    replicationFactor: 1,
    logger,
    registry,
  });
}

export function testRedis(id: string) {
  const registry = createRegistry({ service: 'test' });
  return createRedis({ url: stack().redisUrl, keyPrefix: `${id}:`, logger, registry });
}

/** Everything that is published of one type, from the beginning. */
export async function collectEvents<T>(id: string, type: EventType<T>) {
  const kafka = testKafka(id);
  await kafka.ensureTopics(topics);
  const producer = createProducer(kafka);
  const events: { event: T; meta: Origin }[] = [];
  const consumer = await consumeEvents(kafka, {
    groupId: `collect-${randomBytes(3).toString('hex')}`,
    producer,
    onFatal: (error) => {
      throw error;
    },
    subscriptions: [
      {
        type,
        async handle(received) {
          events.push(...received.map(({ event, meta }) => ({ event, meta })));
        },
      },
    ],
  });
  return {
    events,
    async stop() {
      await consumer.stop();
      await producer.close();
      await kafka.close();
    },
  };
}

async function cleanUp(id: string) {
  const redis = testRedis(id);
  await new Promise((resolve) => redis.client.once('ready', resolve));
  const found = await redis.client.keys(`${id}:*`);
  if (found.length > 0) await redis.client.del(...found.map((key) => key.slice(id.length + 1)));
  await redis.close();
  const kafka = testKafka(id);
  const admin = kafka.client.admin();
  await admin.connect();
  const names = (await admin.listTopics()).filter((name) => name.startsWith(`${id}.`));
  if (names.length > 0) await admin.deleteTopics({ topics: names });
  await admin.disconnect();
  await kafka.close();
}
