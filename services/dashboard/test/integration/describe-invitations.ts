import { waitUntil } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { maxMembers } from '../../src/app/domain/role.ts';
import { textOf } from './support/html.ts';
import type { TestSystem } from './support/system.ts';

export function describeInvitations(shared: () => TestSystem): void {
  describe('invitations', () => {
    let system: TestSystem;
    beforeAll(() => {
      system = shared();
    });

    const password = 'a long enough password';

    async function newWorkspace(name = 'Acme') {
      const request = { name, planSlug: 'growth', actor: 'test', actorAddress: '' };
      const { workspace } = await system.clients.keys.createWorkspace(request);
      return workspace?.id as string;
    }

    async function invite(workspaceId: string, email: string, role = 'admin') {
      const { url } = await system.clients.dashboard.invitePerson({ workspaceId, email, role, actor: 'operator:test' });
      return url.slice(system.url.length);
    }

    const members = () => system.db.collection('member');
    const memberCount = async (workspaceId: string) => {
      const organization = await system.db.collection('organization').findOne({ slug: workspaceId });
      return members().countDocuments({ organizationId: organization?._id as never });
    };

    describe('invitations by an operator', () => {
      it("an operator's invitation lets a person without an account sign up with that address and become the first admin", async () => {
        const workspaceId = await newWorkspace('Northwind');
        const path = await invite(workspaceId, 'Nina@Example.com');
        expect(await system.mailedLink('nina@example.com')).toBe(path);
        const browser = system.anonymous();
        const page = await (await browser.get(path)).text();
        expect(page).toContain('Join Northwind');
        expect(page).toContain('nina@example.com');

        const joined = await browser.submit(path, { intent: 'sign-up', name: 'Nina', password });
        expect([joined.status, joined.headers.get('location')]).toEqual([302, `/workspaces/${workspaceId}`]);
        expect((await browser.get(`/workspaces/${workspaceId}`)).status).toBe(200);

        const member = await members().findOne(
          { role: 'admin', userId: /^usr_/ as never },
          { sort: { createdAt: -1 } },
        );
        expect(typeof member?.organizationId).toBe('string');
        const again = await system.signIn({ email: 'nina@example.com', password });
        expect((await again.get(`/workspaces/${workspaceId}`)).status).toBe(200);
      });

      it('an invitation asks a person with an account to sign in, and comes back', async () => {
        const ann = await system.person('Ann');
        const workspaceId = await newWorkspace();
        const path = await invite(workspaceId, ann.email, 'member');
        const browser = system.anonymous();
        expect(await (await browser.get(path)).text()).toContain(`/sign-in?next=${encodeURIComponent(path)}`);
        const signIn = await browser.submit(`/sign-in?next=${encodeURIComponent(path)}`, ann);
        expect(signIn.headers.get('location')).toBe(path);
        const before = browser.cookies.get('__Host-shopscope.session_token');
        const accepted = await browser.submit(path, { intent: 'accept' });
        expect(accepted.headers.get('location')).toBe(`/workspaces/${workspaceId}`);
        // The rights changed, so the session has a new token.
        expect(browser.cookies.get('__Host-shopscope.session_token')).not.toBe(before);
        const older = await system.anonymous().request(`/workspaces/${workspaceId}`, {
          headers: { Cookie: `__Host-shopscope.session_token=${before}` },
        });
        expect(older.status).toBe(302);
        expect((await browser.get(`/workspaces/${workspaceId}`)).status).toBe(200);
      });

      it("an operator's invitation is in the audit log of the workspace with its acceptance", async () => {
        const hal = await system.person('Hal');
        const workspaceId = await newWorkspace();
        const path = await invite(workspaceId, hal.email, 'member');
        await (await system.signIn(hal)).submit(path, { intent: 'accept' });
        const list = async () =>
          (await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 50 })).entries;
        await waitUntil('the entries', async () => (await list()).some(({ action }) => action === 'member.joined'));
        const entries = (await list()).map(({ actor, action, subjectId, detail }) => ({
          actor,
          action,
          subjectId,
          detail,
        }));
        expect(entries).toContainEqual({
          actor: 'operator:test',
          action: 'member.invited',
          subjectId: hal.email,
          detail: `${hal.email} as member`,
        });
        expect(entries).toContainEqual({
          actor: hal.id,
          action: 'member.joined',
          subjectId: hal.id,
          detail: 'as member',
        });
      });

      it('an invitation makes one member when it is accepted twice at the same time', async () => {
        const ben = await system.person('Ben');
        const workspaceId = await newWorkspace();
        const path = await invite(workspaceId, ben.email);
        const [one, two] = [await system.signIn(ben), await system.signIn(ben)];
        const answers = await Promise.all([one, two].map((browser) => browser.submit(path, { intent: 'accept' })));
        expect(answers.map(({ headers }) => headers.get('location'))).toEqual(
          Array(2).fill(`/workspaces/${workspaceId}`),
        );
        expect(await memberCount(workspaceId)).toBe(1);
      });

      it('an invitation is refused without details when it is expired, withdrawn, declined, used or invented', async () => {
        const ida = await system.person('Ida');
        const browser = await system.signIn(ida);
        const workspaceId = await newWorkspace('Secret name');
        const invitations = system.db.collection<{ _id: string }>('invitation');
        const idOf = (path: string) => path.split('/').pop()?.split('.')[0] as string;

        const expired = await invite(workspaceId, ida.email);
        const used = async (path: string) => {
          const page = await browser.get(path);
          const text = await page.text();
          expect(text).not.toContain('Secret name');
          expect(text).not.toContain('Acme');
          const accepted = await browser.submit(path, { intent: 'accept' });
          const signedUp = await browser.submit(path, { intent: 'sign-up', name: 'X', password });
          return [page.status, accepted.status, signedUp.status];
        };
        await invitations.updateOne({ _id: idOf(expired) }, { $set: { expiresAt: new Date(Date.now() - 1) } });
        expect(await used(expired)).toEqual([404, 404, 404]);
        const withdrawn = await invite(workspaceId, ida.email);
        await invite(workspaceId, ida.email);
        expect(await used(withdrawn)).toEqual([404, 404, 404]);
        const declined = await invite(workspaceId, ida.email);
        expect((await browser.submit(declined, { intent: 'decline' })).status).toBe(302);
        expect(await used(declined)).toEqual([404, 404, 404]);
        expect(await used('/invitations/invented')).toEqual([404, 404, 404]);
        // An admin sees the id of an invitation. Only the mail has the signature.
        const fresh = await invite(workspaceId, 'somebody@example.com');
        expect(await used(`/invitations/${idOf(fresh)}`)).toEqual([404, 404, 404]);
        expect(await memberCount(workspaceId)).toBe(0);
      });

      it('an invitation stays open when the workspace is full, and can be accepted later', async () => {
        const eli = await system.person('Eli');
        const { workspaceId, organizationId } = await system.workspace('Full', []);
        const all = Array.from({ length: maxMembers }, (_, n) => ({
          _id: `member-${n}-of-full` as never,
          organizationId,
          userId: `usr_${n}`,
          role: 'member',
          createdAt: new Date(),
        }));
        await members().insertMany(all);
        const path = await invite(workspaceId, eli.email, 'member');
        const browser = await system.signIn(eli);
        expect((await browser.submit(path, { intent: 'accept' })).status).toBe(409);
        await members().deleteOne({ _id: all[0]?._id as never });
        expect((await browser.submit(path, { intent: 'accept' })).status).toBe(302);
        expect(await memberCount(workspaceId)).toBe(maxMembers);
      });

      it('an invitation that is withdrawn during a sign-up leaves a person who is signed in and reads how to go on', async () => {
        const path = await invite(await newWorkspace(), 'wim@example.com', 'member');
        const browser = system.anonymous();
        const mongo = await MongoClient.connect(system.namespace.mongoUrl);
        const session = mongo.startSession();
        try {
          session.startTransaction();
          const invitations = mongo.db(system.db.databaseName).collection('invitation');
          await invitations.updateOne({ email: 'wim@example.com' }, { $set: { status: 'canceled' } }, { session });
          // The sign-up reads the invitation before the commit. It joins after the commit, or its write conflicts until then.
          const signUp = browser.submit(path, { intent: 'sign-up', name: 'Wim', password });
          const account = () => system.db.collection('user').findOne({ email: 'wim@example.com' });
          await waitUntil('the account exists', async () => (await account()) !== null);
          await session.commitTransaction();
          const answer = await signUp;
          expect([answer.status, answer.headers.get('location')]).toEqual([302, path]);
        } finally {
          await session.endSession();
          await mongo.close();
        }
        const page = await browser.get(path);
        expect(page.status).toBe(404);
        expect(textOf(await page.text())).toContain('You have an account and are signed in as wim@example.com');
        const home = textOf(await (await browser.get('/workspaces')).text());
        expect(home).toContain('Ask an admin of your workspace to invite wim@example.com');
        const next = await invite(await newWorkspace('Second'), 'wim@example.com', 'member');
        expect((await browser.submit(next, { intent: 'accept' })).status).toBe(302);
      });

      it('an invitation of a full workspace leaves a new account signed in, which can accept when there is room', async () => {
        const { workspaceId, organizationId } = await system.workspace('Full', []);
        const all = Array.from({ length: maxMembers }, (_, n) => ({
          _id: `member-${n}-of-another` as never,
          organizationId,
          userId: `usr_${n}`,
          role: 'member',
          createdAt: new Date(),
        }));
        await members().insertMany(all);
        const path = await invite(workspaceId, 'uma@example.com', 'member');
        const browser = system.anonymous();
        const answer = await browser.submit(path, { intent: 'sign-up', name: 'Uma', password });
        expect([answer.status, answer.headers.get('location')]).toEqual([302, path]);
        expect(textOf(await (await browser.get(path)).text())).toContain('You have not joined yet.');
        expect((await browser.submit(path, { intent: 'accept' })).status).toBe(409);
        await members().deleteOne({ _id: all[0]?._id as never });
        expect((await browser.submit(path, { intent: 'accept' })).status).toBe(302);
        expect(await memberCount(workspaceId)).toBe(maxMembers);
      });

      it('an invitation is refused at the field for an address that the audit log cannot record', async () => {
        const workspaceId = await newWorkspace();
        const refused = { code: 'invalid_request', publicMessage: expect.stringContaining('email') };
        await expect(invite(workspaceId, `${'a'.repeat(189)}@example.com`)).rejects.toMatchObject(refused);
        expect(await system.db.collection('invitation').countDocuments({ email: /^aaaa/ })).toBe(0);
      });

      it("an operator's invitation is refused when it names a person as the inviter", async () => {
        const workspaceId = await newWorkspace();
        const request = {
          workspaceId,
          email: 'lea@example.com',
          role: 'admin',
          actor: 'usr_00000000000000000000000000',
        };
        const refused = { code: 'invalid_request', publicMessage: expect.stringMatching(/^actor: /) };
        await expect(system.clients.dashboard.invitePerson(request)).rejects.toMatchObject(refused);
        expect(await system.db.collection('invitation').countDocuments({ email: 'lea@example.com' })).toBe(0);
      });

      it('an invitation cannot be accepted with another address', async () => {
        const carl = await system.person('Carl');
        const workspaceId = await newWorkspace();
        const path = await invite(workspaceId, 'another@example.com');
        const browser = await system.signIn(carl);
        expect((await browser.submit(path, { intent: 'accept' })).status).toBe(403);
        expect(await memberCount(workspaceId)).toBe(0);
      });

      it('an invitation is refused for a workspace that does not exist and for a member', async () => {
        await expect(invite('ws_00000000000000000000000000', 'a@example.com')).rejects.toMatchObject({
          code: 'not_found',
        });
        const dora = await system.person('Dora');
        const { workspaceId } = await system.workspace('Acme', [{ id: dora.id, role: 'admin' }]);
        await expect(invite(workspaceId, dora.email)).rejects.toMatchObject({ code: 'conflict' });
      });
    });
  });
}
