import { changeTopics, createKafka, type Kafka } from '@shopscope/kafka';
import { loadConfig as loadKeys, startKeys } from '@shopscope/keys';
import { migrate, type RunningService, readMigrationSettings } from '@shopscope/lifecycle';
import { freePort } from '@shopscope/local-stack';
import { loadConfig as loadMetering, startMetering } from '@shopscope/metering';
import { loadConfig as loadProfiles, startProfiles } from '@shopscope/profiles';
import { keyActivity, observationCompleted, scanRequested, usageRecorded, workspaceEvent } from '@shopscope/proto';
import { loadConfig as loadScanScheduler, startScanScheduler } from '@shopscope/scan-scheduler';
import { loadConfig as loadSubscriptions, startSubscriptions } from '@shopscope/subscriptions';
import { kafkaOptions, serviceEnvironment, silentTelemetry, testNamespace } from '@shopscope/testing';
import { loadConfig as loadWebhooks, startWebhooks } from '@shopscope/webhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../../../src/migrations.ts';

const namespace = testNamespace('differing-topics');
let kafka: Kafka;

/** Starts a service that compares its topics, as in production. */
const start =
  <Config extends { SHOPSCOPE_ENV: string }>(
    load: (env: Record<string, string>) => Config,
    run: (config: Config) => Promise<RunningService>,
  ) =>
  (env: Record<string, string>) =>
    run(Object.assign(load(env), { SHOPSCOPE_ENV: 'production' }));

const nowhere = '127.0.0.1:1';
const settings = {
  KEY_PEPPER: 'development-pepper-of-differing-topics',
  WEBHOOK_STORAGE_SECRETS: '1:development-webhook-secret-of-differing-topics',
  PUBLIC_API_URL: 'http://api.shopscope.test',
  PUBLIC_SITE_URL: 'http://shopscope.test',
  KEYS_ADDRESS: nowhere,
  METERING_ADDRESS: nowhere,
  PROFILES_ADDRESS: nowhere,
  SCAN_SCHEDULER_ADDRESS: nowhere,
  SEARCH_ADDRESS: nowhere,
  SUBSCRIPTIONS_ADDRESS: nowhere,
};
const services = [
  ['keys', start(loadKeys, startKeys)],
  ['metering', start(loadMetering, startMetering)],
  ['profiles', start(loadProfiles, startProfiles)],
  ['scan-scheduler', start(loadScanScheduler, startScanScheduler)],
  ['subscriptions', start(loadSubscriptions, startSubscriptions)],
  ['webhooks', start(loadWebhooks, startWebhooks)],
] as const;
const environmentOf = (service: string) => Object.assign(serviceEnvironment(namespace, service), settings);

beforeAll(async () => {
  kafka = createKafka(kafkaOptions(namespace));
  const { logger } = silentTelemetry();
  const migrateOne = ([service]: (typeof services)[number]) => {
    const migration = migrations[service] as (typeof migrations)[string];
    return migrate(migration, readMigrationSettings(migration, environmentOf(service)), { service, logger });
  };
  await Promise.all(services.map(migrateOne));
  // Every service of the list consumes or publishes one of these topics.
  const differing = [keyActivity, observationCompleted, scanRequested.live, usageRecorded.live, workspaceEvent.live];
  const differences = differing.map(({ topic }) => ({
    topic: kafka.topicName(topic),
    setting: 'retention.ms' as const,
    found: undefined,
    needed: '1000',
  }));
  await changeTopics(kafka, differences, { report: () => {}, abort: new AbortController().signal });
});
afterAll(async () => {
  await kafka.close();
  await namespace.cleanup();
});

it.each(services)('%s does not start and is never ready while a topic that it uses differs', async (service, run) => {
  const port = await freePort();
  let starting = true;
  const started = run(Object.assign(environmentOf(service), { ADMIN_PORT: String(port) })).finally(() => {
    starting = false;
  });
  const refused = expect(started).rejects.toThrow('has retention.ms 1000');
  const seen = new Set<number>();
  while (starting) {
    await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => seen.add(status),
      () => undefined,
    );
  }
  await refused;
  expect([...seen]).toEqual([503]);
});
