import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createPermitSigner, developmentSigningKey, publicKeyEntry } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer, encodeEvent } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { loadConfig, startProfiles } from '@shopscope/profiles';
import {
  ObservationCompleted,
  ObservationOutcome,
  observationCompleted,
  permitHeader,
  profileUpdated,
  topicsOf,
} from '@shopscope/proto';
import {
  type CollectedEvents,
  type KafkaHarness,
  serviceEnvironment,
  startKafkaHarness,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const topic = observationCompleted.topic;

describe('dead letters of observations.v1', () => {
  const namespace = testNamespace('replay');
  let kafka: KafkaHarness<ReturnType<typeof createKafka>, ReturnType<typeof createProducer>>;
  let updates: CollectedEvents<{ scanId: string }>;
  let profiles: RunningService;

  beforeAll(async () => {
    kafka = await startKafkaHarness(
      { createKafka, createProducer, consumeEvents },
      namespace,
      topicsOf(observationCompleted, profileUpdated.live),
    );
    updates = await kafka.collect(profileUpdated.live);
    profiles = await startProfiles(
      loadConfig({
        ...serviceEnvironment(namespace, 'profiles'),
        PUBLIC_SITE_URL: 'http://site.example',
      }),
    );
  });
  afterAll(async () => {
    await profiles?.stop();
    await kafka?.close();
    await namespace.cleanup();
  });

  const observation = ObservationCompleted.fromPartial({
    scanId: 'scan_1',
    domain: 'shop.example',
    sequence: 7,
    completedAtMs: Date.now(),
    outcome: ObservationOutcome.UNREACHABLE,
    reason: 'timeout',
  });
  const dlq = async (args: string[], env: Record<string, string> = {}) => {
    const { KAFKA_BROKERS, KAFKA_TOPIC_PREFIX, SHOPSCOPE_ENV } = serviceEnvironment(namespace, 'dlq');
    const child = spawn(process.execPath, ['--conditions=@shopscope/source', script, ...args], {
      env: { ...process.env, KAFKA_BROKERS, KAFKA_TOPIC_PREFIX, SHOPSCOPE_ENV, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    const [code] = await once(child, 'close');
    return { code, text };
  };
  const letters = async () =>
    [...(await kafka.kafka.endOffsets(`${topic}.dlq`)).values()].reduce((sum, end) => sum + Number(end), 0);

  it('a dead letter reaches profiles with a permit of replay; one that was refused needs a confirmation of the operator', async () => {
    const sign = createPermitSigner('scan-scheduler', developmentSigningKey('scan-scheduler'));
    const meta = { requestId: 'req_1', traceparent: '', environment: null };
    const expired = { [permitHeader]: sign(observation, Date.now() - 1) };
    await kafka.producer.publishRaw(topic, [encodeEvent(observationCompleted, observation, meta, expired)]);
    await waitUntil('the refusal', async () => (await letters()) === 1);

    const production = await dlq(['replay', topic, '--yes'], {
      SHOPSCOPE_ENV: 'production',
      INSECURE_CONNECTIONS: 'kafka',
      PERMIT_PUBLIC_KEYS: publicKeyEntry('scan-scheduler', {
        id: '1',
        privateKey: generateKeyPairSync('ed25519').privateKey,
      }),
    });
    expect(production).toMatchObject({ code: 1, text: expect.stringContaining('set REPLAY_SIGNING_KEY') });
    expect(await letters()).toBe(1);

    expect(await dlq(['replay', topic, '--yes'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('without a permit of replay: 1 (expired 1)'),
    });
    await waitUntil('the second refusal', async () => (await letters()) === 2);
    expect(updates.events).toEqual([]);

    expect(await dlq(['replay', topic, '--sign-refused', '--yes'])).toMatchObject({ code: 0 });
    await waitUntil('its update', () => updates.events.length === 1);
    expect(updates.events).toEqual([expect.objectContaining({ scanId: 'scan_1', sequence: 7 })]);
    expect(await letters()).toBe(2);
  });

  it('a dead letter of a version that profiles did not know is signed only when its own permit was valid', async () => {
    const sign = createPermitSigner('scan-scheduler', developmentSigningKey('scan-scheduler'));
    const [genuine, forged] = ['genuine', 'forged'].map((name) => ({
      ...observation,
      scanId: name,
      domain: `${name}.example`,
    }));
    if (!genuine || !forged) throw new Error('unreachable');
    const [startMs, before] = [Date.now(), await letters()];
    // Both permits are for the genuine observation. They are valid for longer than this test takes, because it has no clock to move.
    const records = [forged, genuine].map((event) => {
      const permit = { [permitHeader]: sign(genuine, Date.now() + 600_000) };
      const record = encodeEvent(
        observationCompleted,
        event,
        { requestId: 'req_1', traceparent: '', environment: null },
        permit,
      );
      return { ...record, headers: { ...record.headers, 'event-version': '9', 'dlq-appended-at-ms': '1' } };
    });
    await kafka.producer.publishRaw(topic, records);
    await waitUntil('both dead letters', async () => (await letters()) === before + 2);

    const wanted = expect.stringContaining('without a permit of replay: 1 (mismatch 1)');
    const listed = await dlq(['replay', topic]);
    expect(listed).toMatchObject({ code: 0, text: wanted });
    const appended = [...listed.text.matchAll(/"appendedAtMs":(\d+)/g)].map(([, ms]) => Number(ms));
    expect(appended.map((ms) => ms >= startMs && ms <= Date.now())).toEqual([true, true]);
    expect(await dlq(['replay', topic, '--yes'])).toMatchObject({ code: 0, text: wanted });
  });

  it('a record too large for a dead letter stops no partition: its place and size are kept, and replay leaves it out', async () => {
    const before = await letters();
    const sign = createPermitSigner('scan-scheduler', developmentSigningKey('scan-scheduler'));
    const behind = { ...observation, scanId: 'behind', domain: 'behind.example' };
    const permit = { [permitHeader]: sign(behind, Date.now() + 600_000) };
    const { key, value, headers } = encodeEvent(
      observationCompleted,
      behind,
      { requestId: 'req_1', traceparent: '', environment: null },
      permit,
    );
    const direct = kafka.kafka.client.producer({ allowAutoTopicCreation: false });
    await direct.connect();
    for (const message of [
      { key, value: Buffer.alloc(1_000_000, 'x') },
      { key, value: Buffer.from(value), headers },
    ]) {
      await direct.send({ topic: kafka.kafka.topicName(topic), messages: [message] });
    }
    await direct.disconnect();
    await waitUntil('the update after it', () => updates.events.some(({ scanId }) => scanId === 'behind'));
    expect(await letters()).toBe(before + 1);
    expect(await dlq(['replay', topic, '--yes'])).toMatchObject({
      code: 0,
      text: expect.stringMatching(/"omittedBytes":100\d{4}.*left out, because they were too large to keep: 1/s),
    });
  });
});
