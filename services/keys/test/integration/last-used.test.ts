import { hourMs, ManualClock } from '@shopscope/clock';
import { createKafka, createProducer, deadLetterSuffix, type EventProducer, type Kafka } from '@shopscope/kafka';
import { type KeyActivity, KeyStatus, keyActivity, topicsOf } from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyActivitySubscription } from '../../src/inbound/kafka/key-activity.ts';
import { createKeyStore } from '../../src/outbound/mongo/keys.ts';
import { createHarness, type KeysClient, type KeysHarness, newKey, newWorkspace, pepper, statusOf } from './harness.ts';

describe('time of last use', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let client: KeysClient;
  let pending: () => Promise<number>;
  let kafka: Kafka;
  let producer: EventProducer;
  let workspaceId: string;
  let keyId: string;
  let secret: string;

  beforeAll(async () => {
    harness = await createHarness('last-used', clock);
    const service = await harness.start();
    ({ client, pending } = service);
    kafka = createKafka(kafkaOptions(harness.namespace));
    await kafka.ensureTopics(topicsOf(keyActivity));
    producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    await producer?.close();
    await kafka?.close();
    await harness?.stop();
  });
  beforeEach(async () => {
    clock.advance(60_000);
    workspaceId = await newWorkspace(client);
    ({ id: keyId, secret } = await newKey(client, workspaceId));
  });

  const activity = (lastUsedAtMs: number, over: Partial<KeyActivity> = {}): KeyActivity => ({
    workspaceId,
    keyId,
    instanceId: 'gateway-1',
    sequence: 1,
    lastUsedAtMs,
    hourStartMs: 0,
    succeeded: 1,
    clientErrors: 0,
    serverErrors: 0,
    limited: 0,
    ...over,
  });
  const report = (...events: KeyActivity[]) =>
    producer.publishMany(
      keyActivity,
      events,
      { requestId: '', traceparent: '', environment: null },
      { timeoutMs: 10_000 },
    );
  const shown = async (of = keyId) => (await client.getKey({ workspaceId, keyId: of })).key?.lastUsedAtMs;
  const settled = () => waitUntil('the reports to be consumed', async () => (await pending()) === 0);
  const deadLetters = async () => {
    const ends = await kafka.endOffsets(keyActivity.topic + deadLetterSuffix);
    return [...ends.values()].reduce((sum, end) => sum + Number(end), 0);
  };

  it('the time of last use is absent before the first report and then shown in GetKey and ListKeys', async () => {
    expect(await shown()).toBeUndefined();
    const usedAtMs = clock.now() - 5_000;
    await report(activity(usedAtMs));
    await settled();
    expect(await shown()).toBe(usedAtMs);
    const { keys } = await client.listKeys({ workspaceId, includeInactive: false });
    expect(keys.map(({ lastUsedAtMs }) => lastUsedAtMs)).toEqual([usedAtMs]);
    expect(await statusOf(client, secret)).toBe(KeyStatus.ACTIVE);
  });

  it('the time of last use of a key is the latest of all reports, whatever their order, instance and repetition', async () => {
    const now = clock.now();
    await report(activity(now - 3_000), activity(now - 1_000, { instanceId: 'gateway-2' }), activity(now - 2_000));
    await settled();
    expect(await shown()).toBe(now - 1_000);
    for (const late of [now - 2_000, now - 1_000, now - 3_000]) {
      await report(activity(late));
      await settled();
      expect(await shown()).toBe(now - 1_000);
    }
    await report(activity(now - 500));
    await settled();
    expect(await shown()).toBe(now - 500);
  });

  it('the time of last use is kept for each key of a batch', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => newKey(client, workspaceId)));
    const now = clock.now();
    await report(...made.flatMap(({ id }, n) => [1, 2].map((k) => activity(now - n * 10 - k, { keyId: id }))));
    await settled();
    expect(await Promise.all(made.map(({ id }) => shown(id)))).toEqual(made.map((_, n) => now - n * 10 - 1));
  });

  it('the time of last use is kept for revoked keys as well', async () => {
    await client.revokeKey({ workspaceId, keyId, actor: 'usr_1', actorAddress: '' });
    await report(activity(clock.now() - 1));
    await settled();
    expect(await shown()).toBe(clock.now() - 1);
  });

  it('the time of last use is never in the future, even when the clock of a gateway is ahead', async () => {
    await report(activity(clock.now() + hourMs));
    await settled();
    expect(await shown()).toBe(clock.now());
    await report(activity(Number.MAX_SAFE_INTEGER));
    await settled();
    expect(await shown()).toBe(clock.now());
  });

  it('reports of other workspaces do not change the time of last use, and reports of unknown keys add nothing', async () => {
    const other = await newWorkspace(client);
    const count = () => harness.db.collection('keys').countDocuments();
    const before = await count();
    await report(activity(clock.now(), { workspaceId: other }), activity(clock.now(), { keyId: 'key_none' }));
    await settled();
    expect(await shown()).toBeUndefined();
    expect(await count()).toBe(before);
  });

  it('the time of last use is taken from the valid reports of a batch, and the malformed ones become dead letters', async () => {
    const before = await deadLetters();
    const malformed = [
      activity(0),
      activity(-1),
      activity(1, { workspaceId: '' }),
      activity(1, { keyId: 'key_' }),
      activity(1, { keyId: '$where' }),
    ];
    await report(...malformed, activity(clock.now() - 7));
    await settled();
    expect(await shown()).toBe(clock.now() - 7);
    expect(await deadLetters()).toBe(before + malformed.length);
  });

  it('the reports of last use are consumed again when the database did not answer', async () => {
    const keys = createKeyStore(harness.db);
    const refusal = new Error('no primary');
    let calls = 0;
    const { handle } = keyActivitySubscription({
      clock,
      keys: {
        ...keys,
        async recordUses(...args) {
          calls += 1;
          if (calls === 1) throw refusal;
          return keys.recordUses(...args);
        },
      },
    });
    const received = [{ event: activity(clock.now() - 9) }] as Parameters<typeof handle>[0];
    await expect(handle(received)).rejects.toBe(refusal);
    await handle(received);
    expect(await shown()).toBe(clock.now() - 9);
  });

  it('keys starts and serves without Kafka, and the time of last use is then missing', async () => {
    // No server listens on the discard port.
    const service = await harness.start({ KEY_PEPPER: pepper, KAFKA_BROKERS: '127.0.0.1:9' });
    try {
      expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200);
      expect(await statusOf(service.client, secret)).toBe(KeyStatus.ACTIVE);
      const { id } = await newKey(service.client, workspaceId);
      expect(await shown(id)).toBeUndefined();
    } finally {
      await service.stop();
    }
  });
});
