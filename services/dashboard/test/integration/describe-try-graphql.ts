import type { Visitor } from '@shopscope/browser/visitor';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from './support/gateway.ts';
import { read, tokenIn } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeTryGraphql(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('try graphql', () => {
    let system: TestSystem;
    let gateway: TestGateway;

    beforeAll(() => {
      system = shared();
      gateway = sharedGateway();
      gateway.addStore('fresh.example');
    });

    const query = 'query Store($domain: String!) {\n  store(domain: $domain) { match store { name } }\n}';
    const variables = '{"domain": "fresh.example"}';

    async function startWorkspace() {
      const workspace = await startStoresWorkspace(system);
      return { ...workspace, path: `${workspace.home}/try/graphql`, testPath: `${workspace.home}-test/try/graphql` };
    }

    async function send(browser: Visitor, path: string, form: Record<string, string>, token?: string) {
      const sent = { token: token ?? tokenIn(await (await browser.get(path)).text()), intent: 'run', query, variables };
      const response = await browser.submit(path, { ...sent, ...form });
      const html = await response.text();
      return { status: response.status, html, text: await read(new Response(html)) };
    }

    describe('form that tries GraphQL', () => {
      it('a quote of a document needs no tick and bills nothing, and running it needs a tick, says its cost and bills once', async () => {
        const { member, path } = await startWorkspace();
        const quote = await send(member, path, { intent: 'cost' });
        expect(quote.status).toBe(200);
        for (const part of ['lookup_cached', 'not run', '1 of 1,000', '&quot;requested&quot;'])
          expect(quote.text).toContain(part);
        expect(quote.text).not.toContain('Shop of fresh.example');
        expect(await read(await member.get(path))).toContain('250,000 of 250,000 cached look-ups are left');

        const refused = await send(member, path, {});
        expect([refused.status, refused.text.includes('Nothing was sent. Agree to what the request bills.')]).toEqual([
          400,
          true,
        ]);

        const token = tokenIn(await (await member.get(path)).text());
        for (const _ of [1, 2]) {
          const ran = await send(member, path, { confirm: 'yes' }, token);
          for (const part of ['200', 'Shop of fresh.example', 'Request id: req_', 'As curl', '$SHOPSCOPE_API_KEY']) {
            expect(ran.text.slice(ran.text.indexOf('Answer'))).toContain(part);
          }
          expect(ran.html).not.toContain('svc_live_');
        }
        await expect
          .poll(async () => read(await member.get(path)), { timeout: 60_000 })
          .toContain('249,999 of 250,000 cached look-ups are left');
      });

      it('an error of a document is shown at the document with its line, and what was typed stays without script', async () => {
        const { member, path } = await startWorkspace();
        const wrong = query.replace('name', 'nam');
        const { status, html, text } = await send(member, path, { query: wrong, confirm: 'yes' });
        expect(status).toBe(200);
        expect(html).toMatch(/<textarea[^>]*name="query"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="query"/);
        expect(text).toContain('Cannot query field');
        expect(text).toContain('Line 2, column 42');
        expect(html).toContain('store { nam }');
        expect(html).toMatch(/<textarea[^>]*name="variables"[^>]*>\{&quot;domain&quot;: &quot;fresh\.example&quot;\}/);
      });

      it.each(['{"domain":', '[]', 'null', '1'])(
        'the variables %s are refused before anything is sent',
        async (typed) => {
          const { member, path } = await startWorkspace();
          const { status, text } = await send(member, path, { variables: typed, confirm: 'yes' });
          expect([status, text.includes('Nothing was sent. Enter a JSON object')]).toEqual([400, true]);
        },
      );

      it('a document with several operations asks for one of them, and only then', async () => {
        const { member, path } = await startWorkspace();
        const several = 'query A { account { plan { slug } } }\nquery B { usage { period { ends_at } } }';
        const form = { query: several, variables: '', confirm: 'yes' };
        expect(
          (await send(member, path, { ...form, query: 'query A { account { plan { slug } } }' })).html,
        ).not.toContain('name="operation_name"');
        const asked = await send(member, path, form);
        expect(asked.status).toBe(400);
        expect(asked.text).toContain('Choose one of the operations of the document.');
        expect(asked.html).toMatch(/<select[^>]*name="operation_name"/);
        const ran = await send(member, path, { ...form, operation_name: 'B' });
        expect(ran.text).toContain('&quot;ends_at&quot;');
        expect(ran.text).not.toContain('&quot;plan&quot;');
      });

      it('a document that free fields answer, a hostile answer and an unknown intent are handled as in every form', async () => {
        gateway.addStore('hostile.example', { name: '</pre><script>alert(1)</script>' });
        const { member, path } = await startWorkspace();
        const types = { query: '{ __schema { queryType { name } } }', variables: '', confirm: 'yes' };
        expect((await send(member, path, types)).text).toContain('&quot;Query&quot;');
        const hostile = await send(member, path, { variables: '{"domain": "hostile.example"}', confirm: 'yes' });
        expect(hostile.html).toContain('&lt;script&gt;alert(1)');
        expect(hostile.html).not.toContain('<script>alert(1)');
        expect((await send(member, path, { intent: 'mutate' })).status).toBe(404);
      });

      it('the form in the test environment begins with a store of the test tenant, and needs no tick', async () => {
        const { member, path, testPath } = await startWorkspace();
        const form = await (await member.get(testPath)).text();
        expect(form).toContain('matched.test');
        expect(form).not.toContain('name="confirm"');
        expect(await read(new Response(form))).toContain('In the test environment, units cost nothing.');
        expect(await (await member.get(path)).text()).toContain('name="confirm"');
        const ran = await send(member, testPath, { query: '{ account { key { environment } } }', variables: '' });
        expect(ran.text).toContain('&quot;test&quot;');
      });

      it('each example is a link that needs no script, and an unknown one begins with the first', async () => {
        const { member, path } = await startWorkspace();
        const html = await (await member.get(path)).text();
        const ids = [...html.matchAll(/href="[^"]*\?document=(\w+)"/g)].map(([, id]) => id);
        expect(ids).toEqual(['store', 'stores', 'history', 'signals', 'usage', 'types']);
        expect(await (await member.get(`${path}?document=history`)).text()).toContain('query History(');
        expect(await (await member.get(`${path}?document=constructor`)).text()).toContain('query Store(');
      });

      it('the form of another workspace is 404, and the reference leads to the form of the own one', async () => {
        const own = await startWorkspace();
        const foreign = await startWorkspace();
        expect((await foreign.admin.get(own.path)).status).toBe(404);
        const form = { token: 'a-token-of-a-form', intent: 'cost', query, variables };
        expect((await foreign.admin.submit(own.path, form)).status).toBe(404);
        expect((await own.member.get('/try/graphql')).headers.get('location')).toBe(own.path);
      });
    });
  });
}
