import { randomUUID } from 'node:crypto';
import type { Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';
import { poll, sleep } from '../wait.ts';
import type { FaultContext } from './scenario.ts';

interface Progress {
  state: string;
  finished: number;
  billed: { lookup_cached: number };
  counts: { matched: number; stale: number };
}

const domainsTotal = 4_000;
const finishBoundMs = 60_000;
const countedBoundMs = 30_000;
/** Batches that end before the fault, so that it interrupts a list that runs. */
const batchesBefore = 3;

/**
 * A person runs a list of stores while the dashboard fails. The list is resumed afterwards.
 *
 * Promise: every known domain of the list is billed once, in the answers and in /v1/usage.
 */
export async function startList(
  { system, recordProblem, recordFigure }: FaultContext,
  signUp: (workspaceId: string) => Promise<Visitor>,
): Promise<{ finish(): Promise<void> }> {
  const { workspaceId, secret } = await newWorkspace(system.direct.keys);
  const visitor = await signUp(workspaceId);
  const base = `/workspaces/${workspaceId}/stores`;
  const countedUnits = () => unitsOfDashboard(system.gateways[0]?.url ?? '', secret);
  const { domains, known } = await domainsOf(system.direct.demoStoresUrl);
  const created = await visitor.submit(`${base}/lists/new`, {
    token: randomUUID(),
    name: '',
    domains: domains.join('\n'),
  });
  const path = created.headers.get('location');
  if (path === null) throw new Error(`the creation of a list responded with ${created.status}`);
  const runNext = async (): Promise<Progress | undefined> => {
    const response = await visitor.submit(`${path}/run`, {});
    return response.ok ? ((await response.json()) as { progress: Progress }).progress : undefined;
  };
  let progress: Progress | undefined;
  for (let n = 0; n < batchesBefore; n++) progress = await runNext();
  let isOver = false;
  let failures = 0;
  const running = (async () => {
    while (!isOver) {
      progress = await runNext().catch(() => undefined);
      if (progress === undefined) failures++;
      if (progress?.state === 'done') return;
      await sleep(50);
    }
  })();

  return {
    async finish() {
      isOver = true;
      await running;
      const end = await poll(
        async () => {
          const next = await runNext();
          return next?.state === 'done' ? next : undefined;
        },
        { timeoutMs: finishBoundMs, everyMs: 20 },
      );
      if (!end) return recordProblem(`the list had not ended ${finishBoundMs / 1_000} s after the fault`);
      recordFigure('requests of the list that failed', failures);
      const { billed, counts } = end;
      const found = counts.matched + counts.stale;
      if (found !== known || billed.lookup_cached !== known)
        recordProblem(`the list has ${known} known domains, found ${found} and billed ${billed.lookup_cached}`);
      const counted = await poll(async () => ((await countedUnits()) === known ? true : undefined), {
        timeoutMs: countedBoundMs,
        everyMs: 500,
      });
      if (!counted) recordProblem(`/v1/usage has ${await countedUnits()} units of the list instead of ${known}`);
    },
  };
}

/** Known domains among invented ones, so that many batches have one. */
async function domainsOf(demoStoresUrl: string): Promise<{ domains: string[]; known: number }> {
  const response = await fetch(`${demoStoresUrl}/__control`);
  const { stores } = (await response.json()) as { stores: { domain: string; state: string }[] };
  const known = stores.filter(({ domain, state }) => state === 'open' && domain.endsWith('.example'));
  const every = Math.floor(domainsTotal / known.length);
  const domains = Array.from({ length: domainsTotal }, (_, n) => `invented-${n}.example`);
  for (const [n, { domain }] of known.entries()) domains[n * every] = domain;
  return { domains, known: known.length };
}

/** The run's reconciliation knows only the charges of its own clients, so the list has a workspace of its own. */
async function newWorkspace(keysAddress: string): Promise<{ workspaceId: string; secret: string }> {
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  const by = { actor: 'operator:faults', actorAddress: '' };
  try {
    const { workspace } = await keys.createWorkspace({ name: 'List of stores', planSlug: 'growth', ...by });
    const workspaceId = workspace?.id ?? '';
    const key = {
      workspaceId,
      label: 'usage',
      preset: 'read_only',
      scopes: [],
      expiresAtMs: undefined,
      requestToken: '',
    };
    return { workspaceId, secret: (await keys.createKey({ ...key, ...by })).secret };
  } finally {
    keys.close();
  }
}

/** Units of the key Dashboard. */
async function unitsOfDashboard(url: string, secret: string): Promise<number | undefined> {
  const response = await fetch(`${url}/v1/usage`, { headers: { Authorization: `Bearer ${secret}` } });
  const { by_key: rows } = (await response.json()) as { by_key: { label: string; used: { lookup_cached: number } }[] };
  return rows.find(({ label }) => label === 'Dashboard')?.used.lookup_cached;
}
