import { get } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startIssuer } from './support/issuer.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

let issuer: Awaited<ReturnType<typeof startIssuer>>;
let system: TestSystem;
beforeAll(async () => {
  issuer = await startIssuer();
  system = await startTestSystem({
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: 'dashboard',
    OIDC_CLIENT_SECRET: 'the development secret of the client',
    OIDC_NAME: 'Example ID',
  });
});
afterAll(async () => {
  await system.stop();
  await issuer.stop();
});
beforeEach(() => {
  issuer.state.nonce = undefined;
});

type Browser = ReturnType<TestSystem['anonymous']>;

/** Follows the redirects of a sign-in at the issuer, up to the page that it ends at. */
async function signInAtIssuer(browser: Browser, next = '/account', query = '') {
  const start = await browser.get(`/sign-in/single-sign-on?next=${encodeURIComponent(next)}${query}`);
  const atIssuer = await fetch(start.headers.get('location') as string, { redirect: 'manual' });
  const callback = new URL(atIssuer.headers.get('location') as string);
  expect(callback.pathname).toBe('/auth/callback/oidc');
  const back = await browser.get(callback.pathname + callback.search);
  return { callback, location: back.headers.get('location') ?? '' };
}
const claims = (email: string, verified = true) => ({
  sub: `subject-of-${email}`,
  email,
  email_verified: verified,
  name: 'From the issuer',
});
const isSignedIn = async (browser: Browser) => (await browser.get('/account')).status === 200;
const accountsOf = (userId: string) => system.db.collection('account').countDocuments({ userId: userId as never });

