import type { Visitor } from '@shopscope/browser/visitor';
import { waitUntil } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { invitationToken } from '../../src/people/domain/invitation-link.ts';
import type { TestSystem } from './support/system.ts';

export function describeInviter(shared: () => TestSystem): void {
  describe('inviter', () => {
    let system: TestSystem;
    beforeAll(() => {
      system = shared();
    });

    const password = 'a long enough password';
    let workspaces = 0;

    /** A workspace with an admin who invites, another admin, and a person outside who is signed in. */
    async function startWorkspace() {
      workspaces += 1;
      const ann = await system.person(`Ann Admin ${workspaces}`);
      const bob = await system.person(`Bob Admin ${workspaces}`);
      const eve = await system.person(`Eve Outside ${workspaces}`);
      const { workspaceId, organizationId } = await system.workspace('Acme', [
        { id: ann.id, role: 'admin' },
        { id: bob.id, role: 'admin' },
      ]);
      const [inviter, other, outside] = [await system.signIn(bob), await system.signIn(ann), await system.signIn(eve)];
      const list = `/workspaces/${workspaceId}/settings/members`;
      return {
        ann,
        bob,
        eve,
        inviter,
        other,
        outside,
        list,
        workspaceId,
        organizationId,
        settings: `/workspaces/${workspaceId}/settings`,
      };
    }
    type World = Awaited<ReturnType<typeof startWorkspace>>;

    /** Invites an address and returns the path of the mailed link. */
    async function invite(
      browser: Visitor,
      { list }: World,
      email: string,
      role = 'admin',
      count = 1,
    ): Promise<string> {
      const sent = await browser.submit(list, { intent: 'invite', email, role });
      expect(sent.status).toBe(200);
      return system.mailedLink(email, count);
    }

    const rolesOf = async ({ organizationId }: World) => {
      const found = await system.db.collection('member').find({ organizationId }).toArray();
      return Object.fromEntries(found.map(({ userId, role }) => [userId, role]));
    };
    const statusesOf = async ({ organizationId }: World, email: string) =>
      (await system.db.collection('invitation').find({ organizationId, email }).sort({ createdAt: 1 }).toArray()).map(
        ({ status }) => status,
      );
    const logOf = async ({ workspaceId }: World) =>
      (await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 100 })).entries;

    const ends: [how: string, end: (world: World) => Promise<Response>][] = [
      ['was removed', ({ other, list, bob }) => other.submit(`${list}/${bob.id}/remove`, { name: bob.name })],
      [
        'was demoted',
        ({ other, list, bob }) => other.submit(list, { intent: 'set_role', user_id: bob.id, role: 'member' }),
      ],
      [
        'gave the role up',
        ({ inviter, list, bob }) => inviter.submit(list, { intent: 'set_role', user_id: bob.id, role: 'member' }),
      ],
      ['left', ({ inviter, settings }) => inviter.submit(`${settings}/leave`, {})],
      ['deleted the account', ({ inviter, bob }) => inviter.submit('/account/delete', { address: bob.email })],
    ];

    describe('invitations of an admin', () => {
      it.each(ends)(
        'an invitation of an admin ends for everybody when the admin %s, as the list and the audit log say',
        async (_, end) => {
          const world = await startWorkspace();
          const { inviter, other, outside, eve, list } = world;
          const fresh = `fresh${workspaces}@example.com`;
          const [ofEve, ofFresh] = [
            await invite(inviter, world, eve.email),
            await invite(inviter, world, fresh, 'member'),
          ];
          expect((await outside.get(ofEve)).status).toBe(200);
          expect((await end(world)).status).toBe(302);

          const answers = [
            (await outside.get(ofEve)).status,
            (await outside.submit(ofEve, { intent: 'accept' })).status,
            (await system.anonymous().submit(ofFresh, { intent: 'sign-up', name: 'Fresh', password })).status,
          ];
          expect(answers).toEqual([404, 404, 404]);
          expect(await system.db.collection('user').countDocuments({ email: fresh })).toBe(0);
          expect(Object.keys(await rolesOf(world))).not.toContain(eve.id);
          expect(await (await other.get(list)).text()).not.toContain(fresh);
          const withdrawn = async () => (await logOf(world)).filter(({ action }) => action === 'invitation.withdrawn');
          await waitUntil('the entries', async () => (await withdrawn()).length === 2);
          const entries = (await withdrawn()).map(({ subjectId, detail }) => [subjectId, detail]);
          expect(entries.toSorted()).toEqual(
            [eve.email, fresh].map((email) => [email, `${email}: the sender is not an admin any more`]).toSorted(),
          );
        },
      );

      it('an invitation stays ended when its admin gets the role back', async () => {
        const world = await startWorkspace();
        const { inviter, other, outside, eve, bob, list } = world;
        const path = await invite(inviter, world, eve.email);
        for (const role of ['member', 'admin']) await other.submit(list, { intent: 'set_role', user_id: bob.id, role });
        expect(await rolesOf(world)).toMatchObject({ [bob.id]: 'admin' });
        expect((await outside.submit(path, { intent: 'accept' })).status).toBe(404);
      });

      it('an invitation belongs to whoever sent it last', async () => {
        const world = await startWorkspace();
        const { inviter, other, outside, eve, bob, ann, list } = world;
        const first = await invite(inviter, world, eve.email);
        await other.submit(list, { intent: 'send_again', email: eve.email });
        const second = await system.mailedLink(eve.email, 2);
        await other.submit(`${list}/${bob.id}/remove`, { name: bob.name });
        expect([(await outside.get(first)).status, (await outside.get(second)).status]).toEqual([404, 200]);
        const carl = await system.person(`Carl ${workspaces}`);
        await system.db.collection('member').insertOne({
          _id: `carl of ${world.organizationId}` as never,
          organizationId: world.organizationId,
          userId: carl.id,
          role: 'admin',
          createdAt: new Date(),
        });
        await (await system.signIn(carl)).submit(`${list}/${ann.id}/remove`, { name: ann.name });
        expect((await outside.submit(second, { intent: 'accept' })).status).toBe(404);
      });

      it('an invitation is accepted once, and what was accepted before stays', async () => {
        const world = await startWorkspace();
        const { inviter, other, outside, eve, bob, list, workspaceId } = world;
        const path = await invite(inviter, world, eve.email, 'member');
        expect((await outside.submit(path, { intent: 'accept' })).status).toBe(302);
        await other.submit(`${list}/${bob.id}/remove`, { name: bob.name });
        const again = await outside.submit(path, { intent: 'accept' });
        expect(again.headers.get('location')).toBe(`/workspaces/${workspaceId}`);
        expect(await rolesOf(world)).toMatchObject({ [eve.id]: 'member' });
        await other.submit(`${list}/${eve.id}/remove`, { name: eve.name });
        expect((await (await system.signIn(eve)).submit(path, { intent: 'accept' })).status).toBe(404);
      });

      it('an invitation of an admin ends with the workspace', async () => {
        const world = await startWorkspace();
        const path = await invite(world.inviter, world, world.eve.email);
        expect((await world.other.submit(`${world.settings}/workspace/delete`, { name: 'Acme' })).status).toBe(302);
        expect((await world.outside.submit(path, { intent: 'accept' })).status).toBe(404);
      });
    });

    describe('acceptance', () => {
      /** A pending invitation, as if its end had been missed. */
      async function pending(world: World, email: string, inviterId: string): Promise<string> {
        const _id = `missed-${email}-${inviterId}`.replaceAll(/[^\w-]/g, '');
        const expiresAt = new Date(Date.now() + 86_400_000);
        const given = {
          organizationId: world.organizationId,
          email,
          inviterId,
          role: 'admin',
          status: 'pending',
          teamId: null,
        };
        await system.db
          .collection('invitation')
          .insertOne({ _id: _id as never, ...given, createdAt: new Date(), expiresAt });
        return `/invitations/${invitationToken(system.secret, _id)}`;
      }

      it('an acceptance checks the right of the inviter itself: only an admin of this workspace has it', async () => {
        const world = await startWorkspace();
        const { outside, eve, bob, ann } = world;
        const foreign = await system.person(`Finn Foreign ${workspaces}`);
        const gone = 'usr_00000000000000000000000000';
        await system.workspace('Elsewhere', [{ id: foreign.id, role: 'admin' }]);
        await system.db.collection('member').updateOne({ userId: bob.id as never }, { $set: { role: 'member' } });
        for (const inviterId of [bob.id, foreign.id, gone, eve.id]) {
          const path = await pending(world, eve.email, inviterId);
          const answers = [(await outside.get(path)).status, (await outside.submit(path, { intent: 'accept' })).status];
          expect([inviterId, ...answers]).toEqual([inviterId, 404, 404]);
        }
        const fresh = await pending(world, `never${workspaces}@example.com`, bob.id);
        const signUp = { intent: 'sign-up', name: 'Never', password };
        expect((await system.anonymous().submit(fresh, signUp)).status).toBe(404);
        expect(Object.keys(await rolesOf(world))).not.toContain(eve.id);
        const right = await pending(world, eve.email, ann.id);
        expect((await outside.submit(right, { intent: 'accept' })).status).toBe(302);
      });

      it('an acceptance needs no admin for an invitation of an operator', async () => {
        const world = await startWorkspace();
        const { outside, eve, bob, other, list, workspaceId } = world;
        const given = { workspaceId, email: eve.email, role: 'admin', actor: 'operator:test' };
        const { url } = await system.clients.dashboard.invitePerson(given);
        await other.submit(`${list}/${bob.id}/remove`, { name: bob.name });
        expect((await outside.submit(url.slice(system.url.length), { intent: 'accept' })).status).toBe(302);
        expect(await rolesOf(world)).toMatchObject({ [eve.id]: 'admin' });
      });

      it('an acceptance at the same time as the removal leaves a member whose invitation was valid, or an ended invitation', async () => {
        for (let round = 0; round < 6; round++) {
          const world = await startWorkspace();
          const { inviter, other, outside, eve, bob, list } = world;
          const path = await invite(inviter, world, eve.email);
          const [accepted, removed] = await Promise.all([
            outside.submit(path, { intent: 'accept' }),
            other.submit(`${list}/${bob.id}/remove`, { name: bob.name }),
          ]);
          expect(removed.status).toBe(302);
          const roles = await rolesOf(world);
          const expected = accepted.status === 302 ? ['accepted', 'admin'] : ['canceled', undefined];
          expect([...(await statusesOf(world, eve.email)), roles[eve.id]]).toEqual(expected);
          expect(roles[bob.id]).toBeUndefined();
        }
      });
    });
  });
}
