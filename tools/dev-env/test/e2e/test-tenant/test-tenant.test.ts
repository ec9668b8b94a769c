import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import type { Answer } from '../client.ts';
import { type Asker, createAsker } from '../isolation/asker.ts';
import { describeMagicDomains } from './describe-magic-domains.ts';
import { describeSeparation } from './describe-separation.ts';
import { type Made, rows, servedOperations } from './every-operation.ts';
import { grownBetween, readCounts } from './metrics-watch.ts';
import { lookUpByModel, lookUpOnPage, readAndImport, signUp } from './other-doors.ts';
import { watchProduction } from './production-watch.ts';

/** The test tenant in the whole system. */
describe('the test tenant', () => {
  let env: DevEnv;
  let workspaceId: string;
  let asker: Asker;
  let secret: string;
  const lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const onLogLine = (line: Record<string, unknown>) => lines.push(line);
    env = await startDevEnv({ label: 'test-tenant', dashboard: true, search: true, logLevel: 'debug', onLogLine });
    ({ workspaceId, secret } = await env.createWorkspace({ environment: 'test' }));
    asker = createAsker(env.apiUrls[0] as string, secret);
  });
  afterAll(() => env?.stop());

  it('the table of requests has every served operation, and an operation for every row', () => {
    expect(Object.keys(rows).sort()).toEqual(servedOperations.toSorted());
  });

  it('no operation with a test key, on the API, by MCP or on a page, adds anything to a topic, collection or metric of production, or makes the scanner visit a site', async () => {
    const visited = (await env.createWorkspace()).workspaceId;
    const visitor = await signUp(env, visited);
    // The first look-up creates the key of the workspace.
    expect(await lookUpOnPage(visitor, visited, 'store-0001.test')).toBe(302);
    const production = await watchProduction(env);
    await env.settle();
    const before = await production.read(workspaceId);
    const counted = await readCounts(env);
    const answers: [string, number][] = [];
    const named: [string, string | null][] = [];
    const made = {} as Made;
    for (const [id, row] of Object.entries(rows)) {
      if (id === 'getDelivery') made.deliveryId = await deliveryId(asker);
      const answer: Answer = await asker.send(row.ask(made));
      answers.push([id, answer.status]);
      if (row.makes) made[row.makes] = answer.body.id;
      named.push([id, answer.headers.get('x-shopscope-environment')]);
    }
    expect(answers).toEqual(Object.entries(rows).map(([id, { status }]) => [id, status]));
    const unnamed = named.filter(([, environment]) => environment !== 'test').map(([id]) => id);
    expect(unnamed, 'only public documents').toEqual(['getHost', 'getIndex', 'getHealth', 'getOpenapi']);
    expect(await lookUpByModel(env, secret, 'matched.test')).toContain('matched.test');
    expect(await lookUpByModel(env, secret, 'error.test')).toContain('internal');
    expect(await lookUpOnPage(visitor, visited, 'matched.test')).toBe(302);
    expect(await lookUpOnPage(visitor, visited, 'error.test')).toBe(500);
    expect(await readAndImport(visitor, visited, 'changes.test')).toEqual([
      expect.stringMatching(/-test\/changes\?.*history=[\w-]{22}/),
      expect.stringMatching(/-test\/lists\/imports\/[\w-]{22}$/),
    ]);
    await production.logged('test_request_batches', workspaceId, 'resetTestTenant');
    await env.settle();
    expect(await production.written(workspaceId)).toEqual([]);
    expect(await production.written(visited)).toEqual([]);
    expect(await production.read(workspaceId)).toEqual(before);
    expect(grownBetween(counted, await readCounts(env))).toEqual([]);
    const ofWorkspace = Object.entries(before.documents).filter(([, { ofWorkspace: count }]) => count > 0);
    expect(ofWorkspace, 'live documents of a workspace that has only test keys').toEqual([]);
    expect(lines.filter(({ service }) => service === 'scanner').map(({ msg }) => msg)).not.toContain('scan done');
    const ofCallers = lines.filter(({ workspaceId: of, msg }) => of === workspaceId && msg === 'request');
    // A response before the check of the key names no workspace.
    expect(ofCallers.length).toBeGreaterThanOrEqual(answers.length - unnamed.length);
    expect(ofCallers.filter(({ environment }) => environment !== 'test')).toEqual([]);
    await production.close();
  });

  it('the watch of production sees what a live key adds', async () => {
    const production = await watchProduction(env);
    const live = await env.createWorkspace();
    const { domain } = env.demoStores.domains[0] as { domain: string };
    await env.settle();
    const before = await production.read(live.workspaceId);
    const counted = await readCounts(env);
    const { status } = await asker.send({ path: `/v1/stores/${domain}/scans`, body: {} }, live.secret);
    expect(status).toBe(202);
    await production.logged('request_batches', live.workspaceId, 'requestScan');
    await env.settle();
    const after = await production.read(live.workspaceId);
    const grown = grownBetween(counted, await readCounts(env)).map((series) => series.split('{')[0]);
    expect(grown).toEqual(
      expect.arrayContaining([
        'gateway http_requests_total',
        'metering metering_ledger_entries_total',
        'scanner scanner_scans_total',
      ]),
    );
    for (const topic of ['usage.v1', 'scan-requests.v1', 'requests.v1']) {
      expect([topic, after.records[topic]]).not.toEqual([topic, before.records[topic]]);
    }
    for (const name of ['metering.ledger', 'scan_scheduler.jobs', 'dashboard.request_batches']) {
      expect(after.documents[name]?.ofWorkspace, name).toBeGreaterThan(before.documents[name]?.ofWorkspace ?? 0);
    }
    await production.close();
  });

  describeMagicDomains(() => env);
  describeSeparation(() => env);
});

/** Waits until the event of the test has a delivery. */
async function deliveryId(asker: Asker): Promise<string> {
  let id = '';
  await expect
    .poll(
      async () => {
        const { body } = await asker.send({ path: '/v1/deliveries' });
        id = body.data[0]?.id ?? '';
        return id;
      },
      { timeout: 60_000 },
    )
    .not.toBe('');
  return id;
}
