import { ok, strictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Subject } from './executions.ts';
import { openSession } from './session.ts';
import { credentialId, eventsToList } from './workflows.ts';

/** n8n polls once a minute. */
const arrivalTimeoutMs = 300_000;
const pollMs = 5_000;

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
    ok((await session.nodeNames()).includes('CUSTOM.shopscopeTool'), 'Agents do not have the node as a tool.');
    say('agents: the node is a tool');
    // n8n publishes after its answer, so the effect of each step is waited for.
    for (const type of types) await session.activate(type);
    await until(async () => (await webhooksOf(n8n.url, api)) === 1, 'the webhook of the trigger');
    for (const type of types) {
      // The first poll reports nothing, and its time is not known from outside: one of these scans comes after it.
      const arrived = async () => {
        await api.requestScan(domain);
        return (await api.domainsOfList(lists[type])).includes(domain);
      };
      await until(arrived, `the event of ${type}`);
      say(`${type}: the event arrived`);
    }
    for (const type of types) await session.deactivate(type);
    await until(async () => (await webhooksOf(n8n.url, api)) === 0, 'the end of the webhook');
    say('shopscopeTrigger: its webhook exists while the workflow is active');
  } finally {
    await server.stop();
  }
}

async function webhooksOf(n8nUrl: string, api: Api): Promise<number> {
  return (await api.webhookUrls()).filter((url) => url.startsWith(n8nUrl)).length;
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + arrivalTimeoutMs; !(await isSo()); await sleep(pollMs))
    if (performance.now() > endMs) throw new Error(`${what} has not arrived after ${arrivalTimeoutMs} ms.`);
}
