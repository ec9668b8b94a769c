import type { Visitor } from '@shopscope/browser/visitor';
import { nightlyUnless } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { programs } from '../../../../packages/lists/test/programs.ts';
import type { TestGateway } from './support/gateway.ts';
import { hiddenIn, read, tokenIn } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeLists(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('lists', () => {
    let system: TestSystem;
    let gateway: TestGateway;

    beforeAll(() => {
      system = shared();
      gateway = sharedGateway();
    });

    async function startWorkspace(planSlug?: string) {
      const world = await startStoresWorkspace(system, planSlug);
      return { ...world, base: `${world.home}/lists` };
    }

    type Fields = Record<string, string | File>;

    /** Sends the first step of an import, as a browser does: with a length. */
    async function send(browser: Visitor, path: string, fields: Fields) {
      const form = new FormData();
      form.set('token', tokenIn(await (await browser.get(path)).text()));
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const sent = new Response(form);
      const headers = { 'Content-Type': sent.headers.get('content-type') ?? '', Origin: new URL(system.url).origin };
      const body = Buffer.from(await sent.arrayBuffer());
      const response = await browser.request(path, { method: 'POST', headers, body });
      return { status: response.status, path: response.headers.get('location') ?? '', response };
    }

    /** Confirms the columns that the page of an import shows. */
    async function confirm(browser: Visitor, path: string) {
      const html = await (await browser.get(path)).text();
      const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
      return browser.submit(path.split('?')[0] as string, {
        domain_column: hidden('domain_column'),
        id_column: hidden('id_column'),
      });
    }

    async function importNew(browser: Visitor, base: string, fields: Fields) {
      const { path } = await send(browser, `${base}/new`, fields);
      await confirm(browser, path);
      const [, list = ''] = /href="([^"]*\/lists\/lst_\w+)"/.exec(await (await browser.get(path)).text()) ?? [];
      return { importPath: path, list };
    }

    const table =
      'name,website,CRM id\nA,a.example,crm-1\nB,https://www.b.example/x,\nC,no domain,crm-3\nD,A.example,crm-4\n';

    describe('imports of lists', () => {
      it('an import shows what it reads of each column before anything is added, and adds it when it is confirmed', async () => {
        const { member, base } = await startWorkspace();
        const file = new File([table], 'Prospects 2026.csv', { type: 'text/csv' });
        const { status, path } = await send(member, `${base}/new`, { file, domains: '' });
        expect([status, path]).toEqual([302, expect.stringMatching(/\/lists\/imports\/[\w-]{22}$/)]);
        const checked = await read(await member.get(path));
        for (const text of [
          'Import into Prospects 2026',
          'Import 2 stores',
          'Line 4: no domain',
          'Line 5: a.example',
          'crm-1',
        ]) {
          expect(checked).toContain(text);
        }
        expect(await read(await member.get(base))).toContain('No lists yet');
        expect((await confirm(member, path)).status).toBe(302);
        expect(await read(await member.get(path))).toContain('2 stores were added');
        const [, list = ''] = /href="([^"]*\/lists\/lst_\w+)"/.exec(await (await member.get(path)).text()) ?? [];
        const page = await read(await member.get(list));
        for (const text of ['Prospects 2026', 'a.example', 'crm-1', 'b.example', '2 stores'])
          expect(page).toContain(text);
        // Nothing is added twice when the form is sent again.
        await confirm(member, path);
        expect(await read(await member.get(base))).toMatch(/Prospects 2026 Stores 2 /);
      });

      it('an import reads the columns that the person chooses', async () => {
        const { member, base } = await startWorkspace();
        const { path } = await send(member, `${base}/new`, { domains: 'x;a.example;b.example\ny;c.example;d.example' });
        expect(await read(await member.get(path))).toContain('c.example');
        const chosen = `${path}?domain=2&id=0`;
        const page = await read(await member.get(chosen));
        expect([page.includes('d.example'), page.includes('Import 2 stores')]).toEqual([true, true]);
        await confirm(member, chosen);
        const [, list = ''] = /href="([^"]*\/lists\/lst_\w+)"/.exec(await (await member.get(path)).text()) ?? [];
        expect(await read(await member.get(list))).toMatch(/b\.example Your id x .*d\.example Your id y /);
        expect((await member.get(`${path}?domain=7`)).status).toBe(200);
      });

      // packages/lists reads each of them by day.
      const filesByDay = ['Excel, CSV of a German machine', 'UTF-16, big-endian'];
      for (const [program, write] of Object.entries(programs)) {
        it(`an import reads a file of ${program}`, nightlyUnless(filesByDay.includes(program)), async () => {
          const { member, base } = await startWorkspace();
          const rows = [
            ['Firma', ' WEBSITE ', 'Kundennummer'],
            ['Müller "&" Söhne', 'fresh.example', 'Ä-1'],
            ['zwei; eins', 'other.example', ''],
          ];
          const file = new File([write(rows)], 'shops.csv', { type: 'text/csv' });
          const { path } = await send(member, `${base}/new`, { file, domains: '' });
          const page = await read(await member.get(path));
          for (const text of ['shops', 'Import 2 stores', 'fresh.example', 'Ä-1']) expect(page).toContain(text);
          expect(page.includes('The file was read as Windows-1252')).toBe(program.includes('machine'));
        });
      }

      it.each([
        [
          'with a quote that stays open',
          'a.example,"x\nb.example,y',
          400,
          'A quote is opened and never closed (line 1).',
        ],
        [
          'with 10,001 domains',
          Array.from({ length: 10_001 }, (_, n) => `s${n}.example`).join('\n'),
          400,
          'at most 10,000',
        ],
        ['of more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), 400, 'at most 1 MiB'],
        ['of 2 MB', 'x'.repeat(2_000_000), 413, 'too large'],
      ])('an import %s is refused', async (_, domains, status, words) => {
        const { member, base } = await startWorkspace();
        const refused = await send(member, `${base}/new`, { domains });
        expect([refused.status, await read(refused.response)]).toEqual([status, expect.stringContaining(words)]);
      });

      it('an import without a domain in the column is refused, and creates no list', async () => {
        const { member, base } = await startWorkspace();
        const { path } = await send(member, `${base}/new`, { domains: 'nothing here' });
        const refused = await confirm(member, path);
        expect([refused.status, await read(refused)]).toEqual([
          400,
          expect.stringContaining('No line of this column has'),
        ]);
        expect(await read(await member.get(base))).toContain('No lists yet');
      });

      it('an import of 2,500 stores is added in calls of the API, and says how many were in the list already', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const domains = Array.from({ length: 2_500 }, (_, n) => `shop-${n}.example`).join('\n');
        const { list } = await importNew(member, base, { name: 'Many', domains });
        const { path } = await send(member, `${list}/import`, { domains: 'shop-0.example\nnew.example' });
        await confirm(member, path);
        expect(await read(await member.get(path))).toContain('1 store was added 1 store was in the list already.');
        expect(await read(await member.get(list))).toContain('2,501 stores');
        const first = await member.get(list);
        const [, next = ''] = /href="([^"]*\?page=[^"]+)"/.exec(await first.text()) ?? [];
        const second = await read(await member.get(next));
        expect([second.includes('Previous'), second.includes('new.example')]).toEqual([true, false]);
        expect(await system.db.collection('list_imports').countDocuments({ workspaceId })).toBe(2);
      });

      it('an import above the quota of the plan says so before it begins, creates no list, and can be confirmed when there is room', async () => {
        const { member, base, workspaceId } = await startWorkspace('free');
        await importNew(member, base, { name: 'First', domains: 'a.example' });
        const domains = Array.from({ length: 1_000 }, (_, n) => `shop-${n}.example`).join('\n');
        const { path } = await send(member, `${base}/new`, { name: 'Too many', domains });
        const words = 'The plan allows 1,000 stores in lists, this workspace has 1, and this would add 1,000.';
        const checked = await read(await member.get(path));
        expect(checked).toContain(words);
        const refused = await confirm(member, path);
        expect([refused.status, await read(refused)]).toEqual([
          400,
          expect.stringContaining(`${words} Nothing was created.`),
        ]);
        expect(await read(await member.get(base))).not.toContain('Too many');
        await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor: 'test' });
        await expect.poll(async () => (await confirm(member, path)).status).toBe(302);
        expect(await read(await member.get(path))).toContain('1,000 stores were added');
      });

      it('an import into a list stops with the message of the API at the quota of the plan, and continues when there is room', async () => {
        const { member, admin, base, workspaceId } = await startWorkspace('free');
        const { path: list } = await send(member, `${base}/new`, { name: 'Too many', domains: '' });
        const domains = Array.from({ length: 1_001 }, (_, n) => `shop-${n}.example`).join('\n');
        const { path } = await send(member, `${list}/import`, { domains });
        const refused = await confirm(member, path);
        expect([refused.status, await read(refused)]).toEqual([400, expect.stringContaining('list_stores')]);
        await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor: 'test' });
        expect(await read(await member.get(path))).toContain('0 of 1,001 stores are in the list.');
        await expect.poll(async () => (await confirm(member, path)).status).toBe(302);
        expect(await read(await member.get(path))).toContain('1,001 stores were added');
        expect((await read(await admin.get(base))).match(/Too many/g)).toHaveLength(1);
      });

      it('a person has at most five imports, and nobody else finds one', async () => {
        const { member, admin, base, workspaceId } = await startWorkspace();
        const paths = [];
        for (let n = 0; n < 6; n++) paths.push((await send(member, `${base}/new`, { domains: `s${n}.example` })).path);
        expect(await system.db.collection('list_imports').countDocuments({ workspaceId })).toBe(5);
        expect(await Promise.all(paths.map(async (path) => (await member.get(path)).status))).toEqual([
          404,
          ...Array(5).fill(200),
        ]);
        expect((await admin.get(paths[5] as string)).status).toBe(404);
        expect((await confirm(admin, paths[5] as string)).status).toBe(404);
      });
    });

    describe('lists', () => {
      it('a list is created empty once when its form is sent again, and takes, renames and loses stores', async () => {
        const { member, admin, base } = await startWorkspace();
        const token = crypto.randomUUID();
        const [first, again] = [
          await send(member, `${base}/new`, { name: 'Mine', token }),
          await send(member, `${base}/new`, { name: 'Mine', token }),
        ];
        expect(first.path).toMatch(/\/lists\/lst_\w+$/);
        expect(again.path).toBe(first.path);
        const list = first.path;
        expect(await read(await member.get(list))).toContain('No stores in this list');
        const added = await member.submit(list, {
          intent: 'add',
          domain: 'https://WWW.one.example/',
          external_id: '=1+1',
        });
        expect(await read(added)).toContain('one.example is in the list.');
        const bad = await member.submit(list, { intent: 'add', domain: 'nothing', external_id: '' });
        expect([bad.status, await read(bad)]).toEqual([400, expect.stringContaining('This is not a domain.')]);
        await member.submit(list, { intent: 'rename', name: 'Yours' });
        const page = await read(await admin.get(list));
        for (const text of ['Yours', 'one.example', '=1+1', '1 store']) expect(page).toContain(text);
        const long = await member.submit(list, { intent: 'add', domain: 'one.example', external_id: 'x'.repeat(201) });
        expect([long.status, await long.text()]).toEqual([400, expect.stringMatching(/aria-invalid="true"/)]);
        const none = await member.submit(list, { intent: 'remove' });
        expect([none.status, await read(none)]).toEqual([400, expect.stringContaining('Tick the stores')]);
        await member.submit(list, { intent: 'remove', stores: 'one.example' });
        expect(await read(await admin.get(list))).toContain('No stores in this list');
      });

      it('a list is deleted by its name', async () => {
        const { member, base } = await startWorkspace();
        const { list } = await importNew(member, base, { name: 'Old', domains: 'a.example' });
        const refused = await member.submit(`${list}/delete`, { name: 'New' });
        expect([refused.status, await read(refused)]).toEqual([
          400,
          expect.stringContaining('Enter the name of this list'),
        ]);
        expect((await member.submit(`${list}/delete`, { name: 'Old' })).headers.get('location')).toBe(base);
        expect((await member.get(list)).status).toBe(404);
      });

      it('a list of another workspace is found by nobody', async () => {
        const own = await startWorkspace();
        const { list } = await importNew(own.member, own.base, { name: 'Own', domains: 'a.example' });
        const other = await startWorkspace();
        for (const path of [list, `${other.base}/${list.split('/').at(-1)}`]) {
          for (const page of ['', '/import', '/delete']) expect((await other.member.get(path + page)).status).toBe(404);
          for (const [page, form] of [
            ['', { intent: 'add', domain: 'b.example', external_id: '' }],
            ['', { intent: 'remove', stores: 'a.example' }],
            ['', { intent: 'rename', name: 'Taken' }],
            ['/delete', { name: 'Own' }],
          ] as const) {
            expect((await other.admin.submit(path + page, form)).status).toBe(404);
          }
        }
        expect(await read(await own.member.get(list))).toMatch(/Own .*a\.example/);
      });

      it('lists say that the Dashboard key is revoked, and an admin can switch it on again', async () => {
        const { member, admin, base, workspaceId } = await startWorkspace();
        await importNew(member, base, { name: 'Kept', domains: 'a.example' });
        const { keys } = await system.clients.keys.listKeys({ workspaceId, includeInactive: false });
        const keyId = keys.find(({ label }) => label === 'Dashboard')?.id as string;
        await system.clients.keys.revokeKey({ workspaceId, keyId, actor: 'test', actorAddress: '' });
        await expect.poll(async () => read(await member.get(base))).toContain('Stores is switched off');
        await admin.submit(base.replace(/lists$/, 'stores'), { intent: 'switch_on' });
        expect(await read(await member.get(base))).toContain('Kept');
      });

      it('an import and a new list keep their forms while the gateway is unavailable, which then add each store once and create one list', async () => {
        const { member, base } = await startWorkspace();
        const { list } = await importNew(member, base, { name: 'Kept', domains: 'a.example' });
        const { path } = await send(member, `${list}/import`, { domains: 'b.example,crm-1' });
        const columns = { domain_column: '0', id_column: '1' };
        const token = crypto.randomUUID();
        const create = () => member.submit(`${base}/new`, { token, name: 'New', domains: '' });
        await gateway.refuse();
        const failed = await member.submit(path, columns);
        const html = await failed.text();
        expect([failed.status, html]).toEqual([503, expect.stringContaining('it bills nothing twice')]);
        expect(Object.fromEntries(hiddenIn(html))).toEqual(columns);
        const created = await create();
        expect([created.status, tokenIn(await created.text())]).toEqual([503, token]);
        await gateway.accept();
        expect((await member.submit(path, columns)).status).toBe(302);
        expect(await read(await member.get(list))).toContain('2 stores');
        const location = async () => (await create()).headers.get('location');
        expect(await location()).toBe(await location());
      });
    });
  });
}
