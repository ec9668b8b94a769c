import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '@shopscope/clock';
import { consumeEvents, createKafka, createProducer, type EventType } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged, topics } from '@shopscope/proto';
import { createRedis, type Redis } from '@shopscope/redis';
import {
  type CollectedEvents,
  kafkaOptions,
  redisOptions,
  serviceEnvironment,
  startKafkaHarness,
  type TestNamespace,
  waitUntil,
} from '@shopscope/testing';
import { loadConfig } from '../../../src/config.ts';
import { joinWaitMs } from '../../../src/keys/consume-key-events.ts';
import { startGateway } from '../../../src/wiring/start-gateway.ts';
import { type Backends, startBackends } from './backends.ts';

/** A gateway in this process with its backends, on the real Redis and Kafka. */
export interface TestGatewayOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** The backends of another gateway. Both gateways then use the same data. */
  backends?: Backends;
  /** Whether no Kafka answers at the start. The gateway then waits for it briefly. Default false. */
  startsWithoutKafka?: boolean;
}

/** Environment variables of a gateway that calls these backends. */
export function environmentOf(backends: Backends, more: Record<string, string> = {}) {
  const { namespace, address } = backends;
  return {
    ...serviceEnvironment(namespace, 'gateway'),
    INSTANCE_ID: `${namespace.id}-${randomBytes(2).toString('hex')}`,
    KEYS_ADDRESS: address,
    PROFILES_ADDRESS: address,
    METERING_ADDRESS: address,
    SCAN_SCHEDULER_ADDRESS: address,
    SUBSCRIPTIONS_ADDRESS: address,
    WEBHOOKS_ADDRESS: address,
    SEARCH_ADDRESS: address,
    PUBLIC_API_URL: 'https://api.shopscope.test',
    PUBLIC_SITE_URL: 'https://shopscope.test',
    CURSOR_SECRET: 'a development secret of at least 32 characters',
    ...more,
  };
}

export async function startTestGateway(options: TestGatewayOptions = {}) {
  const backends = options.backends ?? (await startBackends());
  const config = loadConfig(environmentOf(backends, options.env));
  const { clock = systemClock, startsWithoutKafka = false } = options;
  let isStarting = startsWithoutKafka;
  /** The time that is left of the wait is a fraction. */
  const isWaitForKafka = (ms: number) => isStarting && Math.abs(ms - joinWaitMs) < 500;
  const ownClock: Clock = startsWithoutKafka
    ? { ...clock, after: (ms, callback) => clock.after(isWaitForKafka(ms) ? 0 : ms, callback) }
    : clock;
  const service = await startGateway(config, { clock: ownClock });
  isStarting = false;
  const url = service.httpUrl as string;
  const { port } = new URL(url);

  return {
    namespace: backends.namespace,
    url,
    /** The listener for the dashboard. */
    internal: { url: `http://${service.internalAddress}` },
    port: Number(port),
    service,
    backends,
    /** Also stops the backends, unless the test gave them. */
    async stop() {
      await service.stop();
      if (!options.backends) await backends.stop();
    },
  };
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

const testKafka = (namespace: TestNamespace) => createKafka(kafkaOptions(namespace));

export const testRedis = (namespace: TestNamespace) => createRedis(redisOptions(namespace));

/** Resolves to a connection when it is available. */
export async function openTestRedis(namespace: TestNamespace): Promise<Redis> {
  const redis = testRedis(namespace);
  await waitUntil('Redis', () => redis.available);
  return redis;
}

/** Redis loses the stored responses. */
export async function forgetIdempotency(namespace: TestNamespace): Promise<void> {
  const redis = await openTestRedis(namespace);
  const { redisKeyPrefix } = namespace;
  const found = await redis.client.keys(`${redisKeyPrefix}idem:*`);
  await redis.client.del(...found.map((name) => name.slice(redisKeyPrefix.length)));
  await redis.close();
}

/**
 * Lets the locks of Idempotency-Keys expire soon that a killed gateway holds for a workspace. Resolves to the time in ms that each of
 * them had left.
 */
export async function endLocks(namespace: TestNamespace, workspaceId: string): Promise<number[]> {
  const redis = await openTestRedis(namespace);
  const { redisKeyPrefix } = namespace;
  const found = await redis.client.keys(`${redisKeyPrefix}idem:{${workspaceId}}:*:lock`);
  const leftMs: number[] = [];
  for (const name of found.map((each) => each.slice(redisKeyPrefix.length))) {
    leftMs.push(await redis.client.pttl(name));
    await redis.client.pexpire(name, 100);
  }
  await redis.close();
  return leftMs;
}

/** Publishes what the keys service publishes of a change. */
export async function publishKeyChange(namespace: TestNamespace, event: Partial<KeyChanged>): Promise<void> {
  const kafka = testKafka(namespace);
  const producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  const whole = { change: KeyChange.KEY_REVOKED, workspaceId: '', keyId: '', planSlug: '', atMs: Date.now(), ...event };
  await producer.publish(keyChanged, whole, { requestId: 'req_test', traceparent: '', environment: 'live' });
  await producer.close();
  await kafka.close();
}

/** Everything that is published of one type, from the beginning. */
export async function collectEvents<T>(
  namespace: TestNamespace,
  type: EventType<T>,
): Promise<{ events: CollectedEvents<T>['received']; stop(): Promise<void> }> {
  const kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, namespace, topics);
  const { received } = await kafka.collect(type);
  return { events: received, stop: kafka.close };
}
