import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { importPast, pasts } from '@shopscope/demo-stores';
import { operatorSecurity } from '@shopscope/grpc';
import { createCustomers } from '../clients/customers.ts';
import { send } from '../clients/send.ts';
import { knownDomains } from '../faults/stores-workspace.ts';
import { sleep } from '../wait.ts';
import { type FaultSystem, type SystemOptions, startSystem } from './system.ts';

const fillTimeoutMs = 120_000;
const askAgainMs = 20_000;

/**
 * Imports earlier observations of some demo stores, and requests scans of the open ones through the API. Resolves to the domains of the open
 * stores when each has a profile.
 */
export async function fillCorpus(system: FaultSystem): Promise<string[]> {
  await importPast({ profilesAddress: system.direct.profiles, security: operatorSecurity({}) }, pasts, Date.now());
  const open = (await knownDomains(system.direct.demoStoresUrl)).sort();
  const customers = await createCustomers(system.direct.keys, { crowdSize: 0 });
  const url = system.gateways[0]?.url ?? '';
  const secret = customers.main.keys[0]?.secret ?? '';
  const call = { gateway: 0, url, secret, timeoutMs: 12_000 };
  try {
    const endMs = performance.now() + fillTimeoutMs;
    const requestScans = async (domains: readonly string[]) => {
      for (;;) {
        const body = { domains, refresh: true };
        const { outcome, status, code } = await send({ ...call, method: 'POST', path: '/v1/stores/enrich', body });
        if (outcome === 'ok') return;
        if (performance.now() > endMs) throw new Error(`scan request: ${status} ${code}`);
        await sleep(200);
      }
    };
    const isKnown = async (domain: string) =>
      (await send({ ...call, method: 'GET', path: `/v1/stores/${domain}` })).outcome === 'ok';

    let unknown = open;
    while (unknown.length > 0) {
      // A scan may fail while the processes start. Scans of stores without a profile are therefore requested again.
      await requestScans(unknown);
      const againMs = performance.now() + askAgainMs;
      while (unknown.length > 0 && performance.now() < againMs) {
        await sleep(500);
        const known = await Promise.all(unknown.map(isKnown));
        unknown = unknown.filter((_, n) => !known[n]);
      }
      if (unknown.length > 0 && performance.now() > endMs) {
        throw new Error(`${unknown.join(', ')}: not in the corpus after ${fillTimeoutMs / 1_000} s`);
      }
    }
    return open;
  } finally {
    customers.close();
  }
}

export interface FilledSystem {
  system: FaultSystem;
  /** The domains that have a profile. */
  stores: string[];
}

/** Starts a system without data and fills it. If it cannot be filled, the system is stopped and the error is thrown. */
export async function startFilledSystem(options: SystemOptions): Promise<FilledSystem> {
  rmSync(join(options.stateDir, 'data'), { recursive: true, force: true });
  const system = await startSystem(options);
  try {
    return { system, stores: await fillCorpus(system) };
  } catch (error) {
    await system.stop();
    throw error;
  }
}
