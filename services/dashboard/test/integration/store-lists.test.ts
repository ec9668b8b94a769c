import type { Visitor } from '@shopscope/browser/visitor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programs } from '../../../../packages/lists/test/programs.ts';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { read, tokenIn } from './support/html.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

let system: TestSystem;
let gateway: TestGateway;

beforeAll(async () => {
  system = await startTestSystem();
  gateway = await startGatewayOf(system);
  gateway.addStore('fresh.example', { name: '=HYPERLINK("http://evil.example")' });
  gateway.addStore('stale.example', {}, Date.now() - 90 * 86_400_000);
  for (const [slug, enrichBatchMax] of [
    ['by_two', 2],
    ['by_one', 1],
  ] as const) {
    await system.clients.keys.createPlan({
      actor: 'test',
      plan: {
        slug,
        enrichBatchMax,
        rpm: 600,
        concurrency: 5,
        freshnessDays: 30,
        historyDays: 30,
        included: { lookupCached: 3, lookupLive: 0, historyQuery: 0, refreshRequested: 0 },
        quotas: undefined,
      },
    });
  }
}, 60_000);
afterAll(async () => {
  await gateway.stop();
  await system.stop();
});

/** On a plan with batches of two domains and three look-ups. */
const startWorkspace = () => startStoresWorkspace(system, 'by_two');

const tokenOf = async (browser: Visitor, base: string) =>
  tokenIn(await (await browser.get(`${base}/lists/new`)).text());

async function createList(browser: Visitor, base: string, fields: Record<string, string | File>) {
  const form = new FormData();
  form.set('token', await tokenOf(browser, base));
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // As a browser does: with a length.
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('content-type') ?? '', Origin: new URL(system.url).origin };
  const body = Buffer.from(await sent.arrayBuffer());
  const response = await browser.request(`${base}/lists/new`, { method: 'POST', headers, body });
  return { status: response.status, path: response.headers.get('location') ?? '', response };
}

const run = async (browser: Visitor, path: string) => {
  const response = await browser.submit(`${path}/run`, {});
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as {
      outcome: string;
      progress?: object;
      message?: string;
      retryAfterSeconds?: number;
    },
  };
};

const usedOf = async (workspaceId: string) =>
  (await system.clients.metering.getUsage({ workspaceId })).balance?.used?.lookupCached;
const expectUsed = (workspaceId: string, units: number) => expect.poll(() => usedOf(workspaceId)).toBe(units);

const five = 'fresh.example\nunknown.example\nstale.example\nother.example\nlast.example';

