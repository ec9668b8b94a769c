import { retry } from '@shopscope/async';
import { createGrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { createProducer, type Kafka } from '@shopscope/kafka';
import {
  MeteringServiceService,
  type ReserveItem,
  UsageKind,
  type UsageRecorded,
  usageRecorded,
} from '@shopscope/proto';

const itemsPerCall = 1_000;
const callsAtOnce = 4;
const eventsPerPublish = 5_000;
const timeoutMs = 30_000;
/** On a busy machine a call may exceed its deadline. The repeated call gets the attempts that the first one opened. */
const pauseMs = (tries: number) => (tries < 5 ? 0 : undefined);
const included = { lookupCached: 1_000_000_000, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
const units = { lookupCached: 1, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };

export const workspaceIdOf = (workspace: number) => `ws_bench_${workspace}`;
export const keyIdOf = (workspace: number) => `key_bench_${workspace}`;

/** Reserves `count` charges of several workspaces, as gateways do. Resolves to the events that bill them. */
export async function reserveCharges(address: string, count: number, workspaces: number): Promise<UsageRecorded[]> {
  const client = createGrpcClient({ definition: MeteringServiceService, address });
  const perWorkspace = Math.ceil(count / workspaces);
  const items = Array.from({ length: count }, (_, n): ReserveItem => {
    const workspace = Math.floor(n / perWorkspace);
    const name = { chargeId: newId('chg'), workspaceId: workspaceIdOf(workspace), keyId: keyIdOf(workspace) };
    return { ...name, executionId: '', fingerprint: Buffer.alloc(0), units, included, requestId: '' };
  });
  const events: UsageRecorded[] = [];
  const calls = Array.from({ length: Math.ceil(count / itemsPerCall) }, (_, n) =>
    items.slice(n * itemsPerCall, (n + 1) * itemsPerCall),
  );
  const work = async () => {
    for (let batch = calls.pop(); batch; batch = calls.pop()) {
      const items = batch;
      const { results } = await retry(() => client.reserve({ items }), { pauseMs });
      for (const [n, { attempt, periodStartMs }] of results.entries()) {
        const { chargeId, workspaceId, keyId } = batch[n] as ReserveItem;
        const at = { periodStartMs, occurredAtMs: Date.now(), operation: 'getStore' };
        events.push({ kind: UsageKind.CHARGE, chargeId, attempt, workspaceId, keyId, units, ...at });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: callsAtOnce }, work));
  } finally {
    client.close();
  }
  return events;
}

/** Resolves when all events are durable. */
export async function publishEvents(kafka: Kafka, events: readonly UsageRecorded[]): Promise<void> {
  const producer = createProducer(kafka, { sendTimeoutMs: timeoutMs });
  const origin = { requestId: 'req_bench', traceparent: '', environment: 'live' as const };
  for (let at = 0; at < events.length; at += eventsPerPublish) {
    await producer.publishMany(usageRecorded.live, events.slice(at, at + eventsPerPublish), origin, { timeoutMs });
  }
  await producer.close();
}
