import type { Visitor } from '@shopscope/browser/visitor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from './support/system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({ SIGN_UP: 'open' });
});
afterAll(() => system.stop());

const cookieName = '__Host-shopscope.session_token';
const password = 'a long enough password';
const tokenOf = (path: string) => new URL(path, system.url).searchParams.get('token') as string;

/** Whether somebody who has kept the token is signed in with it. */
async function isAccepted(token: string | undefined): Promise<boolean> {
  const headers = { Cookie: `${cookieName}=${token}` };
  return (await system.anonymous().request('/account', { headers })).status === 200;
}

/** A browser in which Ann is signed in, and its token. */
async function browserOfAnn(
  name: string,
): Promise<{ browser: Visitor; token: string; ann: { id: string; email: string } }> {
  const ann = await system.person(name);
  const browser = await system.signIn(ann);
  const token = browser.cookies.get(cookieName) as string;
  expect(await isAccepted(token)).toBe(true);
  return { browser, token, ann };
}

async function invitationOf(email: string): Promise<string> {
  const given = { name: 'Acme', planSlug: 'growth', actor: 'test', actorAddress: '' };
  const { workspace } = await system.clients.keys.createWorkspace(given);
  const request = { workspaceId: workspace?.id as string, email, role: 'admin', actor: 'operator:test' };
  return (await system.clients.dashboard.invitePerson(request)).url.slice(system.url.length);
}

describe('earlier session of the browser', () => {
  it('a sign-in with a password ends the earlier session of its browser, also of another person, and no other session', async () => {
    const { browser, token, ann } = await browserOfAnn('Ann');
    const elsewhere = await system.signIn({ ...ann, password: system.password });
    await browser.submit('/sign-in', { email: ann.email, password: system.password });
    const second = browser.cookies.get(cookieName);
    expect([await isAccepted(token), await isAccepted(second)]).toEqual([false, true]);
    const bea = await system.person('Bea');
    await browser.submit('/sign-in', { email: bea.email, password: bea.password });
    expect([await isAccepted(second), await isAccepted(browser.cookies.get(cookieName))]).toEqual([false, true]);
    expect((await elsewhere.get('/account')).status).toBe(200);
  });

  it('a sign-in ends the earlier session of the browser only when it succeeds', async () => {
    const { browser, token, ann } = await browserOfAnn('Cara');
    await browser.submit('/sign-in', { email: ann.email, password: 'a wrong password' });
    expect([browser.cookies.get(cookieName), await isAccepted(token)]).toEqual([token, true]);
  });

  it('a sign-in ends only the session of a cookie that this service has signed, so that nobody ends one by its token', async () => {
    const { token } = await browserOfAnn('Dana');
    const bare = token.split('.')[0];
    const eve = await system.person('Eve');
    const form = { email: eve.email, password: eve.password };
    await system.anonymous().submit('/sign-in', form, { Origin: system.url, Cookie: `${cookieName}=${bare}` });
    expect(await isAccepted(token)).toBe(true);
  });

  it('a sign-in with the mailed link of a sign-up ends the earlier session of the browser', async () => {
    const email = 'fred@example.com';
    await system.anonymous().submit('/sign-up', { name: 'Fred', email, password, workspaceName: 'Freds' });
    const path = await system.mailedLink(email);
    const { browser, token } = await browserOfAnn('Gina');
    expect((await browser.submit(path, { token: tokenOf(path), password })).status).toBe(302);
    expect([await isAccepted(token), await isAccepted(browser.cookies.get(cookieName))]).toEqual([false, true]);
  });

  it('a sign-in with an invitation that creates an account ends the earlier session of the browser', async () => {
    const path = await invitationOf('hugo@example.com');
    const { browser, token } = await browserOfAnn('Ines');
    expect((await browser.submit(path, { intent: 'sign-up', name: 'Hugo', password })).status).toBe(302);
    expect([await isAccepted(token), await isAccepted(browser.cookies.get(cookieName))]).toEqual([false, true]);
  });

  it('a reset password, which is not a sign-in, ends the sessions of the account alone', async () => {
    const jane = await system.person('Jane');
    const ofJane = await system.signIn(jane);
    await system.anonymous().submit('/forgot-password', { email: jane.email });
    const path = await system.mailedLink(jane.email);
    const { browser, token } = await browserOfAnn('Kim');
    expect((await browser.submit(path, { token: tokenOf(path), password })).status).toBe(302);
    expect([await isAccepted(token), await isAccepted(ofJane.cookies.get(cookieName))]).toEqual([true, false]);
  });
});
