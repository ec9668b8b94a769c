import { startTcpProxy, testNamespace, waitUntil } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from './support/system.ts';

export function describeSignIn(shared: () => TestSystem): void {
  describe('sign in', () => {
    let system: TestSystem;
    beforeAll(() => {
      system = shared();
    });

    describe('pages without MongoDB', () => {
      it('the pages fail as 503 within seconds while MongoDB does not answer, and recover by themselves', {
        tags: ['wall-clock'],
        timeout: 60_000,
      }, async () => {
        const { mongoUrl } = testNamespace('dash');
        const proxy = await startTcpProxy(new URL(mongoUrl));
        const url = new URL(mongoUrl);
        url.host = `127.0.0.1:${proxy.port}`;
        const cut = await startTestSystem({ MONGODB_URL: url.href }, system.services);
        try {
          const max = await cut.person('Max');
          const browser = await cut.signIn(max);
          await proxy.refuse();
          const responses = await Promise.all([
            browser.get('/account'),
            cut.anonymous().submit('/sign-in', max),
            cut.anonymous().submit('/reset-password?token=x', { token: 'x', password: 'a long password' }),
          ]);
          expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
          await proxy.accept();
          await waitUntil('the page', async () => (await browser.get('/account')).status === 200);
        } finally {
          await cut.stop();
          await proxy.close();
        }
      });
    });

    describe('sign-in', () => {
      it('a person without a session is sent to the sign-in page, and back to the page afterwards', async () => {
        const ann = await system.person('Ann');
        const { workspaceId } = await system.workspace('Acme', [{ id: ann.id, role: 'admin' }]);
        const browser = system.anonymous();
        const target = `/workspaces/${workspaceId}`;
        const first = await browser.get(target);
        expect([first.status, first.headers.get('location')]).toEqual([
          302,
          `/sign-in?next=${encodeURIComponent(target)}`,
        ]);
        const signIn = await browser.submit(first.headers.get('location') as string, ann);
        expect([signIn.status, signIn.headers.get('location')]).toEqual([302, target]);
        const page = await browser.get(target);
        expect(page.status).toBe(200);
        expect(await page.text()).toContain('Acme');
      });

      it('the sign-in leads to local paths only', async () => {
        const ben = await system.person('Ben');
        const elsewhere = [
          'https://evil.example/',
          '//evil.example',
          '/\\evil.example',
          '/.//evil.example',
          '/a/..//evil.example',
          '/%2e//evil.example',
          '/.\\/evil.example',
          '/./\\evil.example',
          '/\t/evil.example',
          'javascript:alert(1)',
        ];
        for (const next of elsewhere) {
          const response = await system.anonymous().submit(`/sign-in?next=${encodeURIComponent(next)}`, ben);
          expect([next, response.headers.get('location')]).toEqual([next, '/workspaces']);
        }
      });

      it('the sign-in refuses a wrong password and an unknown address with the same words', async () => {
        const cas = await system.person('Cas');
        const texts = [];
        for (const email of [cas.email, 'nobody@example.com']) {
          const response = await system.anonymous().submit('/sign-in', { email, password: 'a wrong password' });
          expect(response.status).toBe(401);
          texts.push((await response.text()).match(/The e-mail address or the password is wrong\./)?.[0]);
        }
        expect(texts).toEqual(Array(2).fill('The e-mail address or the password is wrong.'));
      });

      it('the sign-in sets a cookie that scripts and other sites cannot use', async () => {
        const dan = await system.person('Dan');
        const response = await system.anonymous().submit('/sign-in', dan);
        const [cookie] = response.headers.getSetCookie().filter((line) => line.startsWith('__Host-'));
        expect(cookie).toMatch(/^__Host-shopscope\.session_token=/);
        for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
        expect(cookie).not.toContain('Domain');
      });

      it('the sign-in refuses a form of another site', async () => {
        const eva = await system.person('Eva');
        for (const headers of [
          { Origin: 'https://evil.example' },
          { Origin: 'null' },
          { 'Sec-Fetch-Site': 'cross-site' },
        ]) {
          const response = await system.anonymous().submit('/sign-in', eva, headers as Record<string, string>);
          expect(response.status).toBe(403);
          expect(response.headers.getSetCookie()).toEqual([]);
        }
      });

      it('the sign-in refuses a body that is larger than any form, or of unknown length, before reading it', async () => {
        const headers = { Origin: system.url, 'Content-Type': 'application/x-www-form-urlencoded' };
        const send = (body: string | ReadableStream) =>
          fetch(`${system.url}/sign-in`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
        expect((await send(`email=${'x'.repeat(64 * 1024)}`)).status).toBe(413);
        expect((await send(new Blob(['email=a']).stream())).status).toBe(411);
      });
    });
  });
}
