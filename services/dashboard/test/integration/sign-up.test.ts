import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from './support/system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({ SIGN_UP: 'open', TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => system.stop());

const password = 'a long enough password';
const fields = (email: string) => ({ name: 'Somebody', email, password, workspaceName: 'New company' });
const tokenOf = (path: string) => new URL(path, system.url).searchParams.get('token') as string;
const workspacesOf = async (email: string) => {
  const user = await system.db.collection('user').findOne({ email });
  return system.db.collection('member').countDocuments({ userId: user?._id as never });
};

/** A person who has signed up, confirmed the address and got the free workspace. */
async function founder(email: string) {
  await system.anonymous().submit('/sign-up', fields(email));
  const path = await system.mailedLink(email);
  const browser = system.anonymous();
  expect((await browser.submit(path, { token: tokenOf(path), password })).status).toBe(302);
  const workspaceId = (await browser.get('/workspaces')).headers.get('location')?.split('/').pop() ?? '';
  const userId = String((await system.db.collection('user').findOne({ email }))?._id);
  return { browser, workspaceId, userId };
}

describe('open sign-up', () => {
  it('a sign-up creates the free workspace at the first sign-in after the address is confirmed', async () => {
    const email = 'nora@example.com';
    expect((await system.anonymous().submit('/sign-up', fields(email))).status).toBe(200);
    const path = await system.mailedLink(email);
    expect(await workspacesOf(email)).toBe(0);
    const browser = system.anonymous();
    // The link confirms nothing without the password or with a wrong one.
    expect((await browser.get(path)).status).toBe(200);
    const wrong = await browser.submit(path, { token: tokenOf(path), password: 'a wrong password' });
    expect(wrong.status).toBe(400);
    expect((await system.db.collection('user').findOne({ email }))?.emailVerified).toBe(false);

    const confirmed = await browser.submit(path, { token: tokenOf(path), password });
    expect(confirmed.headers.get('location')).toBe('/workspaces');
    const home = await browser.get('/workspaces');
    const page = await browser.get(home.headers.get('location') as string);
    expect([page.status, (await page.text()).includes('New company')]).toEqual([200, true]);
    const workspaceId = home.headers.get('location')?.split('/').pop() as string;
    const { workspace, plan } = await system.clients.keys.getWorkspace({ workspaceId });
    expect([workspace?.name, plan?.slug]).toEqual(['New company', 'free']);
  });

  it('a sign-up creates one workspace per mailbox, so a tag after the name gives no second one', async () => {
    const first = await founder('tara@example.com');
    expect(first.workspaceId).toMatch(/^ws_/);
    const second = await founder('tara+2@example.com');
    expect(second.workspaceId).toBe('');
    expect((await second.browser.submit('/workspaces', { name: 'Second' })).status).toBe(409);
    expect(await workspacesOf('tara+2@example.com')).toBe(0);
  });

  it('a sign-up creates one workspace per person, even when several requests ask for it at the same time', async () => {
    const email = 'otto@example.com';
    await system.anonymous().submit('/sign-up', fields(email));
    const path = await system.mailedLink(email);
    const answers = await Promise.all(
      [1, 2, 3].map(() => system.anonymous().submit(path, { token: tokenOf(path), password })),
    );
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
    const browser = await system.signIn({ email, password });
    expect(await workspacesOf(email)).toBe(1);
    const again = await browser.submit('/workspaces', { name: 'Another' });
    expect(again.headers.get('location')).toMatch(/^\/workspaces\/ws_/);
    expect(await workspacesOf(email)).toBe(1);
    const { workspaces } = await system.clients.keys.listWorkspaces({ afterId: '', limit: 200 });
    expect(workspaces.filter(({ name }) => name === 'Another')).toEqual([]);
  });

  it('the session gets a new token when a person creates a workspace on the start page', async () => {
    const browser = await system.signIn(await system.person('Quin'));
    const before = browser.cookies.get('__Host-shopscope.session_token');
    const created = await browser.submit('/workspaces', { name: 'Later' });
    expect((await browser.get(created.headers.get('location') as string)).status).toBe(200);
    expect(browser.cookies.get('__Host-shopscope.session_token')).not.toBe(before);
  });

  it('a founder whom another admin removed gets no way back into the workspace', async () => {
    const { workspaceId, userId } = await founder('rita@example.com');
    const bea = await system.person('Bea');
    const organization = await system.db.collection('organization').findOne({ slug: workspaceId });
    await system.db.collection('member').insertOne({
      _id: 'member-of-bea' as never,
      organizationId: organization?._id,
      userId: bea.id,
      role: 'admin',
      createdAt: new Date(),
    });
    const path = `/workspaces/${workspaceId}/settings/members/${userId}/remove`;
    expect((await (await system.signIn(bea)).submit(path, { name: 'Somebody' })).status).toBe(302);
    const again = await system.signIn({ email: 'rita@example.com', password });
    expect(await (await again.get('/workspaces')).text()).toContain('You are not in a workspace');
    expect((await again.submit('/workspaces', { name: 'Back again' })).status).toBe(409);
    expect((await again.get(`/workspaces/${workspaceId}`)).status).toBe(404);
    expect(await workspacesOf('rita@example.com')).toBe(0);
  });

  it('a deleted workspace does not come back by a sign-up, and its founder gets no second one', async () => {
    const { browser, workspaceId } = await founder('sven@example.com');
    const deleted = await browser.submit(`/workspaces/${workspaceId}/settings/workspace/delete`, {
      name: 'New company',
    });
    expect(deleted.status).toBe(302);
    expect((await browser.submit('/workspaces', { name: 'Another' })).status).toBe(409);
    expect(await system.db.collection('organization').countDocuments({ slug: workspaceId })).toBe(0);
    expect(await workspacesOf('sven@example.com')).toBe(0);
  });

  it('a sign-up gives an address one free workspace, even when its account was deleted in the meantime', async () => {
    const email = 'tess@example.com';
    const { browser, userId } = await founder(email);
    expect((await browser.submit('/account/delete', { address: email })).status).toBe(302);
    const kept = JSON.stringify(await system.db.collection('free_workspaces').find().toArray());
    for (const trace of [userId, email]) expect(kept).not.toContain(trace);
    await system.db.collection('development_mails').deleteMany({ to: email });
    const second = await founder(email);
    expect([second.workspaceId, await workspacesOf(email)]).toEqual(['', 0]);
    expect((await second.browser.submit('/workspaces', { name: 'Second' })).status).toBe(409);
  });

  it('a sign-up shows the same page for an address that has an account, and tells its owner by mail', async () => {
    const ann = await system.person('Ann');
    const pages = [];
    for (const email of [ann.email, 'new-address@example.com']) {
      const response = await system.anonymous().submit('/sign-up', fields(email));
      pages.push([response.status, visible(await response.text()).replaceAll(email, 'ADDRESS')]);
    }
    expect(pages[0]).toEqual(pages[1]);
    expect((await system.mails(ann.email))[0]?.subject).toBe('You already have a Shopscope account');
    expect((await system.anonymous().submit('/sign-in', ann)).status).toBe(302);
  });

  it('a sign-up sends the link again only to an address that waits to be confirmed, on the same page', async () => {
    const email = 'paul@example.com';
    await system.anonymous().submit('/sign-up', fields(email));
    await system.mails(email);
    const ben = await system.person('Ben');
    const pages = [];
    for (const each of [email, ben.email, 'nobody@example.com']) {
      const response = await system.anonymous().submit('/verify', { intent: 'resend', email: each });
      pages.push([response.status, visible(await response.text()).replaceAll(each, 'ADDRESS')]);
    }
    expect(pages).toEqual(Array(3).fill(pages[0]));
    const path = await system.mailedLink(email, 2);
    expect((await system.anonymous().submit(path, { token: tokenOf(path), password })).status).toBe(302);
    expect(await system.db.collection('development_mails').countDocuments({ to: ben.email })).toBe(0);
  });

  it('a sign-up lets nobody take over an address with a password chosen before its owner signed up', async () => {
    const email = 'victim@example.com';
    await system.anonymous().submit('/sign-up', { ...fields(email), password: 'the password of an attacker' });
    const path = await system.mailedLink(email);
    await system.anonymous().submit('/sign-up', fields(email));
    await system.mails(email, 2);
    expect((await system.anonymous().submit(path, { token: tokenOf(path), password })).status).toBe(400);
    await system.anonymous().submit('/forgot-password', { email });
    const reset = await system.mailedLink(email, 3);
    await system.anonymous().submit(reset, { token: tokenOf(reset), password });
    const attacker = { email, password: 'the password of an attacker' };
    expect((await system.anonymous().submit('/sign-in', attacker)).status).toBe(401);
    expect((await system.anonymous().submit('/sign-in', { email, password })).status).toBe(302);
  });

  it('a sign-up refuses forged and expired links', async () => {
    const browser = system.anonymous();
    for (const token of ['', 'abc', 'eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFAZXhhbXBsZS5jb20ifQ.']) {
      expect((await browser.submit('/verify', { token, password })).status).toBe(404);
    }
  });

  it('a sign-up names the field of a wrong entry and keeps what was typed, except the password', async () => {
    const response = await system.anonymous().submit('/sign-up', { ...fields('no address'), name: 'Kept name' });
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain('This is not an e-mail address.');
    expect(text).toContain('value="Kept name"');
    expect(text).not.toContain(password);
  });
});

describe('sign-up by invitation', () => {
  it('a sign-up without an invitation says that one is needed and creates no account', async () => {
    const closed = await startTestSystem({}, system.services);
    try {
      expect(await (await closed.anonymous().get('/sign-up')).text()).toContain('You need an invitation');
      expect((await closed.anonymous().submit('/sign-up', fields('x@example.com'))).status).toBe(403);
      expect(await closed.db.collection('user').countDocuments({})).toBe(0);
    } finally {
      await closed.stop();
    }
  });
});

const visible = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
