import { beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../../packages/client/src/index.ts';
import { operations } from '../../../../packages/n8n-nodes-shopscope/nodes/Shopscope/operations/index.ts';
import type {
  Operation,
  OperationContext,
} from '../../../../packages/n8n-nodes-shopscope/nodes/Shopscope/operations/operation.ts';
import type { DevEnv } from '../../../dev-env/src/index.ts';
import { apiOf, contextOf, senderOf } from './context.ts';

const known = ['matched.test', 'store-0001.test'];
const unknown = 'never-seen.test';

/** The operations of the node against every service, with keys of the test tenant. */
export function describeOperations(system: () => DevEnv): void {
  describe('an operation of the node', () => {
    let env: DevEnv;
    let baseUrl: string;

    const workspace = async (plan = 'scale') => {
      const { secret } = await env.createWorkspace({ plan, environment: 'test' });
      return { secret, client: createClient({ apiKey: secret, baseUrl }), api: apiOf(baseUrl, senderOf(secret)) };
    };
    const run = (name: string, context: OperationContext) => (operations[name] as Operation)(context);

    beforeAll(() => {
      env = system();
      baseUrl = env.apiUrls[0] as string;
    });

    const many = Array.from({ length: 250 }, (_, n) => known[n % 2] as string);
    const items = many.map((domains) => ({ domains }));

    test('enrich answers 250 items in order, each from its own input item', async () => {
      const { api } = await workspace();
      const rows = await run('store.enrich', contextOf(api, items));
      expect(rows.map(({ json, item }) => [json.input, json.match, item])).toEqual(
        many.map((domain, n) => [domain, 'matched', n]),
      );
    });

    test('enrich takes several domains of one item, as a text or as a list', async () => {
      const { api } = await workspace();
      const texts = [{ domains: `${known[0]}, ${unknown}` }, { domains: [known[1]] }];
      const rows = await run('store.enrich', contextOf(api, texts));
      expect(rows.map(({ json, item }) => [json.input, json.match, item])).toEqual([
        [known[0], 'matched', 0],
        [unknown, 'no_match', 0],
        [known[1], 'matched', 1],
      ]);
    });

    test('an enrichment that ended after two of three requests bills nothing twice when it runs again', async () => {
      const { secret, client, api } = await workspace();
      const send = senderOf(secret);
      let enrichments = 0;
      const dying = apiOf(baseUrl, async (options) => {
        const response = await send(options);
        if (options.url === '/v1/stores/enrich' && ++enrichments >= 2) throw new Error('socket hang up');
        return response;
      });
      await expect(run('store.enrich', contextOf(dying, items))).rejects.toMatchObject({
        code: 'no_response',
        item: 100,
      });
      expect(await run('store.enrich', contextOf(api, items))).toHaveLength(250);
      await env.settle();
      expect((await client.getUsage()).period.used.lookup_cached).toBe(250);
      // Another execution is another purchase.
      await run('store.enrich', contextOf(api, items, { seed: 'run-2' }));
      await env.settle();
      expect((await client.getUsage()).period.used.lookup_cached).toBe(500);
    });

    test('a failure ends the node, or becomes the row of its item if the node continues', async () => {
      const { api } = await workspace();
      const stores = [{ domain: unknown }, { domain: known[0] }];
      const failure = { code: 'not_found', status: 404, message: expect.any(String) };
      const ended = run('store.get', contextOf(api, stores));
      await expect(ended).rejects.toMatchObject({ ...failure, item: 0, requestId: expect.stringMatching(/^req_/) });
      const rows = await run('store.get', contextOf(api, stores, { continuesOnFailure: true }));
      expect(rows).toEqual([
        { item: 0, json: { error: { ...failure, request_id: expect.stringMatching(/^req_/) } } },
        { item: 1, json: { match: 'matched', store: expect.objectContaining({ domain: known[0] }) } },
      ]);
    });

    test('a failed enrichment gives one row for each of its domains if the node continues', async () => {
      const refused = apiOf(baseUrl, senderOf('svc_live_wrong'));
      const rows = await run('store.enrich', contextOf(refused, items.slice(0, 3), { continuesOnFailure: true }));
      expect(rows.map(({ item, json }) => [item, (json.error as { code: string }).code])).toEqual([
        [0, 'unauthorized'],
        [1, 'unauthorized'],
        [2, 'unauthorized'],
      ]);
    });

    test('scan and wait answers the ended job, and fails with a code when the longest wait has passed', async () => {
      const { api } = await workspace();
      const settled = contextOf(api, [{ domain: 'stale.test', maxWait: 1 }], { pause: () => env.settle() });
      const [row] = await run('store.scan', settled);
      expect(row?.json).toMatchObject({ type: 'scan', state: 'succeeded', domain: 'stale.test' });
      const endless = contextOf(
        async () => ({ id: 'job_1', state: 'running' }) as never,
        [{ domain: 'a', maxWait: 1 }],
      );
      await expect(run('store.scan', endless)).rejects.toMatchObject({ code: 'wait_ended', item: 0 });
    });

    test('a list is created, filled, read, enriched and emptied', async () => {
      const { api } = await workspace();
      const [created] = await run('list.create', contextOf(api, [{ name: 'Prospects' }]));
      const listId = created?.json.id;
      const members = [
        { listId, domains: known[0], externalId: 'crm-1' },
        { listId, domains: `${known[1]} not..a..domain` },
      ];
      const added = await run('list.addStores', contextOf(api, members));
      expect(added.map(({ json, item }) => [json.domain, json.result, item])).toEqual([
        [known[0], 'added', 0],
        [known[1], 'added', 1],
        [null, 'invalid_domain', 1],
      ]);
      const all = { returnAll: true };
      const stores = await run('list.getStores', contextOf(api, [{ listId, ...all }]));
      expect(stores.map(({ json }) => [json.domain, json.external_id])).toEqual([
        [known[0], 'crm-1'],
        [known[1], null],
      ]);
      const quote = await run('list.enrich', contextOf(api, [{ listId, options: { dry_run: true } }]));
      expect(quote[0]?.json).toMatchObject({ matched: 2 });
      const results = await run(
        'list.enrich',
        contextOf(api, [{ listId, maxWait: 60 }], { pause: () => env.settle() }),
      );
      expect(results.map(({ json }) => [json.domain, json.match, json.external_id])).toEqual([
        [known[0], 'matched', 'crm-1'],
        [known[1], 'matched', null],
      ]);
      const removed = await run('list.removeStores', contextOf(api, members));
      expect(removed.map(({ json }) => json.result)).toEqual(['removed', 'removed', 'invalid_domain']);
      const lists = await run('list.getAll', contextOf(api, [all]));
      expect(lists.map(({ json }) => [json.id, json.store_count])).toEqual([[listId, 0]]);
    });

    test('the signal search sends its filters and reads as many entries as the limit says', async () => {
      const { api } = await workspace();
      const filters = { type: ['technology_added', 'platform_changed'], country: 'DE', technology: '' };
      const rows = await run('signal.search', contextOf(api, [{ limit: 5, filters }]));
      expect(rows).toHaveLength(5);
      const wrong = contextOf(api, [{ limit: 5, filters: { country: 'Germany' } }]);
      await expect(run('signal.search', wrong)).rejects.toMatchObject({ code: 'invalid_request' });
    });

    test('find answers as many stores as the limit says, and bills each once', async () => {
      const { api, client } = await workspace();
      const rows = await run('store.find', contextOf(api, [{ limit: 3, clauses: { country: '', sort: 'domain' } }]));
      expect(rows).toHaveLength(3);
      await env.settle();
      expect((await client.getUsage()).period.used.lookup_cached).toBe(3);
      const wrong = contextOf(api, [{ limit: 3, clauses: { country: 'Germany' } }]);
      await expect(run('store.find', wrong)).rejects.toMatchObject({ code: 'invalid_request' });
    });
  });
}
