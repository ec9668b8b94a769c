import { createCustomers } from '../clients/customers.ts';
import { send } from '../clients/send.ts';
import { sleep } from '../wait.ts';
import type { FaultSystem } from './system.ts';

const fillTimeoutMs = 120_000;

/** Scans the open demo stores, as a customer would ask for it; resolves to those that have a profile. */
export async function fillCorpus(system: FaultSystem): Promise<string[]> {
  const answer = await fetch(`${system.direct.demoStoresUrl}/__control`);
  const { stores } = (await answer.json()) as { stores: { domain: string; state: string }[] };
  const open = stores
    .filter(({ domain, state }) => state === 'open' && domain.endsWith('.example'))
    .map(({ domain }) => domain)
    .sort();
  const customers = await createCustomers(system.direct.keys);
  const url = system.gateways[0]?.url ?? '';
  const secret = customers.main.keys[0]?.secret ?? '';
  const call = { gateway: 0, url, secret, timeoutMs: 12_000 };
  try {
    const body = { domains: open, refresh: true };
    const asked = await send({ ...call, method: 'POST', path: '/v1/stores/enrich', body });
    if (asked.outcome !== 'ok') throw new Error(`the demo stores could not be scanned: ${asked.status} ${asked.code}`);
    const endMs = performance.now() + fillTimeoutMs;
    for (const domain of open) {
      while ((await send({ ...call, method: 'GET', path: `/v1/stores/${domain}` })).outcome !== 'ok') {
        if (performance.now() > endMs) throw new Error(`${domain} was not scanned within ${fillTimeoutMs / 1_000} s`);
        await sleep(200);
      }
    }
    return open;
  } finally {
    customers.close();
  }
}
