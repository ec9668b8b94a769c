import type { Customer } from '../clients/customers.ts';
import { areEqual, noUnits, sumOf, type Units } from '../clients/history.ts';

type Used = Record<'lookup_cached' | 'lookup_live' | 'history_query' | 'refresh_requested', number>;

interface UsageResponse {
  by_key: { key_id: string; used: Used }[];
}

interface AccountResponse {
  period: { used: Used };
}

/** Checks that GET /v1/usage returns the sum of the ledger for every key, and that GET /v1/account returns the sum of all keys. */
export async function compareUsage(
  gatewayUrl: string,
  customer: Customer,
  expected: ReadonlyMap<string, Units>,
): Promise<string[]> {
  const read = async (path: string) => {
    const response = await fetch(`${gatewayUrl}${path}`, {
      headers: { authorization: `Bearer ${customer.keys[0]?.secret}` },
      signal: AbortSignal.timeout(12_000),
    });
    if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}`);
    return response.json();
  };
  const [{ by_key: rows }, account] = (await Promise.all([read('/v1/usage'), read('/v1/account')])) as [
    UsageResponse,
    AccountResponse,
  ];
  const compare = (of: string, sum: Units, used: Used | undefined) =>
    areEqual(unitsOf(used), sum)
      ? []
      : [`${of}: the ledger has ${JSON.stringify(sum)}, usage says ${JSON.stringify(used)}`];
  const byKey = customer.keys.map(({ id }) => ({
    id,
    sum: expected.get(id) ?? noUnits,
    used: rows.find((row) => row.key_id === id)?.used,
  }));
  return [
    ...byKey.flatMap(({ id, sum, used }) => compare(id, sum, used)),
    ...compare(customer.workspaceId, [...expected.values()].reduce(sumOf, noUnits), account.period.used),
  ];
}

const unitsOf = (used: Used | undefined): Required<Units> => ({
  lookupCached: used?.lookup_cached ?? 0,
  lookupLive: used?.lookup_live ?? 0,
  refreshRequested: used?.refresh_requested ?? 0,
  historyQuery: used?.history_query ?? 0,
});
