import type { Customer } from '../clients/customers.ts';
import { areEqual, noUnits, type Units } from '../clients/history.ts';

interface UsageResponse {
  by_key: { key_id: string; used: { lookup_cached: number; lookup_live: number; refresh_requested: number } }[];
}

/** ledger = usage: for every key, GET /v1/usage returns the sum of the ledger. */
export async function compareUsage(
  gatewayUrl: string,
  customer: Customer,
  expected: ReadonlyMap<string, Units>,
): Promise<string[]> {
  const response = await fetch(`${gatewayUrl}/v1/usage`, {
    headers: { authorization: `Bearer ${customer.keys[0]?.secret}` },
    signal: AbortSignal.timeout(12_000),
  });
  if (response.status !== 200) return [`GET /v1/usage returned ${response.status}`];
  const { by_key: rows } = (await response.json()) as UsageResponse;
  return customer.keys.flatMap(({ id }) => {
    const used = rows.find((row) => row.key_id === id)?.used;
    const sum = expected.get(id) ?? noUnits;
    const shown = {
      lookupCached: used?.lookup_cached ?? 0,
      lookupLive: used?.lookup_live ?? 0,
      refreshRequested: used?.refresh_requested ?? 0,
    };
    const isEqual = areEqual(shown, sum);
    return isEqual ? [] : [`${id}: the ledger has ${JSON.stringify(sum)}, usage says ${JSON.stringify(used)}`];
  });
}
