import { AppError } from '@shopscope/errors';
import { createTransact } from '@shopscope/mongo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/app/wiring/dependencies.ts';
import { deleteAccount as deleteWithDependencies } from '../../src/people/operations/account.ts';
import { createAuditOutbox } from '../../src/people/outbound/audit-outbox.ts';
import { newAuthId } from '../../src/people/outbound/auth.ts';
import { createFreeWorkspaceStore } from '../../src/people/outbound/free-workspaces.ts';
import { createOrganizationStore } from '../../src/people/outbound/organizations.ts';
import { createPeopleStore } from '../../src/people/outbound/people.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => system.stop());

type Person = Awaited<ReturnType<TestSystem['person']>>;

const newPassword = 'another long password';
const isSignedIn = async (browser: { get(path: string): Promise<Response> }) =>
  (await browser.get('/account')).status === 200;

describe('forgotten passwords', () => {
  it('a forgotten password is replaced by a mailed link, once, and every session ends', async () => {
    const ann = await system.person('Ann');
    const [one, two] = [await system.signIn(ann), await system.signIn(ann)];
    const asked = await system.anonymous().submit('/forgot-password', { email: ann.email });
    expect(asked.status).toBe(200);
    const path = await system.mailedLink(ann.email);
    const browser = system.anonymous();
    const token = new URL(path, system.url).searchParams.get('token') as string;
    expect((await browser.get(path)).status).toBe(200);
    expect((await browser.submit(path, { token, password: 'short' })).status).toBe(400);
    const reset = await browser.submit(path, { token, password: newPassword });
    expect(reset.headers.get('location')).toBe('/sign-in?notice=password-changed');
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, false]);
    expect((await browser.submit(path, { token, password: newPassword })).status).toBe(404);
    expect((await browser.submit('/sign-in', ann)).status).toBe(401);
    expect((await browser.submit('/sign-in', { email: ann.email, password: newPassword })).status).toBe(302);
    expect((await system.mails(ann.email, 2)).at(-1)?.subject).toContain('password was changed');
  });

  it('the form of a forgotten password shows the same page for an address with and without an account', async () => {
    const ben = await system.person('Ben');
    const pages = [];
    for (const email of [ben.email, 'nobody@example.com']) {
      const response = await system.anonymous().submit('/forgot-password', { email });
      pages.push([response.status, shown(await response.text()).replaceAll(email, 'ADDRESS')]);
    }
    expect(pages[0]).toEqual(pages[1]);
    await system.mails(ben.email);
    expect(await system.db.collection('development_mails').countDocuments({ to: 'nobody@example.com' })).toBe(0);
  });
});

