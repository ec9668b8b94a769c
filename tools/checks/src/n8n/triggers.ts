import { deepStrictEqual, strictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Subject } from './executions.ts';
import { openSession } from './session.ts';
import { credentialId, eventsToList } from './workflows.ts';

/** n8n polls once a minute. */
const arrivalTimeoutMs = 180_000;
const pollMs = 1_000;

/** Starts n8n, and checks both triggers with the end of a scan. Each failure throws. */
export async function checkTriggers({ n8n, api, domains, say }: Subject): Promise<void> {
  const [domain = ''] = domains;
  const lists = {
    shopscopeTrigger: await api.createList('By webhook'),
    shopscopePollingTrigger: await api.createList('By polling'),
  };
  const types = ['shopscopeTrigger', 'shopscopePollingTrigger'] as const;
  await n8n.importWorkflows(types.map((type) => eventsToList(type, lists[type])));
  const server = await n8n.start();
  try {
    const session = await openSession(n8n.url);
    strictEqual(await session.testCredential(credentialId), 'OK');
    say('credential: its test succeeds');
    for (const type of types) await session.activate(type);
    const urls = await api.webhookUrls();
    deepStrictEqual(
      urls.map((url) => url.startsWith(n8n.url)),
      [true],
    );
    await api.requestScan(domain);
    for (const type of types) {
      await until(async () => (await api.domainsOfList(lists[type])).includes(domain), `the event of ${type}`);
      say(`${type}: the event arrived`);
    }
    for (const type of types) await session.deactivate(type);
    deepStrictEqual(await api.webhookUrls(), []);
    say('shopscopeTrigger: its webhook exists while the workflow is active');
  } finally {
    await server.stop();
  }
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + arrivalTimeoutMs; !(await isSo()); await sleep(pollMs))
    if (performance.now() > endMs) throw new Error(`${what} has not arrived after ${arrivalTimeoutMs} ms.`);
}
