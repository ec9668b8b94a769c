import { chromiumPath, launchBrowser, newPage, openPage, signIn, type Viewport, viewports } from '@shopscope/browser';
import type { Visitor } from '@shopscope/browser/visitor';
import { beforeAll, describe, expect, it } from 'vitest';
import { read } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeImportSteps(shared: () => TestSystem): void {
  describe('import steps', () => {
    let system: TestSystem;

    beforeAll(() => {
      system = shared();
    });

    const tableOf = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example;${n}`).join('\n');
    /** This import needs three calls. One step makes two calls. */
    const large = tableOf(4_500);
    const mapping = { domain_column: '0', id_column: '1' };
    const chromium = chromiumPath(process.env.PATH ?? '');

    async function startWorkspace() {
      const { home: base, ...world } = await startStoresWorkspace(system);
      return { ...world, base };
    }

    const send = async (browser: Visitor, path: string, form: Record<string, string>) => {
      const response = await browser.submit(path, { token: crypto.randomUUID(), ...form });
      return response.headers.get('location') ?? '';
    };
    const watchlistForm = { intent: 'create', signal_types: 'technology_added', technologies: '', domains: '' };

    describe('steps of imports', () => {
      it('a large import and a copy of it go on in steps that a person continues, and say how far they are', async () => {
        const { member, base } = await startWorkspace();
        const path = await send(member, `${base}/lists/new`, { name: 'Many', domains: large });
        await member.submit(path, mapping);
        expect(await read(await member.get(path))).toMatch(/4,000 of 4,500 stores are in the list\./);
        const step = async () => {
          await member.submit(path, mapping);
          return read(await member.get(path));
        };
        await expect.poll(step, { timeout: 60_000 }).toContain('4,500 stores were added');
        const [, listId = ''] = /\/lists\/(lst_\w+)"/.exec(await (await member.get(path)).text()) ?? [];
        const form = { ...watchlistForm, name: 'Rivals', list_id: listId, domains: 'other.example\nno domain' };
        const copy = await send(member, `${base}/watchlists/new`, form);
        expect(copy).toMatch(/\/watchlists\/copies\/[\w-]{22}\?unread=1$/);
        const shown = await read(await member.get(copy));
        for (const text of ['Copy a list into', 'Rivals', '1 line was left out']) expect(shown).toContain(text);
        expect(shown).toMatch(/4,000 of 4,500 stores are in the watchlist\./);
        const copied = async () => {
          expect((await member.submit(copy, {})).headers.get('location')).toBe(copy);
          return (await member.get(copy)).headers.get('location') ?? '';
        };
        await expect.poll(copied, { timeout: 60_000 }).toMatch(/\/watchlists\/wl_\w+\?unread=1$/);
        const watchlist = await copied();
        expect(await read(await member.get(watchlist))).toContain('4,501 stores');
      }, 120_000);

      it('a copy that does not fit into the quota creates nothing, and a copy that no longer fits stops with the message of the API', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const path = await send(member, `${base}/lists/new`, { name: 'Shops', domains: tableOf(150) });
        await member.submit(path, mapping);
        const [, listId = ''] = /\/lists\/(lst_\w+)"/.exec(await (await member.get(path)).text()) ?? [];
        const copies = () =>
          system.db
            .collection('list_imports')
            .find({ workspaceId, copy: { $ne: null } })
            .toArray();
        const create = { ...watchlistForm, name: 'Rivals', list_id: listId, token: crypto.randomUUID() };
        await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'free', actor: 'test' });
        const words =
          'The plan allows 100 watched stores, this workspace has 0, and this would add 150. Nothing was created.';
        await expect.poll(async () => read(await member.submit(`${base}/watchlists/new`, create))).toContain(words);
        expect(await read(await member.get(`${base}/watchlists`))).toContain('No watchlists yet');
        await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor: 'test' });
        await expect.poll(async () => (await member.submit(`${base}/watchlists/new`, create)).status).toBe(302);
        const [copy] = await copies();
        await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'free', actor: 'test' });
        // The gateways know the plan when they refuse a second watchlist.
        const other = () => ({ ...watchlistForm, name: 'Other', list_id: '', token: crypto.randomUUID() });
        await expect.poll(async () => (await member.submit(`${base}/watchlists/new`, other())).status).toBe(400);
        const again = await member.submit(`${base}/watchlists/new`, create);
        expect([again.status, (await copies()).length]).toEqual([302, 1]);
        // Somebody adds to the list while the copy goes on.
        const rest = { 'copy.rest': '', sent: 0 };
        await system.db.collection('list_imports').updateOne({ _id: copy?._id as never }, { $set: rest });
        await send(member, `${base}/lists/${listId}`, { intent: 'add', domain: 'new.example', external_id: '' });
        const copyPath = `${base}/watchlists/copies/${copy?._id}`;
        expect(await read(await member.submit(copyPath, {}))).toContain('watched_stores');
        expect(await read(await member.get(copyPath))).toContain('0 of 150 stores are in the watchlist.');
      }, 60_000);

      it.skipIf(!chromium)(
        'in a browser the steps follow each other until all stores are added',
        async () => {
          const { ann, admin, base } = await startWorkspace();
          const path = await send(admin, `${base}/lists/new`, { name: 'Many', domains: large });
          const browser = await launchBrowser(chromium as string);
          try {
            const page = await newPage(browser, viewports[0] as Viewport);
            await signIn(page, system.url, ann);
            await openPage(page, system.url + path);
            await page.getByRole('button', { name: 'Import 4,500 stores' }).click();
            await page.getByText('4,500 stores were added').waitFor({ timeout: 60_000 });
            await page.getByRole('link', { name: 'Open the list' }).click();
            await page.getByRole('link', { name: 'Watch', exact: true }).click();
            // The page of the list has a field with this label, too.
            await page.getByRole('heading', { name: 'New watchlist' }).waitFor();
            await page.getByLabel('Name', { exact: true }).fill('Rivals');
            await page.getByRole('button', { name: 'Create watchlist' }).click();
            await page.waitForURL(/\/watchlists\/wl_\w+$/, { timeout: 60_000 });
            await page.getByRole('heading', { name: 'Rivals' }).waitFor();
            expect(await page.textContent('main')).toContain('4,500 stores');
          } finally {
            await browser.close();
          }
        },
        180_000,
      );
    });
  });
}