describe('account page', () => {
  it('the account page changes the password with the current one, ends the other sessions and gives this one a new token', async () => {
    const cas = await system.person('Cas');
    const [one, two] = [await system.signIn(cas), await system.signIn(cas)];
    const before = one.cookies.get('__Host-shopscope.session_token');
    const fields = { intent: 'password', newPassword };
    const wrong = await one.submit('/account', { ...fields, currentPassword: 'a wrong password' });
    expect([wrong.status, await isSignedIn(two)]).toEqual([400, true]);
    const changed = await one.submit('/account', { ...fields, currentPassword: cas.password });
    expect(changed.headers.get('location')).toBe('/account?notice=password');
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([true, false]);
    expect(one.cookies.get('__Host-shopscope.session_token')).not.toBe(before);
  });

  it('the account page changes the address after the new one is confirmed, ends the other sessions and sends a mail to the old one', async () => {
    const dan = await system.person('Dan');
    const [one, two] = [await system.signIn(dan), await system.signIn(dan)];
    const email = `new-${dan.email}`;
    expect((await one.submit('/account', { intent: 'email', email })).status).toBe(302);
    const path = await system.mailedLink(email);
    const token = new URL(path, system.url).searchParams.get('token') as string;

    const eve = await system.signIn(await system.person('Eve'));
    expect((await eve.get(path)).status).toBe(404);
    expect((await eve.submit(path, { token })).status).toBe(404);
    expect(await (await one.get(path)).text()).toContain(email);
    expect((await one.submit(path, { token })).headers.get('location')).toBe('/account?notice=address');
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([true, false]);
    expect((await system.mails(dan.email)).at(-1)?.text).toContain(email);
    expect((await system.anonymous().submit('/sign-in', dan)).status).toBe(401);
    expect((await system.anonymous().submit('/sign-in', { email, password: dan.password })).status).toBe(302);
    expect((await one.submit(path, { token })).status).toBe(404);
  });

  it('the account page does not show that a new address has another account', async () => {
    const [fay, gus] = [await system.person('Fay'), await system.person('Gus')];
    const browser = await system.signIn(fay);
    const answer = await browser.submit('/account', { intent: 'email', email: gus.email });
    expect(answer.headers.get('location')).toBe('/account?notice=email');
    expect((await system.mails(gus.email))[0]?.text).not.toContain('/account/address');
  });

  it('the account page lists the sessions and ends one or all others, never those of somebody else', async () => {
    const hal = await system.person('Hal');
    const agent = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
    const one = await system.signIn(hal);
    const two = system.anonymous();
    await two.submit('/sign-in', hal, { Origin: system.url, 'User-Agent': agent, 'X-Forwarded-For': '192.0.2.9' });
    const three = await system.signIn(hal);
    const page = await (await one.get('/account')).text();
    for (const text of ['Firefox on Windows', '192.0.2.9', 'This browser', 'End all other sessions']) {
      expect(page).toContain(text);
    }
    const stored = system.db.collection('session');
    const found = await stored.findOne({ userId: hal.id as never, userAgent: agent });
    const stranger = await system.signIn(await system.person('Ivy'));
    await stranger.submit('/account', { intent: 'end-session', session: String(found?._id) });
    expect(await isSignedIn(two)).toBe(true);
    await one.submit('/account', { intent: 'end-session', session: String(found?._id) });
    expect([await isSignedIn(two), await isSignedIn(three)]).toEqual([false, true]);
    await one.submit('/account', { intent: 'end-others' });
    expect([await isSignedIn(one), await isSignedIn(three)]).toEqual([true, false]);
  });

  it('the account page remembers the theme without script', async () => {
    const browser = await system.signIn(await system.person('Jo'));
    const answer = await browser.submit('/theme', { theme: 'dark', next: '/account' });
    expect(answer.headers.get('location')).toBe('/account');
    expect(await (await browser.get('/account')).text()).toContain('data-theme="dark"');
    await browser.submit('/theme', { theme: 'system', next: 'https://evil.example' });
    expect(await (await browser.get('/account')).text()).not.toContain('data-theme=');
  });

  it('the account page saves the name', async () => {
    const browser = await system.signIn(await system.person('Kim'));
    await browser.submit('/account', { intent: 'name', name: '  Kim Possible ' });
    expect(await (await browser.get('/account')).text()).toContain('value="Kim Possible"');
    expect((await browser.submit('/account', { intent: 'name', name: ' ' })).status).toBe(400);
  });
});

describe('sessions after a change of rights', () => {
  const tokenOf = (browser: ReturnType<TestSystem['anonymous']>) =>
    browser.cookies.get('__Host-shopscope.session_token');

  it('a session has a new token after its person gives up the role admin and after leaving a workspace', async () => {
    const [abe, bo] = [await system.person('Abe'), await system.person('Bo')];
    const { workspaceId } = await system.workspace('Handed over', [
      { id: abe.id, role: 'admin' },
      { id: bo.id, role: 'admin' },
    ]);
    const browser = await system.signIn(abe);
    const members = `/workspaces/${workspaceId}/settings/members`;
    const tokens = [tokenOf(browser)];
    const demoted = await browser.submit(members, { intent: 'set_role', user_id: abe.id, role: 'member' });
    expect(demoted.headers.get('location')).toBe(`${members}?demoted=${abe.id}&keys=none`);
    tokens.push(tokenOf(browser));
    expect((await browser.submit(`/workspaces/${workspaceId}/settings/leave`, {})).status).toBe(302);
    tokens.push(tokenOf(browser));
    expect(new Set(tokens).size).toBe(3);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await system.db.collection('session').countDocuments({ userId: abe.id as never })).toBe(1);
  });
});

