import { consumeEvents, createKafka, createProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { KeyChange, KeyChanged, keyChanged, type TestScanCompleted, testScanCompleted } from '@shopscope/proto';
import { startKafkaHarness, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Corpus, createCorpus } from './support/corpus.ts';

describe('deletion of a workspace', () => {
  let corpus: Corpus;
  let service: RunningService;
  let kafka: Awaited<ReturnType<typeof startKafka>>;
  const startKafka = () => startKafkaHarness({ createKafka, createProducer, consumeEvents }, corpus.namespace);
  const origin = { requestId: 'req_test', traceparent: '', environment: 'test' as const };
  const within = { timeoutMs: 10_000 };
  const [deleted, other] = ['ws_00000000000000000000000001', 'ws_00000000000000000000000002'];

  beforeAll(async () => {
    corpus = await createCorpus('workspace-deletion');
    kafka = await startKafka();
    service = await corpus.start();
  });
  afterAll(async () => {
    await kafka?.close();
    await service?.stop();
    await corpus?.stop();
  });

  const scan = (workspaceId: string, sequence: number): TestScanCompleted => ({
    workspaceId,
    domain: 'changes.test',
    scanId: `scan-${workspaceId}-${sequence}`,
    sequence,
    completedAtMs: Date.UTC(2026, 5, 1),
  });
  const stores = () => corpus.db.collection<{ _id: string }>('test_stores');
  const scannedBy = (workspaceId: string) => stores().countDocuments({ _id: `${workspaceId}/changes.test` });

  it('the test stores of a deleted workspace are deleted, a late scan adds none, and other workspaces keep theirs', async () => {
    await kafka.producer.publishMany(testScanCompleted, [scan(deleted, 1), scan(other, 1)], origin, within);
    await waitUntil('both scans are merged', async () => (await scannedBy(deleted)) + (await scannedBy(other)) === 2);
    const change = KeyChanged.fromPartial({ workspaceId: deleted, change: KeyChange.WORKSPACE_DELETED });
    await kafka.producer.publishMany<KeyChanged>(keyChanged, [change], { ...origin, environment: null }, within);
    await waitUntil('the stores are deleted', async () => (await scannedBy(deleted)) === 0);
    await kafka.producer.publishMany(testScanCompleted, [scan(deleted, 2), scan(other, 2)], origin, within);
    await corpus.settled(service);
    expect([await scannedBy(deleted), await scannedBy(other)]).toEqual([0, 1]);
  });
});
