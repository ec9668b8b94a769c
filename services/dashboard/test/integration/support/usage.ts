import { newId } from '@shopscope/ids';
import { ReserveOutcome, type Units, UsageKind } from '@shopscope/proto';
import type { TestSystem } from './system.ts';

export interface TestKey {
  workspaceId: string;
  keyId: string;
}

const noUnits: Units = { lookupCached: 0, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
const plenty: Units = { lookupCached: 1e6, lookupLive: 1e6, historyQuery: 1e6, refreshRequested: 1e6 };

export async function createKey(
  { clients }: TestSystem,
  workspaceId: string,
  label: string,
  expiresAtMs?: number,
): Promise<TestKey> {
  const who = { actor: 'test', actorAddress: '', requestToken: '' };
  const { key } = await clients.keys.createKey({ workspaceId, label, preset: 'full', scopes: [], expiresAtMs, ...who });
  return { workspaceId, keyId: key?.id as string };
}

/** Reserves units as a gateway does, and leaves them reserved. */
export async function reserve({ clients }: TestSystem, { workspaceId, keyId }: TestKey, units: Partial<Units>) {
  const charge = { chargeId: newId('chg'), workspaceId, keyId, units: { ...noUnits, ...units } };
  const item = { ...charge, included: plenty, fingerprint: Buffer.alloc(0), executionId: '', requestId: '' };
  const { results } = await clients.metering.reserve({ items: [item] });
  const [reserved] = results;
  if (reserved?.outcome !== ReserveOutcome.GRANTED) throw new Error('metering did not grant the units');
  return { ...charge, attempt: reserved.attempt, periodStartMs: reserved.periodStartMs };
}

/** Bills units as a gateway does. The day is that of `occurredAtMs`, within the current period. */
export async function spend(system: TestSystem, key: TestKey, units: Partial<Units>, occurredAtMs = Date.now()) {
  const charge = await reserve(system, key, units);
  const event = { ...charge, kind: UsageKind.CHARGE, occurredAtMs, operation: '' };
  await system.clients.metering.recordUsage({ events: [event] });
}