describe('export of personal data', () => {
  it('the export of personal data contains the data of the person, no secret and nothing of anybody else', async () => {
    const [lea, max] = [await system.person('Lea'), await system.person('Max')];
    await system.workspace('Shared', [
      { id: lea.id, role: 'admin' },
      { id: max.id, role: 'member' },
    ]);
    await system.workspace('Other', [{ id: max.id, role: 'admin' }]);
    const browser = await system.signIn(lea);
    const response = await browser.get('/account/export');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const text = await response.text();
    const exported = JSON.parse(text);
    expect(exported.person).toMatchObject({ id: lea.id, email: lea.email, name: 'Lea' });
    expect(exported.workspaces).toMatchObject([{ name: 'Shared', role: 'admin' }]);
    expect(exported.sessions).toHaveLength(1);
    const token = await system.db.collection('session').findOne({ userId: lea.id as never });
    for (const foreign of [max.id, max.email, 'Other', 'argon2', String(token?.token)])
      expect(text).not.toContain(foreign);
  });

  it('the export of personal data contains what the person asked for, was invited to and invited others to', async () => {
    const mo = await system.person('Mo');
    const { workspaceId } = await system.workspace('Inviting', [{ id: mo.id, role: 'admin' }]);
    const browser = await system.signIn(mo);
    const members = `/workspaces/${workspaceId}/settings/members`;
    await browser.submit(members, { intent: 'invite', email: 'friend@example.com', role: 'member' });
    await browser.submit('/account', { intent: 'email', email: 'mo-later@example.com' });
    const other = await system.workspace('Another', []);
    const invited = { workspaceId: other.workspaceId, email: mo.email, role: 'member', actor: 'operator:test' };
    await system.clients.dashboard.invitePerson(invited);
    const claim = { userId: mo.id, workspaceId, finishedAt: new Date(), leaseUntil: new Date(0) };
    await system.db.collection('free_workspaces').insertOne({ _id: `claim of ${mo.id}` as never, ...claim });
    await system.db.collection('user').updateOne({ _id: mo.id as never }, { $set: { workspaceName: 'Wanted' } });
    expect(JSON.parse(await (await browser.get('/account/export')).text())).toMatchObject({
      person: { workspace_name_at_sign_up: 'Wanted', pending_email: { email: 'mo-later@example.com' } },
      free_workspace: { workspace_id: workspaceId },
      invitations_received: [{ workspace_id: other.workspaceId, role: 'member', status: 'pending' }],
      invitations_sent: [{ address: 'friend@example.com', workspace_id: workspaceId, role: 'member' }],
    });
  });

  it('the export of personal data needs a recent sign-in or its confirmation', async () => {
    const nia = await system.person('Nia');
    const browser = await system.signIn(nia);
    await system.ageSignIns(nia.id);
    const refused = await browser.get('/account/export');
    const confirm = `/confirm?next=${encodeURIComponent('/account/export')}`;
    expect([refused.status, refused.headers.get('location')]).toEqual([302, confirm]);
    expect((await browser.submit(confirm, { password: 'a wrong password' })).status).toBe(400);
    const before = browser.cookies.get('__Host-shopscope.session_token');
    const confirmed = await browser.submit(confirm, { password: nia.password });
    expect(confirmed.headers.get('location')).toBe('/account/export');
    expect(browser.cookies.get('__Host-shopscope.session_token')).not.toBe(before);
    expect((await browser.get('/account/export')).status).toBe(200);
    const elsewhere = await browser.submit('/confirm?next=//evil.example', { password: nia.password });
    expect(elsewhere.headers.get('location')).toBe('/workspaces');
  });
});

