import type { Visitor } from '@shopscope/browser/visitor';
import { JobState, KeyStatus, KeyUse } from '@shopscope/proto';
import { beforeAll, describe, expect, it } from 'vitest';
import { unseal } from '../../src/keys/domain/sealed-text.ts';
import type { TestGateway } from './support/gateway.ts';
import { read, textOf, tokenIn } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeStores(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('stores', () => {
    let system: TestSystem;
    let gateway: TestGateway;

    beforeAll(() => {
      system = shared();
      gateway = sharedGateway();
      gateway.addStore('fresh.example');
      gateway.addStore('stale.example', {}, Date.now() - 30 * 86_400_000);
    });

    const startWorkspace = () => startStoresWorkspace(system);

    const tokenOf = async (browser: Visitor, path: string) => tokenIn(await (await browser.get(path)).text());

    async function lookUp(browser: Visitor, base: string, domain: string, token?: string) {
      const sent = { domain, token: token ?? (await tokenOf(browser, base)) };
      const response = await browser.submit(base, sent);
      return { status: response.status, place: response.headers.get('location') ?? '', token: sent.token, response };
    }

    const keysOf = async (workspaceId: string) =>
      (await system.clients.keys.listKeys({ workspaceId, includeInactive: true })).keys;

    /** What /v1/usage says of the workspace's keys, as soon as everything is counted. */
    async function usageOf(workspaceId: string) {
      const secret = await secretOf(workspaceId);
      const answer = await fetch(`${gateway.internalUrl}/v1/usage`, { headers: { Authorization: `Bearer ${secret}` } });
      const body = (await answer.json()) as { by_key: { label: string; used: Record<string, number> }[] };
      return body.by_key;
    }

    async function secretOf(workspaceId: string): Promise<string> {
      const found = await system.db.collection('dashboard_keys').findOne({ _id: workspaceId as never });
      return unseal(system.secret, workspaceId, found?.sealed.buffer) as string;
    }

    const used = (lookup_cached: number, lookup_live = 0) => [
      { label: 'Dashboard', used: { history_query: 0, lookup_cached, lookup_live, refresh_requested: 0 } },
    ];
    const expectUsage = (workspaceId: string, expected: ReturnType<typeof used>) =>
      expect.poll(() => usageOf(workspaceId)).toMatchObject(expected);

    describe('look-ups', () => {
      it('a look-up says in advance what it bills, bills once under the key Dashboard, and shows the profile', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const form = await read(await member.get(base));
        expect(form).toContain('A known store bills 1 cached look-up, an unknown domain nothing.');
        expect(form).toContain('250,000 of 250,000 cached look-ups are left');
        expect(await keysOf(workspaceId)).toEqual([]);

        const { status, place } = await lookUp(member, base, 'https://www.Fresh.example/products?x=1');
        expect([status, place]).toEqual([302, expect.stringMatching(/\/stores\/fresh\.example\?lookup=[\w-]{22}$/)]);
        const page = await read(await member.get(place));
        for (const text of [
          ...['Shop of fresh.example', 'Trading', 'Shopify', 'High confidence', 'Germany', 'Home garden'],
          ...[
            'fresh for your plan',
            'Analytics',
            'Matomo',
            'Reviews',
            'Judge.me',
            'Set up',
            'January 2026',
            'Added Matomo',
          ],
          ...[
            'Half of the products cost €24.50 to €69.00',
            '184',
            'the first page',
            'saw everything',
            'billed 1 cached look-up',
          ],
        ]) {
          expect(page).toContain(text);
        }
        const keys = await keysOf(workspaceId);
        expect(keys).toMatchObject([{ label: 'Dashboard', use: KeyUse.DASHBOARD, status: KeyStatus.ACTIVE }]);
        await expectUsage(workspaceId, used(1));
      });

      it('the page of a generated store says that the store is generated, and that of another store does not', async () => {
        const { member, base } = await startWorkspace();
        gateway.addStore('demo-0001.example');
        const [generated, other] = await Promise.all(
          ['demo-0001.example', 'fresh.example'].map(async (domain) =>
            read(await member.get((await lookUp(member, base, domain)).place)),
          ),
        );
        expect(generated).toMatch(/This store is generated .* It does not exist, and its scans are invented\./);
        expect(other).not.toContain('is generated');
      });

      it('a look-up is answered from the stored result when its page is opened or its form is sent again, and bills nothing again', async () => {
        const { member, admin, base, workspaceId } = await startWorkspace();
        const first = await lookUp(member, base, 'fresh.example');
        for (let n = 0; n < 3; n++) expect((await member.get(first.place)).status).toBe(200);
        expect((await lookUp(member, base, 'fresh.example', first.token)).place).toBe(first.place);
        // Another member sees it too.
        expect(await read(await admin.get(first.place))).toContain('Shop of fresh.example');
        // The stored response is lost: the API repeats it.
        await system.db.collection('store_lookups').deleteMany({ workspaceId });
        expect((await lookUp(member, base, 'fresh.example', first.token)).place).toBe(first.place);
        expect(await read(await member.get(first.place))).toContain('Shop of fresh.example');
        await expectUsage(workspaceId, used(1));
        // A new form is a new look-up.
        expect((await lookUp(member, base, 'fresh.example')).place).not.toBe(first.place);
        await expectUsage(workspaceId, used(2));
      });

      it('a look-up that is sent twice at the same time bills once', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const token = await tokenOf(member, base);
        const answers = await Promise.all([1, 2, 3].map(() => lookUp(member, base, 'fresh.example', token)));
        expect(new Set(answers.map(({ place }) => place)).size).toBe(1);
        expect((await keysOf(workspaceId)).filter(({ status }) => status === KeyStatus.ACTIVE)).toHaveLength(1);
        await expectUsage(workspaceId, used(1));
      });

      it('a look-up of a domain that is not in the corpus bills nothing, and says that this is not evidence', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const { place } = await lookUp(member, base, 'unknown.example');
        const page = await read(await member.get(place));
        for (const text of [
          'Not in the corpus',
          'not evidence that it is not a shop',
          'billed nothing',
          'Request a scan',
        ]) {
          expect(page).toContain(text);
        }
        await expectUsage(workspaceId, used(0));
      });

      it.each([
        ['', 'Enter the domain of a store'],
        ['not a domain', 'This is not a domain'],
        ['127.0.0.1', 'not an IP address'],
        ['com', 'the ending of domains'],
      ])('a look-up of "%s" is refused at the field, and bills nothing', async (domain, words) => {
        const { member, base, workspaceId } = await startWorkspace();
        const { status, response, token } = await lookUp(member, base, domain);
        const html = await response.text();
        expect([status, textOf(html)]).toEqual([400, expect.stringContaining(words)]);
        expect(html).toContain('aria-invalid="true"');
        // The token stays, so that the corrected form is the same form.
        expect(tokenIn(html)).toBe(token);
        expect(await keysOf(workspaceId)).toEqual([]);
      });

      it('a look-up without a stored response leads to the form, which is filled in', async () => {
        const { member, base } = await startWorkspace();
        const response = await member.get(`${base}/fresh.example`);
        expect([response.status, response.headers.get('location')]).toEqual([302, `${base}?domain=fresh.example`]);
        expect(await (await member.get(`${base}?domain=fresh.example`)).text()).toContain('value="fresh.example"');
      });

      it('a look-up cannot be read from another workspace, nor under another domain', async () => {
        const own = await startWorkspace();
        const { place } = await lookUp(own.member, own.base, 'fresh.example');
        const id = place.split('=')[1];
        const other = await startWorkspace();
        for (const [browser, path] of [
          [other.member, place],
          [other.member, `${other.base}/fresh.example?lookup=${id}`],
          [own.member, `${own.base}/stale.example?lookup=${id}`],
          [own.member, `${own.base}/fresh.example?lookup=no-such-answer`],
        ] as const) {
          expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
        }
        // The same token in another workspace is another look-up.
        const { place: theirs } = await lookUp(
          other.member,
          other.base,
          'fresh.example',
          await tokenOf(own.member, own.base),
        );
        expect(theirs).toContain(other.workspaceId);
      });

      it('a look-up of a profile in an unknown form counts as answered, says what it billed, and is not shown as unknown', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        gateway.addStore('odd.example', { status: { state: 'active_storefront', as_of: 'no time' } });
        const { status, place } = await lookUp(member, base, 'odd.example');
        expect(status).toBe(302);
        const page = await read(await member.get(place));
        expect(page).toContain('Answered, but this page cannot draw it');
        expect(page).toContain('billed 1 cached look-up');
        expect(page).not.toContain('Not in the corpus');
        expect(await read(await member.get(base))).toContain('Answered, but its page cannot draw it');
        await expectUsage(workspaceId, used(1));
      });

      it('the page of a look-up says that this version does not know the form in which another version stored the profile', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const { place } = await lookUp(member, base, 'fresh.example');
        await system.db
          .collection('store_lookups')
          .updateOne({ workspaceId }, { $set: { store: '{"domain":"fresh.example"}' } });
        const response = await member.get(place);
        expect([response.status, await read(response)]).toEqual([
          200,
          expect.stringContaining('this page cannot draw it'),
        ]);
      });

      it('a look-up that the API did not take for a domain is not called unknown', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const { place } = await lookUp(member, base, 'unknown.example');
        await system.db.collection('store_lookups').updateOne({ workspaceId }, { $set: { match: 'error' } });
        const page = await read(await member.get(place));
        expect(page).toContain('Not a domain');
        expect(page).not.toContain('Not in the corpus');
        expect(page).not.toContain('Request a scan');
      });

      it('a look-up of a store with a hostile name shows the name as text', async () => {
        const { member, base } = await startWorkspace();
        const name = `<script>alert(1)</script>\u202Egnp.${'x'.repeat(10_000)}`;
        const [technology] = [{ name: '"><img src=x onerror=alert(1)>', slug: 'x', category: '<b>' }];
        const at = '2026-01-15T11:58:41.000Z';
        const confirmed = { confidence: 'high', first_observed_at: at, last_confirmed_at: at, install_state: 'active' };
        gateway.addStore('hostile.example', { name, technologies: [{ ...technology, ...confirmed }] });
        const { place } = await lookUp(member, base, 'hostile.example');
        const html = await (await member.get(place)).text();
        const body = html.replaceAll(/<script[^>]*nonce[\s\S]*?<\/script>/g, '');
        expect(body).not.toContain('<script>alert');
        expect(body).not.toContain('<img src=x');
        expect(body).not.toContain('\u202E');
        expect(body).not.toContain('x'.repeat(300));
        expect(body).toContain('&lt;script&gt;alert(1)');
      });
    });

    describe('scans', () => {
      const request = async (browser: Visitor, base: string, domain: string, token?: string) => {
        const path = `${base}/${domain}/scan`;
        const sent = token ?? (await tokenOf(browser, path));
        const response = await browser.submit(path, { token: sent });
        return { status: response.status, place: response.headers.get('location') ?? '', token: sent };
      };

      it('a scan of an unknown domain is billed once, even when its form is sent again, and is followed to its end', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        expect(await read(await member.get(`${base}/new.example/scan`))).toContain('bills 1 live look-up');
        const first = await request(member, base, 'new.example');
        expect(first.place).toMatch(/\/stores\/scans\/job_[0-9a-z]+$/);
        expect((await request(member, base, 'new.example', first.token)).place).toBe(first.place);
        expect(await read(await member.get(first.place))).toContain('The scan waits for its turn');
        await expectUsage(workspaceId, used(0, 1));

        const job = gateway.jobs.get(first.place.split('/').at(-1) ?? '');
        if (!job) throw new Error('no job');
        const status = async () =>
          ((await (await member.get(`${first.place}/status`)).json()) as { scan: object }).scan;
        Object.assign(job, { state: JobState.RUNNING, attempts: 1, startedAtMs: Date.now() });
        expect(await status()).toMatchObject({ state: 'running', attempts: 1 });
        Object.assign(job, {
          state: JobState.FAILED,
          finishedAtMs: Date.now(),
          errorMessage: 'The store did not respond in time.',
        });
        expect(await read(await member.get(first.place))).toContain('The store did not respond in time.');
        Object.assign(job, { state: JobState.SUCCEEDED, errorMessage: '' });
        expect(await read(await member.get(first.place))).toContain('The scan has succeeded');
        expect(await status()).toMatchObject({ state: 'succeeded', domain: 'new.example' });
      });

      it('a scan is offered on a stale profile, and bills the profile too', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const { place } = await lookUp(member, base, 'stale.example');
        const page = await read(await member.get(place));
        expect(page).toContain('stale for your plan');
        expect(page).toContain('Scan again');
        expect((await request(member, base, 'stale.example')).place).toContain('/stores/scans/job_');
        await expectUsage(workspaceId, used(2, 1));
      });

      it('a scan of a profile that is fresh shows the profile instead', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const { place } = await request(member, base, 'fresh.example');
        expect(await read(await member.get(place))).toContain('Shop of fresh.example');
        await expectUsage(workspaceId, used(1));
      });

      it('a scan cannot be read from another workspace', async () => {
        const own = await startWorkspace();
        const { place } = await request(own.member, own.base, 'theirs.example');
        const other = await startWorkspace();
        const jobId = place.split('/').at(-1);
        for (const path of [place, `${other.base}/scans/${jobId}`, `${other.base}/scans/${jobId}/status`]) {
          expect([path, (await other.member.get(path)).status]).toEqual([path, 404]);
        }
      });
    });

    describe('key Dashboard', () => {
      it('the key Dashboard works at the internal listener only, where keys of people work too', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        await lookUp(member, base, 'fresh.example');
        const ask = async (url: string, key: string) =>
          (await fetch(`${url}/v1/account`, { headers: { Authorization: `Bearer ${key}` } })).status;
        const own = await secretOf(workspaceId);
        expect([await ask(gateway.url, own), await ask(gateway.internalUrl, own)]).toEqual([401, 200]);
        const by = { actor: 'test', actorAddress: '', requestToken: '' };
        const made = { workspaceId, label: 'Import job', preset: 'full', scopes: [], expiresAtMs: undefined };
        const { secret } = await system.clients.keys.createKey({ ...made, ...by });
        expect([await ask(gateway.url, secret), await ask(gateway.internalUrl, secret)]).toEqual([200, 200]);
      });

      it('the key Dashboard is stored encrypted, and is replaced once when its secret was lost', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        await lookUp(member, base, 'fresh.example');
        const secret = await secretOf(workspaceId);
        const stored = system.db.collection('dashboard_keys');
        expect(JSON.stringify(await stored.findOne({ _id: workspaceId as never }))).not.toContain(secret.slice(9));
        await stored.deleteOne({ _id: workspaceId as never });
        expect((await lookUp(member, base, 'fresh.example')).status).toBe(302);
        const keys = await keysOf(workspaceId);
        expect(keys.map(({ status }) => status).toSorted()).toEqual([KeyStatus.ACTIVE, KeyStatus.REVOKED].toSorted());
        expect(await secretOf(workspaceId)).not.toBe(secret);
      });

      it('the key Dashboard is the dashboard’s own in the lists: people can revoke it and not rotate it', async () => {
        const { member, admin, base, workspaceId } = await startWorkspace();
        await lookUp(member, base, 'fresh.example');
        const [key] = await keysOf(workspaceId);
        const settings = `/workspaces/${workspaceId}/settings/keys`;
        expect(await read(await admin.get(settings))).toContain('own, for Stores');
        const page = await (await admin.get(`${settings}/${key?.id}`)).text();
        expect(page).not.toContain(`${key?.id}/rotate"`);
        expect((await admin.get(`${settings}/${key?.id}/rotate`)).status).toBe(409);
        expect((await admin.get(`${settings}/new?rotate=${key?.id}`)).status).toBe(409);
      });

      it('the key Dashboard stays off when somebody has revoked it, until an admin switches it on again', async () => {
        const { ann, member, admin, base, workspaceId } = await startWorkspace();
        // The first key needs no recent sign-in: nobody sees its secret.
        await system.db
          .collection('session')
          .updateMany({}, { $set: { createdAt: new Date(Date.now() - 16 * 60_000) } });
        expect((await lookUp(member, base, 'fresh.example')).status).toBe(302);
        const [key] = await keysOf(workspaceId);
        await system.clients.keys.revokeKey({ workspaceId, keyId: key?.id ?? '', actor: ann.id, actorAddress: '' });
        expect(await read(await member.get(base))).toContain('Stores is switched off for this workspace');
        const refused = await lookUp(member, base, 'fresh.example');
        expect([refused.status, await read(refused.response)]).toEqual([
          409,
          expect.stringContaining('Nothing was billed'),
        ]);
        expect((await member.submit(base, { intent: 'switch_on' })).status).toBe(403);
        await system.ageSignIns(ann.id);
        const old = await admin.submit(base, { intent: 'switch_on' });
        expect([old.status, (await old.text()).includes(`/confirm?next=${encodeURIComponent(base)}`)]).toEqual([
          401,
          true,
        ]);
        expect(await keysOf(workspaceId)).toHaveLength(1);
        await admin.submit(`/confirm?next=${base}`, { password: system.password });
        expect((await admin.submit(base, { intent: 'switch_on' })).headers.get('location')).toBe(base);
        expect((await lookUp(member, base, 'fresh.example')).status).toBe(302);
        const { entries } = await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 2 });
        expect(entries[0]).toMatchObject({ action: 'key.created', actor: ann.id, detail: 'Dashboard' });
      });

      it('the refusal of the gateway shows that the key Dashboard was revoked without the dashboard’s knowledge', async () => {
        const { ann, member, base, workspaceId } = await startWorkspace();
        await lookUp(member, base, 'fresh.example');
        const token = await tokenOf(member, base);
        const [key] = await keysOf(workspaceId);
        await system.clients.keys.revokeKey({ workspaceId, keyId: key?.id ?? '', actor: ann.id, actorAddress: '' });
        const own = await secretOf(workspaceId);
        const asked = () => fetch(`${gateway.internalUrl}/v1/account`, { headers: { Authorization: `Bearer ${own}` } });
        await expect.poll(async () => (await asked()).status).toBe(401);
        const refused = await lookUp(member, base, 'stale.example', token);
        expect([refused.status, await read(refused.response)]).toEqual([409, expect.stringContaining('revoked')]);
        expect(await keysOf(workspaceId)).toHaveLength(1);
      });
    });

    describe('failures of other services', () => {
      it('a look-up while the gateway is unavailable says that the form can be sent again, which bills once', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        await lookUp(member, base, 'fresh.example');
        const token = await tokenOf(member, base);
        await gateway.refuse();
        const failed = await lookUp(member, base, 'stale.example', token);
        expect([failed.status, await read(failed.response)]).toEqual([
          503,
          expect.stringContaining('bills nothing twice'),
        ]);
        await gateway.accept();
        expect((await lookUp(member, base, 'stale.example', token)).status).toBe(302);
        await expectUsage(workspaceId, used(2));
      });

      it('a look-up without allowance is refused with the message of the API', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        await system.clients.keys.createPlan({
          actor: 'test',
          plan: {
            slug: 'tiny',
            rpm: 600,
            concurrency: 5,
            enrichBatchMax: 10,
            freshnessDays: 7,
            historyDays: 30,
            included: { lookupCached: 1, lookupLive: 0, historyQuery: 0, refreshRequested: 0 },
            quotas: undefined,
          },
        });
        await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: 'tiny', actor: 'test' });
        await lookUp(member, base, 'fresh.example');
        const refused = await lookUp(member, base, 'fresh.example');
        expect([refused.status, await read(refused.response)]).toEqual([402, expect.stringContaining('lookup_cached')]);
        await expectUsage(workspaceId, used(1));
      });
    });
  });
}
