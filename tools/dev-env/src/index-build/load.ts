import { setTimeout as delay } from 'node:timers/promises';
import { createGrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { MeteringServiceService, UsageKind, unitsOf } from '@shopscope/proto';

export interface Measured {
  calls: number;
  errors: number;
  firstError?: string;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** The pause between the starts of two requests. Each makes two calls, and the second one writes an entry of the ledger. */
const pauseMs = 100;
const workspaceId = 'ws_index_build';
const keyId = 'key_index_build';

/** Reserves and bills units at a fixed rate until `until` calls back, and measures each pair of calls. */
export async function driveMetering(grpcPort: string, until: (ended: () => void) => unknown): Promise<Measured> {
  const client = createGrpcClient({ definition: MeteringServiceService, address: `127.0.0.1:${grpcPort}` });
  const times: number[] = [];
  const errors: string[] = [];
  let isRunning = true;
  const bill = async () => {
    const startMs = performance.now();
    const charge = { chargeId: newId('chg'), workspaceId, keyId, units: unitsOf({ lookupCached: 1 }) };
    const included = unitsOf({ lookupCached: 1_000_000_000 });
    const item = { ...charge, included, fingerprint: Buffer.alloc(0), executionId: '', requestId: '' };
    try {
      const { results } = await client.reserve({ items: [item] });
      const [reserved] = results;
      const of = { attempt: reserved?.attempt ?? 0, periodStartMs: reserved?.periodStartMs ?? 0 };
      const event = { ...charge, ...of, kind: UsageKind.CHARGE, occurredAtMs: Date.now(), operation: 'getStore' };
      await client.recordUsage({ events: [event] });
      times.push(performance.now() - startMs);
    } catch (error) {
      errors.push((error as Error).message);
    }
  };
  const pending = new Set<Promise<void>>();
  void until(() => {
    isRunning = false;
  });
  while (isRunning) {
    const call = bill().finally(() => pending.delete(call));
    pending.add(call);
    await delay(pauseMs);
  }
  await Promise.all(pending);
  client.close();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const measured = { calls: times.length + errors.length, errors: errors.length };
  const [firstError] = errors;
  return { ...measured, ...(firstError && { firstError }), p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
