import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DevEnv } from '../../../src/index.ts';
import type { Answer } from '../client.ts';
import type { Ask } from './asker.ts';
import type { HttpRow } from './http-row.ts';
import { httpRows } from './http-rows.ts';
import { createTenant, type Everything, everythingOf, expectUnchanged, type Tenant, tracesIn } from './tenant.ts';

interface Operation {
  operationId: string;
  'x-served': boolean;
}
const documentPath = join(import.meta.dirname, '../../../../../docs/openapi.json');
const { paths } = JSON.parse(readFileSync(documentPath, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    id: operation.operationId,
    served: operation['x-served'],
  })),
);
const served = operations.filter((operation) => operation.served);

/**
 * Two workspaces and every operation of the contract. Workspace B sends every variant of each request, under its own key and
 * with A's ids. No response, header or count may contain data of A. The matrix covers openapi.json: a missing row fails.
 */
export function describeHttp(system: () => DevEnv): void {
  describe('the public API with two workspaces', () => {
    let env: DevEnv;
    let a: Tenant;
    let b: Tenant;

    beforeAll(async () => {
      env = system();
      const [one, two] = env.demoStores.domains.map(({ domain }) => domain) as [string, string];
      a = await createTenant(env, {
        name: 'alpha',
        limits: { rpm: 7_919, lookupCached: 700_000 },
        domain: one,
        lookUps: 5,
      });
      b = await createTenant(env, {
        name: 'beta',
        limits: { rpm: 6_007, lookupCached: 300_000 },
        domain: two,
        lookUps: 2,
      });
    });

    /** Asserts that a response has no data of `other`, and that its header limits and allowance are those of `own`. */
    const expectOwn = (answer: Answer, own: Tenant, other: Tenant, ask: Ask) => {
      expect(tracesIn(answer, other, ask), `${own.name} asked ${ask.path}`).toEqual([]);
      const limit = answer.headers.get('x-ratelimit-limit');
      if (limit !== null) expect(Number(limit)).toBe(own.limits.rpm);
      const remaining = answer.headers.get('x-usage-remaining');
      if (remaining === null) return;
      expect(Number(remaining)).toBeLessThanOrEqual(own.limits.lookupCached);
      expect(Number(remaining)).toBeGreaterThan(own.limits.lookupCached - 1_000);
    };

    /** Returns the unchanged request, and variants with headers that name the other workspace. */
    const waysOf = (ask: Ask, other: Tenant): Ask[] => [
      ask,
      { ...ask, headers: { ...ask.headers, 'x-request-id': other.requestId } },
      {
        ...ask,
        headers: { ...ask.headers, 'x-workspace-id': other.workspaceId, 'x-key-id': other.keyId, cookie: other.keyId },
      },
      { ...ask, path: `${ask.path}${ask.path.includes('?') ? '&' : '?'}workspace_id=${other.workspaceId}` },
      { ...ask, path: `${ask.path}${ask.path.includes('?') ? '&' : '?'}key_id=${other.keyId}` },
    ];

    it('the isolation table has a row for every served operation, and an operation for every row', () => {
      expect(Object.keys(httpRows).sort()).toEqual(served.map(({ id }) => id).sort());
    });

    /** What the other workspace had at the preceding comparison, unless it has sent requests since. */
    let before: Everything | undefined;
    /** `.ci/nightly` compares after each operation, so that a finding names it. Otherwise one comparison covers several operations. */
    const isCompared = (id: string) => {
      const at = served.findIndex((operation) => operation.id === id);
      return process.env.SHOPSCOPE_NIGHTLY === 'true' || at % 8 === 7 || at === served.length - 1;
    };
    it.each(served)('$id returns no data of the other workspace', async ({ id, method }) => {
      const row = httpRows[id] as HttpRow;
      if (before === undefined) await env.settle();
      const expected = before ?? (await everythingOf(env, a));
      const plain: Answer[] = [];
      for (const ask of row.asks(b, a)) {
        for (const way of waysOf(ask, a)) {
          const answer = await b.asker.send({ method, ...way }, row.isOfTestKeys && b.testSecret);
          expectOwn(answer, b, a, way);
          if (way === ask) plain.push(answer);
          else expect([answer.status, way]).toEqual([way.path === ask.path ? plain.at(-1)?.status : 400, way]);
        }
      }
      row.expect?.(plain, b, a);
      before = expected;
      if (!row.sharedBecause && !isCompared(id)) return;
      await env.settle();
      const after = await everythingOf(env, a);
      before = row.sharedBecause ? undefined : after;
      expectUnchanged(after, expected);
      if (!row.sharedBecause) return;
      for (const [n, ask] of row.asks(b, a).entries())
        expect((await a.asker.send({ method, ...ask })).text).toBe(plain[n]?.text);
    });

    it('operations that are not served yet return 501, also for ids of the other workspace', async () => {
      for (const { path, method, served } of operations) {
        if (served) continue;
        const named = path
          .replace('{domain}', a.domain)
          .replace('{job_id}', a.jobId)
          .replace(/\{\w+\}/g, a.workspaceId);
        for (const way of waysOf({ path: named, ...(method === 'POST' && { body: {} }) }, a)) {
          const answer = await b.asker.send({ method, ...way });
          expect([answer.status, way.path]).toEqual([501, way.path]);
          expectOwn(answer, b, a, way);
        }
      }
    });

    it('a cursor of the other workspace returns the same page as a cursor of the caller’s workspace', async () => {
      const path = '/v1/technologies?limit=2';
      const given = (await a.asker.send({ path })).body.next_cursor;
      const own = (await b.asker.send({ path })).body.next_cursor;
      const pages = [given, own].map((cursor) => b.asker.send({ path: `${path}&cursor=${cursor}` }));
      const [theirs, ours] = await Promise.all(pages);
      expect(theirs?.status).toBe(200);
      expect(theirs?.text).toBe(ours?.text);
    });

    it('the public API returns its own data to each workspace under simultaneous requests', async () => {
      const asks: Ask[] = [
        { path: '/v1/account' },
        { path: '/v1/usage' },
        { path: `/v1/stores/${a.domain}` },
        { path: '/v1/stores/enrich', body: { domains: [a.domain, b.domain] } },
      ];
      for (let round = 0; round < 5; round++) {
        const pairs = [a, b, b, a].flatMap((own) => asks.map((ask) => ({ own, ask })));
        const answers = await Promise.all(pairs.map(({ own, ask }) => own.asker.send(ask)));
        for (const [n, answer] of answers.entries()) {
          const { own, ask } = pairs[n] as (typeof pairs)[number];
          expect([answer.status, ask.path]).toEqual([200, ask.path]);
          expectOwn(answer, own, own === a ? b : a, ask);
        }
      }
    });

    it('the public API bills each workspace exactly the units of its own responses', async () => {
      await env.settle();
      for (const tenant of [a, b]) {
        const usage = (await tenant.asker.send({ path: '/v1/usage' })).body.period.used;
        expect(usage).toMatchObject(tenant.asker.billed);
      }
    });
  });
}
