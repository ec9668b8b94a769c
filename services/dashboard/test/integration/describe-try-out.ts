import type { Visitor } from '@shopscope/browser/visitor';
import { beforeAll, describe, expect, it } from 'vitest';
import { unseal } from '../../src/keys/domain/sealed-text.ts';
import type { TestGateway } from './support/gateway.ts';
import { read, tokenIn } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeTryOut(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('try out', () => {
    let system: TestSystem;
    let gateway: TestGateway;

    beforeAll(() => {
      system = shared();
      gateway = sharedGateway();
      gateway.addStore('fresh.example');
      gateway.addStore('long.example', { name: 'x'.repeat(100_000) });
    });

    async function startWorkspace() {
      const workspace = await startStoresWorkspace(system);
      return { ...workspace, path: (id: string) => `/workspaces/${workspace.workspaceId}/try/${id}` };
    }

    const tokenOf = async (browser: Visitor, path: string) => tokenIn(await (await browser.get(path)).text());

    async function send(browser: Visitor, path: string, form: Record<string, string>, token?: string) {
      const response = await browser.submit(path, { token: token ?? (await tokenOf(browser, path)), ...form });
      const html = await response.text();
      return { status: response.status, html, text: await read(new Response(html)) };
    }

    async function secretOf(workspaceId: string): Promise<string> {
      const found = await system.db.collection('dashboard_keys').findOne({ _id: workspaceId as never });
      return unseal(system.secret, workspaceId, found?.sealed.buffer) as string;
    }

    async function usageOf(workspaceId: string) {
      const headers = { Authorization: `Bearer ${await secretOf(workspaceId)}` };
      const answer = await fetch(`${gateway.internalUrl}/v1/usage`, { headers });
      const { by_key } = (await answer.json()) as { by_key: { used: Record<string, number> }[] };
      return by_key.map(({ used }) => [used.lookup_cached, used.lookup_live]);
    }
    const expectUsage = (workspaceId: string, expected: number[][]) =>
      expect.poll(() => usageOf(workspaceId)).toEqual(expected);

    const store = { parameter_domain: 'https://www.fresh.example/a?b=c', confirm: 'yes' };

    describe('try-out', () => {
      it('a tried operation says in advance what it bills, needs a tick, and shows status, headers, body and curl, but no key', async () => {
        const { member, path, workspaceId } = await startWorkspace();
        const form = await read(await member.get(path('getStore')));
        expect(form).toContain('One lookup_cached on 200; 304 and 404 are free.');
        expect(form).toContain('250,000 of 250,000 cached look-ups are left');

        const refused = await send(member, path('getStore'), { ...store, confirm: '' });
        expect(refused.status).toBe(400);
        expect(refused.text).toContain('Nothing was sent. Agree to what the request bills.');
        // Nothing was sent, so the workspace has no key yet.
        expect((await system.clients.keys.listKeys({ workspaceId, includeInactive: true })).keys).toEqual([]);

        const { status, html, text } = await send(member, path('getStore'), store);
        expect(status).toBe(200);
        for (const part of ['200', 'x-usage-remaining', 'Shop of fresh.example', 'This request in the log']) {
          expect(text).toContain(part);
        }
        const command = 'curl http://127.0.0.1:8080/v1/stores/https%3A%2F%2Fwww.fresh.example%2Fa%3Fb%3Dc';
        expect(text).toContain(command);
        expect(text).toContain('$SHOPSCOPE_API_KEY');
        expect(html).not.toContain(await secretOf(workspaceId));
        expect(html).not.toContain('svc_live_');
        await expectUsage(workspaceId, [[1, 0]]);
      });

      it('a tried operation that is a POST is billed once, however often and concurrently its form is sent', async () => {
        const { admin, path, workspaceId } = await startWorkspace();
        const token = await tokenOf(admin, path('enrichStores'));
        const form = { body: '{"domains":["fresh.example","new.example"],"refresh":true}', confirm: 'yes' };
        const answers = await Promise.all([1, 2, 3].map(() => send(admin, path('enrichStores'), form, token)));
        answers.push(await send(admin, path('enrichStores'), form, token));
        const jobs = answers.map(({ text }) => /job_[0-9a-z]{20,}/.exec(text)?.[0]);
        expect(jobs[0]).toBeDefined();
        expect(new Set(jobs).size).toBe(1);
        expect(answers.at(-1)?.text).toContain('idempotent-replayed');
        await expectUsage(workspaceId, [[1, 1]]);
        // Another body under the same token is another request.
        await send(admin, path('enrichStores'), { ...form, body: '{"domains":["fresh.example"]}' }, token);
        await expectUsage(workspaceId, [[2, 1]]);
      });

      it('a tried operation that is free needs no tick, and the API says what is wrong with a value', async () => {
        const { member, path } = await startWorkspace();
        expect((await send(member, path('getAccount'), {})).text).toContain(
          '&quot;environment&quot;: &quot;live&quot;',
        );
        const { status, text } = await send(member, path('listTechnologies'), { parameter_limit: '500' });
        expect(status).toBe(200);
        expect(text).toContain('400');
        expect(text).toContain('must be a whole number from 1 to 200');
        const body = await send(member, path('enrichStores'), { body: '{"domains":', confirm: 'yes' });
        expect(body.text).toContain('invalid_request');
      });

      it.each(['', ' ', '.', '..'])(
        'a tried operation refuses %j as the value of a path before it sends anything',
        async (value) => {
          const { member, path } = await startWorkspace();
          const { status, html } = await send(member, path('getStore'), { ...store, parameter_domain: value });
          expect(status).toBe(400);
          expect(html).toMatch(
            /name="parameter_domain"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="parameter_domain"/,
          );
        },
      );

      it('a tried operation stays the operation that it is, whatever is typed', async () => {
        const { member, path } = await startWorkspace();
        const { text } = await send(member, path('getJob'), { parameter_job_id: '../../stores/fresh.example?x=' });
        expect(text).not.toContain('Shop of fresh.example');
        expect(text).toContain('job_id');
      });

      it('a tried operation shows a hostile answer as text, and is bounded in what it shows', async () => {
        gateway.addStore('hostile.example', { name: '</pre><script>alert(1)</script>' });
        const { member, path } = await startWorkspace();
        const hostile = await send(member, path('getStore'), { ...store, parameter_domain: 'hostile.example' });
        expect(hostile.html).toContain('&lt;script&gt;alert(1)');
        expect(hostile.html).not.toContain('<script>alert(1)');
        const long = await send(member, path('getStore'), { ...store, parameter_domain: 'long.example' });
        expect(long.text).toContain('The body is longer. Only its begin is shown.');
        expect(long.html.length).toBeLessThan(400_000);
      });

      it('a tried operation of another workspace is 404: its form, and the job that it asks for', async () => {
        const own = await startWorkspace();
        const foreign = await startWorkspace();
        expect((await foreign.admin.get(own.path('getStore'))).status).toBe(404);
        const form = { ...store, token: 'a-token-of-a-form' };
        expect((await foreign.admin.submit(own.path('getStore'), form)).status).toBe(404);
        const enrich = { body: '{"domains":["secret.example"],"refresh":true}', confirm: 'yes' };
        const { text } = await send(own.admin, own.path('enrichStores'), enrich);
        const jobId = /job_[0-9a-z]{20,}/.exec(text)?.[0] as string;
        expect((await send(own.member, own.path('getJob'), { parameter_job_id: jobId })).text).toContain(
          'secret.example',
        );
        const asked = await send(foreign.admin, foreign.path('getJob'), { parameter_job_id: jobId });
        expect(asked.text).toContain('not_found');
        expect(asked.text).not.toContain('secret.example');
      });

      it('a tried operation that changes webhooks or the test tenant, or makes events, is refused to a member, and sent for an admin', async () => {
        const { member, admin, workspaceId } = await startWorkspace();
        const pathOf = (id: string) => `/workspaces/${workspaceId}-test/try/${id}`;
        expect((await send(member, pathOf('resetTestTenant'), {})).status).toBe(403);
        for (const id of ['createWebhook', 'appendTestEvent', 'setTestAllowance']) {
          const path = pathOf(id);
          const form = { body: '{"unknown":1}' };
          expect([id, (await send(member, path, form)).status]).toEqual([id, 403]);
          expect((await send(admin, path, form)).text).toContain('invalid_request');
        }
      });

      it('a tried operation of the test environment begins with a store of the test tenant, and needs no tick', async () => {
        const { member, path, home } = await startWorkspace();
        const form = await (await member.get(`${home}-test/try/getStore`)).text();
        expect(form).toContain('value="matched.test"');
        expect(form).not.toContain('name="confirm"');
        expect(await (await member.get(path('getStore'))).text()).toContain('value="shop.example"');
        const { status, text } = await send(member, `${home}-test/try/getStore`, { parameter_domain: 'matched.test' });
        expect([status, text.includes('x-shopscope-environment')]).toEqual([200, true]);
      });

      it('an operation that is unknown has no form to try it', async () => {
        const { member, path } = await startWorkspace();
        for (const id of ['getNothing', 'constructor']) {
          expect([id, (await member.get(path(id))).status]).toEqual([id, 404]);
        }
      });

      it('a tried operation is not sent for a form of another site, nor without a token', async () => {
        const { member, path } = await startWorkspace();
        const form = new URLSearchParams({ ...store, token: 'a-token-of-a-form' });
        const foreign = { method: 'POST', body: form.toString(), headers: { origin: 'https://evil.example' } };
        expect((await member.request(path('getStore'), foreign)).status).toBeGreaterThanOrEqual(400);
        expect((await send(member, path('getStore'), store, 'short')).text).toContain('The form is incomplete.');
      });

      it('a tried operation says that nothing is known of the outcome when the API does not answer', async () => {
        const { admin, path } = await startWorkspace();
        await gateway.refuse();
        const { status, text } = await send(admin, path('getAccount'), {}).finally(() => gateway.accept());
        expect(status).toBe(503);
        expect(text).toContain('The API did not answer. The log of requests says whether');
        expect(text).toContain('Look there before you send another request.');
        expect(text).not.toContain('Send the form again');
      });
    });

    describe('way from the reference', () => {
      it('the reference leads to the form of a tried operation in the first workspace, or to the sign-in and then there', async () => {
        const { member, workspaceId } = await startWorkspace();
        const place = async (browser: Visitor) => (await browser.get('/try/getStore')).headers.get('location');
        expect(await place(member)).toBe(`/workspaces/${workspaceId}/try/getStore`);
        expect(await place(system.anonymous())).toBe('/sign-in?next=%2Ftry%2FgetStore');
        expect(await (await system.anonymous().get('/docs/reference/getStore')).text()).toContain(
          `href="${system.url}/try/getStore"`,
        );
      });
    });
  });
}
