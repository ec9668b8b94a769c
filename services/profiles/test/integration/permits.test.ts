import { generateKeyPairSync } from 'node:crypto';
import { hourMs } from '@shopscope/clock';
import {
  createPermitSigner,
  developmentSigningKey,
  type PermitPrincipal,
  type PermitSigningKey,
  publicKeyEntry,
} from '@shopscope/ids';
import { encodeEvent } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { type ObservationCompleted, observationCompleted, permitHeader } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { CompressionTypes, ConfigResourceTypes } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observed } from '../support/observed-event.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

const keyOf = (id: string): PermitSigningKey => ({ id, privateKey: generateKeyPairSync('ed25519').privateKey });
const [old, current, removed, replay] = ['1', '2', '0', 'r1'].map(keyOf) as [
  PermitSigningKey,
  PermitSigningKey,
  PermitSigningKey,
  PermitSigningKey,
];
const overlap = [
  publicKeyEntry('scan-scheduler', old),
  publicKeyEntry('scan-scheduler', current),
  publicKeyEntry('replay', replay),
].join(',');
/** The broker's response if it kept the time of the publisher. */
const noAppendTime = '-1';
const soon = () => Date.now() + 60_000;

function permitFor(
  { scanId, domain, sequence }: ObservationCompleted,
  options: { key?: PermitSigningKey; principal?: PermitPrincipal; expiresAtMs?: number } = {},
): string {
  const { key = current, principal = 'scan-scheduler', expiresAtMs = soon() } = options;
  return createPermitSigner(principal, key)({ scanId, domain, sequence }, expiresAtMs);
}

const metricsOf = async (service: RunningService) => (await fetch(`${service.adminUrl}/metrics`)).text();
const countOf = (metrics: string, name: string, label: string): number =>
  Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);

