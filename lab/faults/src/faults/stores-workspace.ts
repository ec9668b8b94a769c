import { createGrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';
import type { Units } from '../clients/history.ts';

/** A batch of a list is one call of the API. Each batch has one known domain. */
const batchSize = 100;

/** Domains that have a profile. */
export async function knownDomains(demoStoresUrl: string): Promise<string[]> {
  const response = await fetch(`${demoStoresUrl}/__control`);
  const { stores } = (await response.json()) as { stores: { domain: string; state: string }[] };
  return stores
    .filter(({ domain, state }) => state === 'open' && domain.endsWith('.example'))
    .map(({ domain }) => domain);
}

/** Known domains among invented ones, so that the list is long enough for a fault. */
export const listOf = (known: readonly string[]): string[] =>
  known.flatMap((domain, n) => [
    domain,
    ...Array.from({ length: batchSize - 1 }, (_, m) => `invented-${n}-${m}.example`),
  ]);

/** The run's reconciliation knows only the charges of its own clients, so the person has a workspace of their own. */
export async function newWorkspace(keysAddress: string): Promise<{ workspaceId: string; secret: string }> {
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  const by = { actor: 'operator:faults', actorAddress: '' };
  try {
    const { workspace } = await keys.createWorkspace({ name: 'Stores', planSlug: 'faults', ...by });
    const workspaceId = workspace?.id ?? '';
    const key = { workspaceId, label: 'usage', preset: 'read_only', scopes: [], expiresAtMs: undefined };
    return { workspaceId, secret: (await keys.createKey({ ...key, requestToken: '', ...by })).secret };
  } finally {
    keys.close();
  }
}

/** Units of the key Dashboard. */
export async function usageOfDashboard(url: string, secret: string): Promise<Units> {
  const response = await fetch(`${url}/v1/usage`, { headers: { Authorization: `Bearer ${secret}` } });
  const { by_key: rows } = (await response.json()) as {
    by_key: { label: string; used: { lookup_cached: number; lookup_live: number } }[];
  };
  const used = rows.find(({ label }) => label === 'Dashboard')?.used;
  return { lookupCached: used?.lookup_cached ?? 0, lookupLive: used?.lookup_live ?? 0 };
}