describe('deletion of an account', () => {
  it('the deletion of an account is refused to the last admin of a workspace with others, and says what to do', async () => {
    const [ora, pim] = [await system.person('Ora'), await system.person('Pim')];
    const { organizationId } = await system.workspace('Kept', [
      { id: ora.id, role: 'admin' },
      { id: pim.id, role: 'member' },
    ]);
    const browser = await system.signIn(ora);
    expect(await (await browser.get('/account/delete')).text()).toContain('last admin of Kept');
    const refused = await browser.submit('/account/delete', { address: ora.email });
    expect(refused.status).toBe(409);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await system.db.collection('member').countDocuments({ organizationId: organizationId as never })).toBe(2);
  });

  it('one admin stays when the last two admins delete their accounts at the same time', async () => {
    const [quin, ray, sue] = [await system.person('Quin'), await system.person('Ray'), await system.person('Sue')];
    const { organizationId } = await system.workspace('Race', [
      { id: quin.id, role: 'admin' },
      { id: ray.id, role: 'admin' },
      { id: sue.id, role: 'member' },
    ]);
    const browsers = [await system.signIn(quin), await system.signIn(ray)];
    const answers = await Promise.all(
      [quin, ray].map(({ email }, i) => browsers[i]?.submit('/account/delete', { address: email })),
    );
    expect(answers.map((answer) => answer?.status).sort()).toEqual([302, 409]);
    const members = system.db.collection('member');
    expect(await members.countDocuments({ organizationId: organizationId as never, role: 'admin' })).toBe(1);
  });

  it('the deletion of an account needs the typed address', async () => {
    const tom = await system.person('Tom');
    const browser = await system.signIn(tom);
    expect((await browser.submit('/account/delete', { address: 'tom' })).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('the deletion of an account deletes the workspaces that only this person is in, with their keys', async () => {
    const zoe = await system.person('Zoe');
    const { workspaceId, organizationId } = await system.workspace('Alone', [{ id: zoe.id, role: 'admin' }]);
    const { keys } = system.clients;
    const newKey = { workspaceId, label: 'one', preset: 'full', scopes: [], expiresAtMs: undefined };
    await keys.createKey({ ...newKey, actor: zoe.id, actorAddress: '', requestToken: '' });
    const browser = await system.signIn(zoe);
    expect(await (await browser.get('/account/delete')).text()).toContain('Alone');
    expect((await browser.submit('/account/delete', { address: zoe.email })).status).toBe(302);
    await expect(keys.getWorkspace({ workspaceId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await system.db.collection('organization').countDocuments({ _id: organizationId as never })).toBe(0);
  });

  it("the deletion of a member's account leaves the workspace and its keys, even when the person is its only member", async () => {
    const wim = await system.person('Wim');
    const { workspaceId, organizationId } = await system.workspace('Of an operator', [{ id: wim.id, role: 'member' }]);
    const browser = await system.signIn(wim);
    expect(await (await browser.get('/account/delete')).text()).toContain('You leave');
    expect((await browser.submit('/account/delete', { address: wim.email })).status).toBe(302);
    expect((await system.clients.keys.getWorkspace({ workspaceId })).workspace?.name).toBe('Of an operator');
    expect(await system.db.collection('organization').countDocuments({ _id: organizationId as never })).toBe(1);
    expect(await system.db.collection('member').countDocuments({ organizationId })).toBe(0);
  });

  it('a deletion of an account that stops says which workspaces are deleted, and opens them again when keys refuses', async () => {
    const [xia, yan] = [await system.person('Xia'), await system.person('Yan')];
    const alone = await system.workspace('Own one', [{ id: xia.id, role: 'admin' }]);
    const shared = await system.workspace('Shared one', [
      { id: xia.id, role: 'admin' },
      { id: yan.id, role: 'admin' },
    ]);
    const organizations = system.db.collection<{ _id: string; deletingAt?: Date }>('organization');
    const deletingAt = async () => (await organizations.findOne({ _id: alone.organizationId }))?.deletingAt;

    const refuse = async () => {
      expect(await deletingAt()).toBeInstanceOf(Date);
      throw new AppError('conflict', 'The workspace cannot be deleted now.');
    };
    await expect(deleteAccount(xia, refuse)).rejects.toMatchObject({ code: 'conflict' });
    expect(await deletingAt()).toBeUndefined();

    const demoteYan = async () => {
      const other = { organizationId: shared.organizationId as never, userId: yan.id as never };
      await system.db.collection('member').updateOne(other, { $set: { role: 'member' } });
    };
    await expect(deleteAccount(xia, demoteYan)).rejects.toThrow(
      'Your account was not deleted. Already deleted, with all keys: Own one.',
    );
    expect(await system.db.collection('user').countDocuments({ _id: xia.id as never })).toBe(1);
  });

  it('the deletion of an account removes the person from other workspaces and leaves no data', async () => {
    const [uma, vic] = [await system.person('Uma'), await system.person('Vic')];
    await system.workspace('Left', [
      { id: uma.id, role: 'admin' },
      { id: vic.id, role: 'admin' },
    ]);
    const browser = await system.signIn(uma);
    const deleted = await browser.submit('/account/delete', { address: uma.email });
    expect(deleted.headers.get('location')).toBe('/sign-in?notice=account-deleted');
    expect((await system.anonymous().submit('/sign-in', uma)).status).toBe(401);
    await system.mails(uma.email);
    await system.db.collection('development_mails').deleteMany({});
    for (const { name } of await system.db.listCollections().toArray()) {
      if (name === 'audit_outbox') continue;
      const found = JSON.stringify(await system.db.collection(name).find().toArray());
      for (const trace of [uma.id, uma.email]) expect([name, found.includes(trace)]).toEqual([name, false]);
    }
  });
});

/** Deletes an account with a keys service of the test. */
async function deleteAccount(person: Person, deleteWorkspace: () => Promise<void>): Promise<void> {
  const { db } = system;
  const transact = createTransact({ client: db.client });
  const deps = {
    clock: { now: Date.now },
    people: createPeopleStore(db, transact, createFreeWorkspaceStore(db)),
    organizations: createOrganizationStore(db, transact, newAuthId),
    auditOutbox: createAuditOutbox(db),
    keys: { deleteWorkspace },
    transact,
    background: { run: () => {}, stop: async () => {} },
    sendMail: async () => {},
  } as unknown as Dependencies;
  const signedIn = { ...person, userId: person.id, sessionId: '', signedInAt: new Date(), twoFactorEnabled: false };
  const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
  await deleteWithDependencies(deps, person.email, signedIn, { headers: new Headers(), address: '192.0.2.1', origin });
}

/** The text of a page without what differs between any two responses. */
const shown = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