describe('lists', () => {
  it('a list is read from text, says what is not in it and what it bills at most, and bills nothing before it starts', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const { status, path } = await createList(member, base, { domains: `${five}\nno domain\nWWW.fresh.example` });
    expect([status, path]).toEqual([302, expect.stringMatching(/\/stores\/lists\/[\w-]{22}$/)]);
    const page = await read(await member.get(path));
    for (const text of [
      ...[
        '0 of 5 domains looked up',
        '1 line has no domain',
        'Line 6: no domain',
        '1 line repeats a domain',
        'Lines 7',
      ],
      ...[
        'Starting bills at most 5 cached look-ups',
        '3 of 3 cached look-ups are left',
        'Closing the page pauses the list',
      ],
      ...['Not looked up yet', 'last.example'],
    ]) {
      expect(page).toContain(text);
    }
    await expectUsed(workspaceId, 0);
  });

  it.each(Object.entries(programs))('a list is read from a file of %s', async (program, write) => {
    const { member, base } = await startWorkspace();
    const table = [
      ['Firma', ' WEBSITE '],
      ['Müller "&" Söhne', 'fresh.example'],
      ['zwei; eins', 'other.example'],
    ];
    const file = new File([write(table)], 'shops.csv', { type: 'text/csv' });
    const { path } = await createList(member, base, { file, domains: '' });
    const page = await read(await member.get(path));
    expect(page).toContain('shops.csv');
    expect(page).toContain('0 of 2 domains looked up');
    expect(page.includes('The list was read as Windows-1252')).toBe(program.includes('machine'));
    expect(await read(await member.get(base))).toContain('Not started');
  });

  it.each([
    ['without a domain', 'nothing here', 400, 'Enter at least one domain'],
    ['with a quote that stays open', 'a.example,"x\nb.example,y', 400, 'A quote is opened and never closed (line 1).'],
    [
      'with 10,001 domains',
      Array.from({ length: 10_001 }, (_, n) => `s${n}.example`).join('\n'),
      400,
      'at most 10,000',
    ],
    ['of more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), 400, 'at most 1 MiB'],
    ['of 2 MB', 'x'.repeat(2_000_000), 413, 'too large'],
  ])('a list %s is refused', async (_, domains, status, words) => {
    const { member, base } = await startWorkspace();
    const refused = await createList(member, base, { domains });
    expect([refused.status, await read(refused.response)]).toEqual([status, expect.stringContaining(words)]);
  });

  it('a list is one list when its form comes again, and a workspace keeps at most 50', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const token = await tokenOf(member, base);
    const paths = [];
    for (let n = 0; n < 3; n++) paths.push((await createList(member, base, { token, domains: five })).path);
    expect(new Set(paths).size).toBe(1);
    const lists = system.db.collection('store_lists');
    const [first] = await lists.find({ workspaceId }).toArray();
    await lists.insertMany(
      Array.from({ length: 49 }, (_, n) => ({ ...first, _id: `copy ${n} of ${workspaceId}` as never })),
    );
    const refused = await createList(member, base, { domains: five });
    expect([refused.status, await read(refused.response)]).toEqual([409, expect.stringContaining('at most 50 lists')]);
  });

  it('a list is created while a workspace has fewer than 50, also of many that are created at once', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    await createList(member, base, { domains: five });
    const lists = system.db.collection('store_lists');
    const first = await lists.findOne({ workspaceId });
    const copies = Array.from({ length: 47 }, (_, n) => ({ ...first, _id: `copy ${n} of ${workspaceId}` as never }));
    await lists.insertMany(copies);
    const forms = Array.from({ length: 6 }, (_, n) => createList(member, base, { domains: `at-once-${n}.example` }));
    const answers = (await Promise.all(forms)).map(({ status }) => status);
    expect(answers.toSorted()).toEqual([302, 302, 409, 409, 409, 409]);
    expect(await lists.countDocuments({ workspaceId })).toBe(50);
  });

  it('a list bills each known domain once, batch by batch, and stops in the words of the API when the allowance is used up', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const domains = `fresh.example\nunknown.example\nstale.example\nother.example\n${'shop'}.example\nlast.example`;
    for (const name of ['shop', 'last']) gateway.addStore(`${name}.example`);
    const { path } = await createList(member, base, { domains });
    const first = await run(member, path);
    expect(first.body).toMatchObject({
      outcome: 'ran',
      progress: { state: 'open', finished: 1, billed: { lookup_cached: 1 }, counts: { matched: 1, no_match: 1 } },
      entries: [
        { index: 0, domain: 'fresh.example', row: { match: 'matched', store: { platform: 'Shopify', country: 'DE' } } },
        { index: 1, domain: 'unknown.example', row: { match: 'no_match' } },
        ...['stale', 'other', 'shop', 'last'].map((name, n) => ({ index: n + 2, domain: `${name}.example` })),
      ],
    });
    expect((await run(member, path)).body).toMatchObject({
      progress: { finished: 2, counts: { stale: 1, no_match: 2 } },
    });
    // Two look-ups are needed and one is left: all or nothing.
    const refused = await run(member, path);
    expect([refused.status, refused.body]).toEqual([
      402,
      expect.objectContaining({ outcome: 'failed', message: expect.stringContaining('lookup_cached') }),
    ]);
    await expectUsed(workspaceId, 2);
    const page = await read(await member.get(path));
    expect(page).toContain('4 of 6 domains looked up');
    expect(page).toContain('Resuming bills at most 2 cached look-ups');
    // With more allowance the list goes on where it stopped.
    await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor: 'test' });
    await expect.poll(async () => (await run(member, path)).body.outcome).toBe('ran');
    expect((await run(member, path)).body).toMatchObject({
      outcome: 'ended',
      progress: { state: 'done', finished: 3 },
    });
    await expectUsed(workspaceId, 4);
  });

  it('a list bills a batch once, also when it runs again because its result was lost, or by two pages at the same time', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const { path } = await createList(member, base, { domains: five });
    const answers = await Promise.all([1, 2, 3].map(() => run(member, path)));
    expect(answers.map(({ body }) => body.outcome).toSorted()).toEqual(['busy', 'busy', 'ran']);
    await expectUsed(workspaceId, 1);
    // As after a kill between the call and the write.
    const lists = system.db.collection('store_lists');
    await lists.updateOne({ workspaceId }, { $set: { finished: 0, 'billed.lookup_cached': 0, 'counts.matched': 0 } });
    expect((await run(member, path)).body).toMatchObject({
      outcome: 'ran',
      progress: { billed: { lookup_cached: 1 } },
    });
    await expectUsed(workspaceId, 1);
  });

  it('a list shows what another page has run, as it is stored', async () => {
    const { admin, member, base } = await startWorkspace();
    const { path } = await createList(member, base, { domains: five });
    const status = async () => (await (await admin.get(`${path}/status?page=1`)).json()) as object;
    expect(await status()).toMatchObject({ page: 1, progress: { finished: 0 } });
    await run(member, path);
    expect(await status()).toMatchObject({
      progress: { state: 'open', finished: 1, counts: { matched: 1, no_match: 1 } },
      entries: [{ row: { match: 'matched' } }, { row: { match: 'no_match' } }, {}, {}, {}],
    });
    // Rows that are stored and not counted yet are shown with their batch only.
    const batches = system.db.collection('store_list_batches');
    const listId = path.split('/').at(-1);
    await batches.updateOne({ listId, number: 1 }, { $set: { rows: [{ match: 'error' }, { match: 'error' }] } });
    expect(JSON.stringify(await status())).not.toContain('"match":"error"');
    await member.submit(path, { intent: 'cancel' });
    expect(await status()).toMatchObject({ progress: { state: 'canceled', finished: 1 } });
  });

  it('a list goes on past a profile in a form that this version does not know, and says so in its row', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    gateway.addStore('odd.example', { platform: { name: 7 } as never });
    const { path } = await createList(member, base, { domains: 'odd.example\nfresh.example\nunknown.example' });
    expect((await run(member, path)).body).toMatchObject({
      outcome: 'ran',
      progress: { finished: 1, billed: { lookup_cached: 2 }, counts: { matched: 1, unreadable: 1 } },
    });
    expect((await run(member, path)).body).toMatchObject({ outcome: 'ran', progress: { state: 'done' } });
    const page = await read(await member.get(path));
    expect(page).toContain('Answered, but this page cannot draw it');
    expect(page).toContain('1 answered, not shown');
    expect(await (await member.get(`${path}/export.csv`)).text()).toContain('odd.example,unreadable,');
    await expectUsed(workspaceId, 2);
  });

  it('a list ends with a cancellation, and is exported as CSV whose cells are no formulas', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const { path } = await createList(member, base, { domains: five });
    await run(member, path);
    expect((await member.submit(path, { intent: 'cancel' })).status).toBe(302);
    expect((await run(member, path)).body).toMatchObject({
      outcome: 'ended',
      progress: { state: 'canceled', finished: 1 },
    });
    await expectUsed(workspaceId, 1);
    const file = await member.get(`${path}/export.csv`);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="stores-[\w-]+\.csv"$/);
    const lines = (await file.text()).split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toContain(
      `fresh.example,matched,"'=HYPERLINK(""http://evil.example"")",active_storefront,Shopify,DE`,
    );
    expect(lines[2]).toMatch(/^unknown\.example,no_match,,/);
    expect(lines[5]).toMatch(/^last\.example,not looked up,,/);
  });

  it('a list goes on in smaller calls when the plan allows fewer domains per call than at its creation', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const { path } = await createList(member, base, { domains: five });
    await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'by_one', actor: 'test' });
    expect((await run(member, path)).body).toMatchObject({ outcome: 'ran', progress: { finished: 1 } });
    expect(await read(await member.get(path))).toContain('2 of 5 domains looked up');
  });

  it('a list of a form that was changed is another list', async () => {
    const { member, base } = await startWorkspace();
    const token = await tokenOf(member, base);
    const create = async (domains: string) =>
      (await member.submit(`${base}/lists/new`, { token, domains })).headers.get('location');
    const first = await create('a-1.example\nb-1.example\nc-1.example');
    expect(await create('a-1.example\nb-1.example\nc-1.example')).toBe(first);
    const second = await create('x-1.example\ny-1.example');
    expect(second).not.toBe(first);
    const page = await read(await member.get(second ?? ''));
    expect([page.includes('x-1.example'), page.includes('a-1.example')]).toEqual([true, false]);
  });

  it('a list can be run without script, and deleted with its results', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    const { path } = await createList(member, base, { domains: five });
    expect((await member.submit(path, { intent: 'run', finished: '0' })).status).toBe(302);
    expect(await read(await member.get(path))).toContain('2 of 5 domains looked up');
    // The same form again, as a browser sends it when the response was lost.
    expect((await member.submit(path, { intent: 'run', finished: '0' })).status).toBe(302);
    expect(await read(await member.get(path))).toContain('2 of 5 domains looked up');
    expect((await member.submit(path, { intent: 'delete' })).headers.get('location')).toBe(base);
    expect((await member.get(path)).status).toBe(404);
    expect(await system.db.collection('store_lists').countDocuments({ workspaceId })).toBe(0);
    const listId = path.split('/').at(-1);
    expect(await system.db.collection('store_list_batches').countDocuments({ listId })).toBe(0);
  });

  it('a list of another workspace is found by nobody', async () => {
    const own = await startWorkspace();
    const { path } = await createList(own.member, own.base, { domains: five });
    const id = path.split('/').at(-1);
    const other = await startWorkspace();
    for (const list of [path, `${other.base}/lists/${id}`]) {
      for (const page of ['', '/export.csv']) expect((await other.member.get(`${list}${page}`)).status).toBe(404);
      expect((await other.member.submit(`${list}/run`, {})).status).toBe(404);
      for (const intent of ['run', 'cancel', 'delete'])
        expect((await other.member.submit(list, { intent })).status).toBe(404);
    }
    expect(await read(await own.member.get(path))).toContain('0 of 5 domains looked up');
    await expectUsed(own.workspaceId, 0);
  });

  it('a list waits when a limit of the key is reached', async () => {
    const { member, base, workspaceId } = await startWorkspace();
    await system.clients.keys.createPlan({
      actor: 'test',
      plan: {
        slug: 'slow',
        rpm: 1,
        concurrency: 5,
        enrichBatchMax: 1,
        freshnessDays: 30,
        historyDays: 30,
        included: { lookupCached: 100, lookupLive: 0, historyQuery: 0, refreshRequested: 0 },
        quotas: undefined,
      },
    });
    await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'slow', actor: 'test' });
    const { path } = await createList(member, base, { domains: five });
    const answers = [await run(member, path), await run(member, path), await run(member, path)];
    const limited = answers.find(({ status }) => status === 429);
    expect(Number(limited?.retryAfter)).toBeGreaterThan(0);
    expect(limited?.body).toMatchObject({ outcome: 'failed', message: expect.any(String) });
  });
});