describe('single sign-on', () => {
  it('single sign-on signs in a person whose verified address has an account, with PKCE and a nonce', async () => {
    const ann = await system.person('Ann');
    issuer.state.next = claims(ann.email);
    const browser = system.anonymous();
    expect(await (await browser.get('/sign-in')).text()).toContain('Example ID');
    const { location } = await signInAtIssuer(browser);
    expect(location).toBe('/account');
    expect(await isSignedIn(browser)).toBe(true);
    const asked = issuer.state.requests.at(-1);
    expect([asked?.get('code_challenge_method'), asked?.get('nonce') !== null]).toEqual(['S256', true]);
    expect(await accountsOf(ann.id)).toBe(2);
    await signInAtIssuer(system.anonymous());
    expect(await accountsOf(ann.id)).toBe(2);
  });

  it('single sign-on refuses an address that the issuer does not confirm', async () => {
    const ben = await system.person('Ben');
    for (const email of [ben.email, 'unknown@example.com']) {
      issuer.state.next = claims(email, false);
      const browser = system.anonymous();
      const { location } = await signInAtIssuer(browser);
      expect(new URL(location, system.url).pathname).toBe('/sign-in');
      expect(await isSignedIn(browser)).toBe(false);
      expect(await (await browser.get(location)).text()).toMatch(/does not confirm|not confirmed/);
    }
    expect(await accountsOf(ben.id)).toBe(1);
  });

  it('single sign-on links no account whose own address is not confirmed', async () => {
    const cas = await system.person('Cas');
    await system.db.collection('user').updateOne({ email: cas.email }, { $set: { emailVerified: false } });
    issuer.state.next = claims(cas.email);
    const browser = system.anonymous();
    await signInAtIssuer(browser);
    expect([await isSignedIn(browser), await accountsOf(cas.id)]).toEqual([false, 1]);
  });

  it('single sign-on creates an account for an invited address only', async () => {
    issuer.state.next = claims('dora@example.com');
    const refused = await signInAtIssuer(system.anonymous());
    expect(refused.location).toContain('error=not_invited');
    const { workspace } = await system.clients.keys.createWorkspace({
      name: 'Acme',
      planSlug: 'growth',
      actor: 'test',
      actorAddress: '',
    });
    const request = { workspaceId: workspace?.id as string, email: 'dora@example.com', role: 'admin', actor: 'test' };
    const { url } = await system.clients.dashboard.invitePerson(request);
    const path = url.slice(system.url.length);
    const browser = system.anonymous();
    expect((await signInAtIssuer(browser, path)).location).toBe(path);
    const joined = await browser.submit(path, { intent: 'accept' });
    expect(joined.headers.get('location')).toBe(`/workspaces/${workspace?.id}`);
  });

  it('single sign-on creates no account for an address whose invitation ended with the right of its sender', async () => {
    const [ann, bob] = [await system.person('Ann Admin'), await system.person('Bob Admin')];
    const { workspaceId } = await system.workspace('Acme', [
      { id: ann.id, role: 'admin' },
      { id: bob.id, role: 'admin' },
    ]);
    const list = `/workspaces/${workspaceId}/settings/members`;
    const email = 'late@example.com';
    await (await system.signIn(bob)).submit(list, { intent: 'invite', email, role: 'admin' });
    await (await system.signIn(ann)).submit(`${list}/${bob.id}/remove`, { name: bob.name });
    issuer.state.next = claims(email);
    expect((await signInAtIssuer(system.anonymous())).location).toContain('error=not_invited');
    // The same holds if the end of the invitation was missed.
    await system.db.collection('invitation').updateOne({ email }, { $set: { status: 'pending' } });
    expect((await signInAtIssuer(system.anonymous())).location).toContain('error=not_invited');
    expect(await system.db.collection('user').countDocuments({ email })).toBe(0);
  });

  it('single sign-on gives a new account a valid name, whatever the issuer states', async () => {
    const { workspace } = await system.clients.keys.createWorkspace({
      name: 'Acme',
      planSlug: 'growth',
      actor: 'test',
      actorAddress: '',
    });
    const names = [];
    for (const [email, name] of [
      ['kim@example.com', ''],
      ['lou@example.com', ` Lou\u0000\n${'x'.repeat(300)}`],
    ] as const) {
      const request = { workspaceId: workspace?.id as string, email, role: 'member', actor: 'test' };
      await system.clients.dashboard.invitePerson(request);
      issuer.state.next = { ...claims(email), name };
      await signInAtIssuer(system.anonymous());
      names.push((await system.db.collection('user').findOne({ email }))?.name);
    }
    expect(names).toEqual(['kim', `Lou ${'x'.repeat(96)}`]);
  });

  it('single sign-on refuses an answer with another nonce, for another browser, or used twice', async () => {
    const eve = await system.person('Eve');
    issuer.state.next = claims(eve.email);
    issuer.state.nonce = 'another nonce';
    const one = system.anonymous();
    await signInAtIssuer(one);
    expect(await isSignedIn(one)).toBe(false);

    issuer.state.nonce = undefined;
    const two = system.anonymous();
    const { callback } = await signInAtIssuer(two);
    const stranger = system.anonymous();
    await stranger.get(callback.pathname + callback.search);
    await two.submit('/sign-out', {});
    await two.get(callback.pathname + callback.search);
    expect([await isSignedIn(stranger), await isSignedIn(two)]).toEqual([false, false]);
  });

  it('a single sign-on counts as recent only when the issuer says that it authenticated the person recently', async () => {
    const gil = await system.person('Gil');
    const now = Math.floor(Date.now() / 1_000);
    const answers = [];
    for (const auth_time of [undefined, now - 16 * 60, now]) {
      issuer.state.next = { ...claims(gil.email), ...(auth_time !== undefined && { auth_time }) };
      const browser = system.anonymous();
      await signInAtIssuer(browser);
      answers.push((await browser.get('/account/export')).status);
      // A browser that removes the parameter for a new authentication gets the same answer of the issuer.
      await signInAtIssuer(browser, '/account/export', '&again=1');
      answers.push((await browser.get('/account/export')).status);
    }
    expect(answers).toEqual([302, 302, 302, 302, 200, 200]);
    const asked = issuer.state.requests.at(-1);
    expect([asked?.get('prompt'), asked?.get('max_age')]).toEqual(['login', '0']);
  });

  it('single sign-on keeps its authentication time when the session gets a new token, until a password confirms it', async () => {
    const hal = await system.person('Hal');
    issuer.state.next = claims(hal.email);
    const browser = system.anonymous();
    await signInAtIssuer(browser);
    const { workspace } = await system.clients.keys.createWorkspace({
      name: 'Acme',
      planSlug: 'growth',
      actor: 'test',
      actorAddress: '',
    });
    const request = { workspaceId: workspace?.id as string, email: hal.email, role: 'admin', actor: 'test' };
    const { url } = await system.clients.dashboard.invitePerson(request);
    expect((await browser.submit(url.slice(system.url.length), { intent: 'accept' })).status).toBe(302);
    expect((await browser.get('/account/export')).status).toBe(302);
    await browser.submit('/confirm?next=/account/export', { password: hal.password });
    expect((await browser.get('/account/export')).status).toBe(200);
  });

  it('single sign-on ends the earlier session of the browser', async () => {
    const ida = await system.person('Ida');
    issuer.state.next = claims(ida.email);
    const browser = system.anonymous();
    await signInAtIssuer(browser);
    const before = browser.cookies.get('__Host-shopscope.session_token');
    await signInAtIssuer(browser);
    const earlier = await system
      .anonymous()
      .request('/account', { headers: { Cookie: `__Host-shopscope.session_token=${before}` } });
    expect([earlier.status, await isSignedIn(browser)]).toEqual([302, true]);
    expect(await system.db.collection('session').countDocuments({ userId: ida.id as never })).toBe(1);
  });

  it('single sign-on leads to local paths only, and is not begun by another site', async () => {
    const fay = await system.person('Fay');
    issuer.state.next = claims(fay.email);
    expect((await signInAtIssuer(system.anonymous(), 'https://evil.example/')).location).toBe('/workspaces');
    const foreign = await system
      .anonymous()
      .request('/sign-in/single-sign-on', { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(foreign.headers.get('location')).toBe('/sign-in');
  });

  it('single sign-on serves no other route of better-auth', async () => {
    for (const path of ['/auth/get-session', '/auth/sign-in/email', '/auth/sign-up/email', '/auth/callback']) {
      const read = await system.anonymous().get(path);
      const post = await system.anonymous().submit(path, { email: 'a@example.com', password: 'x' });
      expect([path, read.status, post.status]).toEqual([path, 404, 405]);
    }
    // A path that a browser would resolve before it sends it.
    for (const path of ['/auth/callback/../get-session', '/auth/callback/oidc/../../get-session']) {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      get({ host: '127.0.0.1', port: new URL(system.url).port, path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
      expect([path, await promise]).toEqual([path, 404]);
    }
  });
});
