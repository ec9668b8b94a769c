import { createCustomers } from '../clients/customers.ts';
import type { Attempt } from '../clients/history.ts';
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
    const endMs = performance.now() + fillTimeoutMs;
    const untilOk = async (what: string, ask: () => Promise<Attempt>) => {
      for (;;) {
        const { outcome, status, code } = await ask();
        if (outcome === 'ok') return;
        if (performance.now() > endMs) throw new Error(`${what}: ${status} ${code} after ${fillTimeoutMs / 1_000} s`);
        await sleep(200);
      }
    };
    const body = { domains: open, refresh: true };
    await untilOk('scan request', () => send({ ...call, method: 'POST', path: '/v1/stores/enrich', body }));
    for (const domain of open) {
      await untilOk(domain, () => send({ ...call, method: 'GET', path: `/v1/stores/${domain}` }));
    }
    return open;
  } finally {
    customers.close();
  }
}
