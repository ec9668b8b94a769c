import type { Units } from '../clients/history.ts';

/** One of this many domains of a list is known. */
const domainsPerKnown = 25;

/** Resolves to the domains of the open demo stores, each of which has a profile. */
export async function knownDomains(demoStoresUrl: string): Promise<string[]> {
  const response = await fetch(`${demoStoresUrl}/__control`);
  const { stores } = (await response.json()) as { stores: { domain: string; state: string }[] };
  return stores
    .filter(({ domain, state }) => state === 'open' && domain.endsWith('.example'))
    .map(({ domain }) => domain);
}

/** Returns the known domains among invented ones, so that the list takes long enough for a fault. */
export const listOf = (known: readonly string[]): string[] =>
  known.flatMap((domain, n) => [
    domain,
    ...Array.from({ length: domainsPerKnown - 1 }, (_, m) => `invented-${n}-${m}.example`),
  ]);

/** Resolves to the units that the key `Dashboard` has spent. */
export async function usageOfDashboard(url: string, secret: string): Promise<Units> {
  const response = await fetch(`${url}/v1/usage`, { headers: { Authorization: `Bearer ${secret}` } });
  const { by_key: rows } = (await response.json()) as {
    by_key: { label: string; used: { lookup_cached: number; lookup_live: number } }[];
  };
  const used = rows.find(({ label }) => label === 'Dashboard')?.used;
  return { lookupCached: used?.lookup_cached ?? 0, lookupLive: used?.lookup_live ?? 0 };
}