describe('permits', () => {
  let corpus: Corpus;
  let service: RunningService;
  beforeAll(async () => {
    corpus = await createCorpus('permits');
    service = await corpus.start({ PERMIT_PUBLIC_KEYS: overlap });
  });
  afterAll(() => corpus?.stop());

  const isMerged = async ({ domain, sequence }: ObservationCompleted) =>
    (await corpus.db.collection('observations').countDocuments({ domain, sequence })) === 1;

  it.each([
    ['the old key', old],
    ['the new key', current],
  ])('an observation is merged with a permit by %s while both are configured', async (name, key) => {
    const event = observed(`${name.replaceAll(' ', '-')}.example`, 1);
    await corpus.publishPermitted({ event, permit: permitFor(event, { key }) });
    await corpus.updateOf(event);
    expect(
      countOf(await metricsOf(service), 'profiles_observations_permitted_total', 'by="scan-scheduler"'),
    ).toBeGreaterThan(0);
  });

  it('an observation is merged with a permit by replay when the key of replay is configured', async () => {
    const event = observed('replayed.example', 1);
    await corpus.publishPermitted({ event, permit: permitFor(event, { key: replay, principal: 'replay' }) });
    await corpus.updateOf(event);
    expect(countOf(await metricsOf(service), 'profiles_observations_permitted_total', 'by="replay"')).toBe(1);
  });

  it.each<[string, string, (event: ObservationCompleted) => { permit: string; key?: string }]>([
    ['of another domain', 'mismatch', (event) => ({ permit: permitFor({ ...event, domain: 'own.example' }) })],
    ['of a lower sequence', 'mismatch', (event) => ({ permit: permitFor({ ...event, sequence: event.sequence - 1 }) })],
    ['of another scan', 'mismatch', (event) => ({ permit: permitFor({ ...event, scanId: 'scan-of-another' }) })],
    ['that expired before', 'expired', (event) => ({ permit: permitFor(event, { expiresAtMs: Date.now() - 1_000 }) })],
    [
      'whose expiry was changed',
      'mismatch',
      (event) => {
        const expiresAtMs = Date.now() - 1_000;
        return { permit: permitFor(event, { expiresAtMs }).replace(String(expiresAtMs), String(soon())) };
      },
    ],
    ['by a removed key', 'unknown_key', (event) => ({ permit: permitFor(event, { key: removed }) })],
    [
      'by another key under a known id',
      'mismatch',
      (event) => ({ permit: permitFor(event, { key: { ...removed, id: current.id } }) }),
    ],
    [
      'by the key of development systems',
      'unknown_key',
      (event) => ({ permit: permitFor(event, { key: developmentSigningKey('scan-scheduler') }) }),
    ],
    [
      'by replay under the name of scan-scheduler',
      'unknown_key',
      (event) => ({ permit: permitFor(event, { key: replay }) }),
    ],
    ['of its own text', 'malformed', () => ({ permit: 'let me in' })],
    ['under the key of another partition', 'record_key', (event) => ({ permit: permitFor(event), key: 'own.example' })],
    ['that is empty', 'unsigned', () => ({ permit: '' })],
  ])(
    'an observation is refused with a permit %s, and the others of its request are merged',
    async (name, reason, forge) => {
      const domain = `${name.replaceAll(' ', '-')}.example`;
      const refused = observed(domain, 7);
      const honest = observed(`beside-${domain}`, 1);
      const before = countOf(await metricsOf(service), 'profiles_observations_refused_total', `reason="${reason}"`);
      await corpus.publishPermitted(
        { event: refused, ...forge(refused) },
        { event: honest, permit: permitFor(honest) },
      );
      await corpus.updateOf(honest);
      await corpus.settled(service);
      expect(await isMerged(refused)).toBe(false);
      expect(corpus.updates.filter((update) => update.domain === domain)).toEqual([]);
      expect((await corpus.deadLetterReasons()).at(-1)).toMatch(new RegExp(`^permit refused: ${reason}: `));
      const after = countOf(await metricsOf(service), 'profiles_observations_refused_total', `reason="${reason}"`);
      expect(after - before).toBe(1);
    },
  );

  it.each([
    ['', CompressionTypes.None],
    [' compressed', CompressionTypes.GZIP],
  ])(
    "the expiry of a permit is compared with the broker's time, not its publisher's, in one%s batch with others",
    async (name, compression) => {
      const events = [1, 2, 3].map((n) => observed(`dated${name.trim()}-${n}.example`, 1));
      const publisher = corpus.kafka.client.producer();
      await publisher.connect();
      try {
        const pastMs = Date.now() - hourMs;
        await publisher.send({
          topic: corpus.kafka.topicName(observationCompleted.topic),
          compression,
          messages: events.map((event, at) => ({
            ...asMessage(event, permitFor(event, at === 1 ? { expiresAtMs: pastMs + 1_000 } : {})),
            partition: 0,
            timestamp: String(pastMs),
          })),
        });
      } finally {
        await publisher.disconnect();
      }
      await corpus.settled(service);
      expect(await Promise.all(events.map(isMerged))).toEqual([true, false, true]);
      expect((await corpus.deadLetterReasons()).at(-1)).toMatch(/^permit refused: expired: /);
    },
  );

  it('an observation is refused when the topic has the time of its publisher', async () => {
    await setTimestamps(corpus, 'CreateTime');
    const event = observed('publisher-time.example', 1);
    await corpus.publishPermitted({ event, permit: permitFor(event) });
    await corpus.settled(service);
    expect(await isMerged(event)).toBe(false);
    expect((await corpus.deadLetterReasons()).at(-1)).toMatch(/^permit refused: no_append_time: /);
    await setTimestamps(corpus, 'LogAppendTime');
  });
});

function asMessage(event: ObservationCompleted, permit: string) {
  const record = encodeEvent(
    observationCompleted,
    event,
    { requestId: 'req_test', traceparent: '', environment: 'live' },
    { [permitHeader]: permit },
  );
  return { ...record, value: Buffer.from(record.value) };
}

/** As `kafka-configs.sh --alter --add-config` does for an existing topic. The broker applies it after it has answered. */
async function setTimestamps({ kafka }: Corpus, value: 'CreateTime' | 'LogAppendTime') {
  const topic = kafka.topicName(observationCompleted.topic);
  const admin = kafka.client.admin();
  await admin.connect();
  const configEntries = [{ name: 'message.timestamp.type', value }];
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries }],
  });
  await admin.disconnect();
  const publisher = kafka.client.producer();
  await publisher.connect();
  await waitUntil(`the broker to apply ${value}`, async () => {
    const [written] = await publisher.send({ topic, messages: [{ value: 'not an observation', partition: 0 }] });
    return (written?.logAppendTime === noAppendTime) === (value === 'CreateTime');
  });
  await publisher.disconnect();
}
