import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { N8n, OutputItem } from './n8n.ts';
import type { ApiProxy } from './proxy.ts';
import { credentialsOf, signalsToList, storeEnrich, storeGet, storeScan } from './workflows.ts';

export interface Subject {
  n8n: N8n;
  api: Api;
  proxy: ApiProxy;
  key: string;
  /** Stores of the corpus. */
  domains: readonly string[];
  say(line: string): void;
}

/** Three requests, at 100 domains in each. */
const enrichedStores = 250;
const signals = 20;
const node = 'Shopscope';
/** The usage is up to five minutes late. */
const usageTimeoutMs = 360_000;
const usagePollMs = 2_000;

/** Imports the workflows that run by command, and runs them. Each failure throws. Resolves to the look-ups to be billed. */
export async function checkExecutions(subject: Subject): Promise<number> {
  const { n8n, api, proxy, key, domains, say } = subject;
  const [domain = ''] = domains;
  const many = Array.from({ length: enrichedStores }, (_, at) => domains[at % domains.length] as string);
  const listId = await api.createList('Signals');
  await n8n.importCredentials(credentialsOf(key, proxy.url));
  await n8n.importWorkflows([
    storeGet(domain),
    storeEnrich('checkEnrich', many),
    storeEnrich('checkKilled', many, 'order-10432'),
    storeScan(domain),
    signalsToList(listId, signals),
  ]);

  const [got] = await n8n.execute('checkStoreGet', node);
  strictEqual((got?.json.store as { domain?: string } | undefined)?.domain, domain);
  say('store get: the profile arrived');

  checkOrder(await n8n.execute('checkEnrich', node), many);
  say(`store enrich: ${enrichedStores} items in order`);

  await killAndRepeat(subject, many);
  say(`store enrich, n8n killed in the middle and run again: ${enrichedStores} items in order`);

  const [scanned] = await n8n.execute('checkStoreScan', node);
  deepStrictEqual([scanned?.json.state, scanned?.json.domain], ['succeeded', domain]);
  say('scan and wait: the job has succeeded');

  const added = await n8n.execute('checkSignals', 'List');
  ok(added.length > 0, 'The signal search found nothing.');
  deepStrictEqual(new Set(await api.domainsOfList(listId)), new Set(added.map(({ json }) => json.domain)));
  say(`signals to a list: ${added.length} signals`);
  return 1 + enrichedStores + enrichedStores;
}

/** Waits until the usage has what was to be billed, and fails if it has more. */
export async function checkUsage(api: Api, lookups: number): Promise<void> {
  for (const endMs = performance.now() + usageTimeoutMs; ; await sleep(usagePollMs)) {
    const used = await api.usedLookups();
    if (used < lookups && performance.now() < endMs) continue;
    strictEqual(used, lookups, 'billed look-ups');
    return;
  }
}

/** Kills n8n when the service has billed the second of three requests and n8n does not have the response. */
async function killAndRepeat({ n8n, proxy }: Subject, domains: readonly string[]): Promise<void> {
  const kill = new AbortController();
  const held = proxy.holdEnrichment(2);
  const killed = n8n.execute('checkKilled', node, kill.signal).then(
    () => 'succeeded',
    (error: Error) => error.message,
  );
  await Promise.race([held, killed]);
  kill.abort();
  ok((await killed).includes('SIGKILL'), 'n8n was to be killed during an execution.');
  checkOrder(await n8n.execute('checkKilled', node), domains);
}

function checkOrder(items: readonly OutputItem[], domains: readonly string[]): void {
  deepStrictEqual(
    items.map(({ json, pairedItem }) => [json.input, json.match, pairedItem?.item]),
    domains.map((domain, at) => [domain, 'matched', at]),
  );
}
