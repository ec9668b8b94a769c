import type { Visitor } from '@shopscope/browser/visitor';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from './support/gateway.ts';
import { hiddenIn, read, tokenIn } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeWatchlists(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('watchlists', () => {
    let system: TestSystem;
    let gateway: TestGateway;

    beforeAll(() => {
      system = shared();
      gateway = sharedGateway();
    });

    async function startWorkspace(planSlug?: string) {
      const { home: workspace, ...world } = await startStoresWorkspace(system, planSlug);
      return { ...world, workspace, base: `${workspace}/watchlists` };
    }

    const allTypes = 'technology_added';
    const tokenOf = async (browser: Visitor, path: string) => tokenIn(await (await browser.get(path)).text());

    async function create(browser: Visitor, base: string, fields: Record<string, string> = {}) {
      const form = {
        intent: 'create',
        name: 'Rivals',
        signal_types: allTypes,
        technologies: '',
        domains: '',
        list_id: '',
      };
      const token = fields.token ?? (await tokenOf(browser, `${base}/new`));
      const response = await browser.submit(`${base}/new`, { ...form, ...fields, token });
      return { response, path: response.headers.get('location') ?? '' };
    }

    const refusal = async (response: Response) => [response.status, await read(response)] as const;
    const domainsOf = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example`).join('\n');

    describe('watchlists', () => {
      it('a member creates one watchlist from a pasted text, even when the form is sent again', async () => {
        const { member, admin, base } = await startWorkspace();
        expect(await read(await member.get(base))).toContain('No watchlists yet');
        const token = crypto.randomUUID();
        const fields = {
          token,
          domains: 'https://www.a.example/\nb.example\nno domain',
          technologies: 'klaviyo, yotpo',
        };
        const [first, again] = [await create(member, base, fields), await create(member, base, fields)];
        expect(first.path).toMatch(/\/watchlists\/wl_\w+\?unread=1$/);
        expect(again.path).toBe(first.path);
        const page = await read(await admin.get(first.path));
        for (const text of ['Rivals', 'Active', '2 stores', '1 of 5 kinds', 'only of klaviyo, yotpo', 'a.example']) {
          expect(page).toContain(text);
        }
        expect(page).toContain('1 line was left out');
        expect(await read(await admin.get(base))).toMatch(/Rivals .*Active/);
      });

      it('a watchlist copies the stores of a list with their ids', async () => {
        const { member, base, workspace } = await startWorkspace();
        const token = crypto.randomUUID();
        const list = (await member.submit(`${workspace}/lists/new`, { token, name: 'Prospects', domains: '' })).headers;
        const listPath = list.get('location') ?? '';
        const empty = await create(member, base, { list_id: listPath.split('/').at(-1) ?? '' });
        expect(await read(await member.get(empty.path))).toContain('0 stores');
        await member.submit(listPath, { intent: 'add', domain: 'a.example', external_id: 'crm-1' });
        const { path } = await create(member, base, {
          list_id: listPath.split('/').at(-1) ?? '',
          domains: 'b.example',
        });
        const page = await read(await member.get(path));
        for (const text of ['2 stores', 'a.example', 'crm-1', 'b.example']) expect(page).toContain(text);
      });

      it('the page of a store leads to a form that adds the store to a watchlist', async () => {
        const { member, base } = await startWorkspace();
        const { path } = await create(member, base);
        const form = await read(await member.get(`${base}/new?domain=shop.example`));
        for (const text of ['Watch shop.example', 'Add it to a watchlist', 'Rivals']) expect(form).toContain(text);
        const added = { intent: 'add', domain: 'shop.example', watchlist_id: path.split('/').at(-1) ?? '' };
        expect((await member.submit(`${base}/new`, added)).headers.get('location')).toBe(path);
        expect(await read(await member.get(path))).toContain('shop.example');
      });

      it('a form that the API or the quota refuses creates nothing, and keeps what was typed', async () => {
        const { member, base } = await startWorkspace('free');
        const refused: [Record<string, string>, string][] = [
          [{ technologies: 'klavio' }, 'near ones: klaviyo'],
          [{ signal_types: '' }, 'must be one of'],
          [
            { domains: domainsOf(101) },
            'The plan allows 100 watched stores, this workspace has 0, and this would add 101. Nothing was created.',
          ],
          [{ domains: 'no domain' }, 'No line has a domain.'],
          [{ list_id: 'lst_unknown' }, 'The workspace has no such list.'],
        ];
        for (const [fields, text] of refused) {
          const [status, page] = await refusal((await create(member, base, fields)).response);
          expect([fields, [400, 404].includes(status), page]).toEqual([fields, true, expect.stringContaining(text)]);
        }
        expect(await read(await member.get(base))).toContain('No watchlists yet');
      });

      it('only an admin switches rescans on and off, the audit log shows both, and the page says how far the units of the month reach', async () => {
        const { member, admin, base, workspace } = await startWorkspace('starter');
        const { path } = await create(member, base, { domains: domainsOf(1_000) });
        const shown = await read(await admin.get(path));
        expect(shown).toContain('500 units rescan 500 of 1,000 stores a month; 2 months for all.');
        expect(shown).toContain('Every 62 days fits the units of a month: about 500 units.');
        const rescans = { intent: 'rescans', rescan_interval_days: '62', budget: '' };
        expect((await member.submit(path, rescans)).status).toBe(403);
        expect(await read(await member.get(path))).toContain('Only admins of this workspace switch rescans on');
        const [status, text] = await refusal(await admin.submit(path, { ...rescans, rescan_interval_days: '2' }));
        expect([status, text]).toEqual([
          400,
          expect.stringContaining('must be at least 14, the freshness_days of the plan'),
        ]);
        expect((await admin.submit(path, { ...rescans, budget: '300' })).headers.get('location')).toBe(path);
        const on = await read(await member.get(path));
        for (const part of ['Every 62 days', 'Next rescan', '300 units']) expect(on).toContain(part);
        expect((await member.submit(path, { intent: 'end_rescans' })).status).toBe(403);
        await member.submit(path, { intent: 'pause' });
        const paused = await read(await member.get(path));
        expect(paused).toContain('Only admins of this workspace can resume it');
        expect(paused).not.toMatch(/ Resume /);
        expect((await member.submit(path, { intent: 'resume' })).status).toBe(403);
        expect((await admin.submit(path, { intent: 'resume' })).headers.get('location')).toBe(path);
        await admin.submit(path, { intent: 'end_rescans' });
        expect(await read(await admin.get(path))).toContain('Switch rescans on');
        const log = await read(await admin.get(`${workspace}/settings/audit-log`));
        expect(log).toContain('every 62 days, at most 300 units a month');
        expect(log).toMatch(/Switched off the rescans of a watchlist.*Set the rescans of a watchlist/);
      });

      it('rescans of a revoked key pause with a banner, and an admin resumes them by setting the interval again', async () => {
        const { member, admin, base, workspaceId } = await startWorkspace();
        const { path } = await create(member, base, { domains: 'a.example' });
        const rescans = { intent: 'rescans', rescan_interval_days: '30', budget: '' };
        await admin.submit(path, rescans);
        const { keys } = await system.clients.keys.listKeys({ workspaceId, includeInactive: false });
        const keyId = keys.find(({ label }) => label === 'Dashboard')?.id as string;
        await system.clients.keys.revokeKey({ workspaceId, keyId, actor: 'test', actorAddress: '' });
        await expect.poll(async () => read(await member.get(base))).toContain('Stores is switched off');
        await admin.submit(`${base.replace(/watchlists$/, 'stores')}`, { intent: 'switch_on' });
        const paused = 'Rescans are paused';
        await expect.poll(async () => read(await admin.get(base)), { timeout: 60_000 }).toContain(paused);
        expect(await read(await admin.get(path))).toContain('Set the interval again to resume them.');
        expect(await read(await member.get(path))).toContain('An admin of this workspace resumes them');
        await admin.submit(path, rescans);
        for (const place of [base, path]) expect(await read(await admin.get(place))).not.toContain(paused);
      });

      it('a watchlist is paused, resumed and changed, loses stores, and is deleted by its name', async () => {
        const { member, base } = await startWorkspace();
        const { path } = await create(member, base, { domains: 'a.example\nb.example' });
        await member.submit(path, { intent: 'pause' });
        expect(await read(await member.get(path))).toContain('This watchlist is paused');
        await member.submit(path, { intent: 'resume' });
        const settings = { intent: 'change', name: 'Others', signal_types: 'platform_changed', technologies: '' };
        await member.submit(path, settings);
        const changed = await read(await member.get(path));
        for (const text of ['Others', 'Active', 'all technologies']) expect(changed).toContain(text);
        const domains = `domain,id\nc.example,1\nno domain,2\nd.example,${'x'.repeat(201)}`;
        const added = await member.submit(path, { intent: 'add', domains });
        expect(await read(added)).toContain(
          '1 store is in the watchlist. 2 lines were left out. A line needs a domain',
        );
        await member.submit(path, { intent: 'remove', stores: 'a.example' });
        const left = await read(await member.get(path));
        expect(left).toContain('2 stores');
        expect(left).not.toContain('a.example');
        const [status, text] = await refusal(await member.submit(`${path}/delete`, { name: 'Rivals' }));
        expect([status, text]).toEqual([400, expect.stringContaining('Enter the name of this watchlist')]);
        expect((await member.submit(`${path}/delete`, { name: 'Others' })).headers.get('location')).toBe(base);
        expect((await member.get(path)).status).toBe(404);
      });

      it('a watchlist of another workspace is found by nobody', async () => {
        const own = await startWorkspace();
        const { path } = await create(own.member, own.base, { domains: 'a.example' });
        const other = await startWorkspace();
        for (const place of [path, `${other.base}/${path.split('/').at(-1)}`]) {
          for (const page of ['', '/delete']) expect((await other.admin.get(place + page)).status).toBe(404);
          for (const [page, form] of [
            ['', { intent: 'add', domains: 'b.example' }],
            ['', { intent: 'pause' }],
            ['', { intent: 'rescans', rescan_interval_days: '30', budget: '' }],
            ['/delete', { name: 'Rivals' }],
          ] as const) {
            expect((await other.admin.submit(place + page, form)).status).toBe(404);
          }
        }
        expect(await read(await own.member.get(path))).toMatch(/Rivals .*Active/);
      });

      it('a form of a watchlist keeps every field while the gateway is unavailable, and then creates one watchlist', async () => {
        const { member, base } = await startWorkspace();
        const form: [string, string][] = [
          ['intent', 'create'],
          ['token', crypto.randomUUID()],
          ['name', 'Rivals'],
          ['signal_types', 'technology_added'],
          ['signal_types', 'technology_removed'],
          ['technologies', ''],
          ['domains', ''],
        ];
        const send = async (fields: [string, string][]) => {
          const headers = { Origin: new URL(system.url).origin };
          return member.request(`${base}/new`, { method: 'POST', body: new URLSearchParams(fields), headers });
        };
        await gateway.refuse();
        const failed = await send(form);
        const html = await failed.text();
        expect([failed.status, html]).toEqual([503, expect.stringContaining('Send the form again')]);
        expect(hiddenIn(html)).toEqual(form);
        await gateway.accept();
        const again = async () => (await send(hiddenIn(html))).headers.get('location');
        const place = await again();
        expect(place).toMatch(/\/watchlists\/wl_\w+$/);
        expect(await again()).toBe(place);
      });
    });
  });
}
