import type { Visitor } from '@shopscope/browser/visitor';
import { systemClock } from '@shopscope/clock';
import { createTransact } from '@shopscope/mongo';
import { silentTelemetry } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkspaceVisit } from '../../src/app/operations/visit.ts';
import { createTeamStore } from '../../src/app/outbound/team.ts';
import type { Dependencies } from '../../src/app/wiring/dependencies.ts';
import { create as createKeyOf } from '../../src/keys/operations/keys.ts';
import { createKeysClient, type KeysClient } from '../../src/keys/outbound/keys.ts';
import * as memberChanges from '../../src/people/operations/member-changes.ts';
import { createAuditOutbox } from '../../src/people/outbound/audit-outbox.ts';
import { createOrganizationStore } from '../../src/people/outbound/organizations.ts';
import { createSessionStore } from '../../src/people/outbound/sessions.ts';
import { read } from './support/html.ts';
import type { TestSystem } from './support/system.ts';

export function describeMadeKeys(shared: () => TestSystem): void {
  describe('made keys', () => {
    let system: TestSystem;
    beforeAll(() => {
      system = shared();
    });

    let workspaces = 0;

    /** A workspace with two admins and a member, each signed in. */
    async function startWorkspace() {
      workspaces += 1;
      const ann = await system.person(`Ann Admin ${workspaces}`);
      const bob = await system.person(`Bob Admin ${workspaces}`);
      const mia = await system.person(`Mia Member ${workspaces}`);
      const { workspaceId, organizationId } = await system.workspace('Acme', [
        { id: ann.id, role: 'admin' },
        { id: bob.id, role: 'admin' },
        { id: mia.id, role: 'member' },
      ]);
      const settings = `/workspaces/${workspaceId}/settings`;
      const [admin, maker, member] = [await system.signIn(ann), await system.signIn(bob), await system.signIn(mia)];
      return {
        ann,
        bob,
        mia,
        admin,
        maker,
        member,
        settings,
        list: `${settings}/members`,
        workspaceId,
        organizationId,
      };
    }
    type World = Awaited<ReturnType<typeof startWorkspace>>;

    async function keyOf(
      { workspaceId }: World,
      { id }: { id: string },
      label: string,
      expiresAtMs?: number,
    ): Promise<string> {
      const given = { workspaceId, label, preset: 'full', scopes: [], actor: id, actorAddress: '', requestToken: '' };
      const { key } = await system.clients.keys.createKey({ ...given, expiresAtMs });
      return key?.id ?? '';
    }
    const validKeys = async ({ workspaceId }: World) =>
      (await system.clients.keys.listKeys({ workspaceId, includeInactive: false })).keys.map(({ id }) => id);
    const logOf = async ({ workspaceId }: World) =>
      (await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 100 })).entries
        .toSorted((a, b) => a.sequence - b.sequence)
        .map(({ action, subjectId, actor }) => [action, subjectId, actor]);
    const membersOf = async ({ organizationId }: World) => {
      const found = await system.db.collection('member').find({ organizationId }).toArray();
      return Object.fromEntries(found.map(({ userId, role }) => [userId, role]));
    };

    /** Sends a form with several fields of one name. */
    const submit = (browser: Visitor, path: string, fields: Record<string, string>, keys: string[]) =>
      browser.request(path, {
        method: 'POST',
        headers: { Origin: system.url },
        body: new URLSearchParams([...Object.entries(fields), ...keys.map((key): [string, string] => ['keys', key])]),
      });

    /** The ids of the keys that a page offers to revoke. */
    const offered = async (browser: Visitor, path: string) =>
      [...(await (await browser.get(path)).text()).matchAll(/name="keys" value="(key_\w+)"/g)].map(([, id]) => id);

    describe('new keys', () => {
      it('a new key needs a recent sign-in: to open the form, to send it, and in place of another key', async () => {
        const world = await startWorkspace();
        const { ann, admin, settings } = world;
        const old = await keyOf(world, ann, 'Old');
        const form = {
          label: 'Import job',
          environment: 'live',
          access: 'full',
          expires: 'none',
          expires_on: '',
          request_token: 'a-token-of-a-form',
        };
        await system.ageSignIns(ann.id);
        for (const path of [`${settings}/keys/new`, `${settings}/keys/new?rotate=${old}`]) {
          const answers = [await admin.get(path), await admin.submit(path, form)];
          const confirm = `/confirm?next=${encodeURIComponent(path)}`;
          expect(answers.map(({ headers }) => headers.get('location'))).toEqual([confirm, confirm]);
        }
        expect(await validKeys(world)).toEqual([old]);
        await admin.submit('/confirm', { password: ann.password });
        expect((await admin.submit(`${settings}/keys/new`, form)).status).toBe(200);
        expect(await validKeys(world)).toHaveLength(2);
      });

      it('a new key is revoked, and its secret is not shown, when the person is removed while the key is made', async () => {
        const world = await startWorkspace();
        const { bob, organizationId, workspaceId } = world;
        const real = createKeysClient(system.clients.keys);
        const createKey: KeysClient['createKey'] = async (request, origin) => {
          const made = await real.createKey(request, origin);
          await system.db.collection('member').deleteOne({ organizationId, userId: bob.id as never });
          return made;
        };
        const deps = {
          keys: { ...real, createKey },
          team: createTeamStore(system.db),
          clock: systemClock,
        } as Partial<Dependencies> as Dependencies;
        const input = {
          label: 'Late',
          environment: 'live',
          preset: 'full',
          scopes: [],
          requestToken: 'a-token-of-a-form',
        };
        await expect(
          createKeyOf(deps, visitOf(world, bob), { ...input, expiry: { kind: 'none' } }),
        ).rejects.toMatchObject({
          code: 'forbidden_scope',
        });
        const { keys: all } = await system.clients.keys.listKeys({ workspaceId, includeInactive: true });
        expect(all.map(({ label, revokedAtMs }) => [label, revokedAtMs === undefined])).toEqual([['Late', false]]);
      });
    });

    /** A request of an admin with a recent sign-in. */
    function visitOf(
      { workspaceId, organizationId }: World,
      { id, name, email }: { id: string; name: string; email: string },
    ): WorkspaceVisit {
      return {
        person: { userId: id, name, email, sessionId: 'none', signedInAt: new Date(), twoFactorEnabled: false },
        membership: { workspaceId, organizationId, name: 'Acme', role: 'admin' },
        address: '',
        origin: { requestId: 'req_test', traceparent: '', environment: 'live' },
      };
    }

    describe('removal of a member', () => {
      it('the removal of a member shows the valid keys that the person made, with prefix and last use, and no other key', async () => {
        const world = await startWorkspace();
        const { ann, bob, admin, list, workspaceId } = world;
        const [first, second] = [await keyOf(world, bob, 'Import job'), await keyOf(world, bob, 'Export job')];
        await keyOf(world, ann, 'Of Ann');
        const revoked = await keyOf(world, bob, 'Revoked');
        await system.clients.keys.revokeKey({ workspaceId, keyId: revoked, actor: bob.id, actorAddress: '' });
        await system.clients.keys.issueDashboardKey({ workspaceId, switchOn: false, actor: bob.id, actorAddress: '' });
        expect(await offered(admin, `${list}/${bob.id}/remove`)).toEqual([first, second]);
        const page = await read(await admin.get(`${list}/${bob.id}/remove`));
        expect(page).toMatch(/Import job svc_live_\w{4} Last used: Never/);
        expect(page).toContain('All 2 keys');
      });

      it('the removal of a member revokes the chosen keys afterwards, and the list says which are left', async () => {
        const world = await startWorkspace();
        const { ann, bob, admin, list } = world;
        const [chosen, kept] = [await keyOf(world, bob, 'Import job'), await keyOf(world, bob, 'Export job')];
        const done = await submit(admin, `${list}/${bob.id}/remove`, { name: bob.name }, [chosen]);
        expect(done.headers.get('location')).toBe(`${list}?removed=${bob.id}&keys=revoked`);
        expect([await validKeys(world), Object.keys(await membersOf(world))]).toEqual([
          [kept],
          expect.not.arrayContaining([bob.id]),
        ]);
        expect((await logOf(world)).slice(-2)).toEqual([
          ['member.removed', bob.id, ann.id],
          ['key.revoked', chosen, ann.id],
        ]);
        const page = await admin.get(done.headers.get('location') as string);
        const html = await page.text();
        expect(html).toContain('An API key that this person made is still valid.');
        expect(html).toContain(`${list}/${bob.id}/keys`);
      });

      it('the removal of a member with all keys also revokes one that the person made after the page was opened', async () => {
        const world = await startWorkspace();
        const { bob, ann, admin, list } = world;
        await keyOf(world, bob, 'Import job');
        const own = await keyOf(world, ann, 'Of Ann');
        expect(await offered(admin, `${list}/${bob.id}/remove`)).toHaveLength(1);
        await keyOf(world, bob, 'Late');
        await submit(admin, `${list}/${bob.id}/remove`, { name: bob.name }, ['all']);
        expect(await validKeys(world)).toEqual([own]);
        expect(await read(await admin.get(`${list}?removed=${bob.id}&keys=revoked`))).not.toContain('still valid');
      });

      it('the removal changes nothing when a chosen key is not one that the person made, and keeps the ticks', async () => {
        const world = await startWorkspace();
        const { ann, bob, admin, list } = world;
        const [own, foreign] = [await keyOf(world, bob, 'Import job'), await keyOf(world, ann, 'Of Ann')];
        for (const wrong of [foreign, 'key_00000000000000000000000000', '']) {
          const refused = await submit(admin, `${list}/${bob.id}/remove`, { name: bob.name }, [own, wrong]);
          expect([wrong, refused.status]).toEqual([wrong, 400]);
          expect(await refused.text()).toMatch(new RegExp(`<input(?=[^>]*value="${own}")[^>]*checked`));
        }
        expect([await validKeys(world), await membersOf(world)]).toEqual([
          [own, foreign],
          expect.objectContaining({ [bob.id]: 'admin' }),
        ]);
      });
    });

    describe('keys that cannot be revoked', () => {
      /** The keys service refuses to revoke. */
      function withoutRevocation() {
        const { db } = system;
        const { logger } = silentTelemetry();
        const team = createTeamStore(db);
        const organizations = createOrganizationStore(db, createTransact({ client: db.client }), () => 'id');
        const keys = createKeysClient(system.clients.keys);
        const revokeKeys = async () => {
          throw new Error('keys is away');
        };
        return {
          team,
          organizations,
          logger,
          sessions: createSessionStore(db),
          auditOutbox: createAuditOutbox(db),
          keys: { ...keys, revokeKeys },
          clock: systemClock,
        } as Partial<Dependencies> as Dependencies;
      }

      it('a person stays removed when keys cannot be revoked: the list leads to the keys, which an admin then revokes', async () => {
        const world = await startWorkspace();
        const { ann, bob, admin, maker, list, settings } = world;
        const key = await keyOf(world, bob, 'Import job');
        const given = { confirmation: bob.name, keys: [key] };
        expect(await memberChanges.remove(withoutRevocation(), visitOf(world, ann), bob.id, given)).toBe('failed');
        expect([await membersOf(world), await validKeys(world)]).toEqual([
          expect.not.objectContaining({ [bob.id]: 'admin' }),
          [key],
        ]);
        expect((await maker.get(list)).headers.get('location')).toContain('/sign-in');
        expect(await read(await admin.get(`${list}?removed=${bob.id}&keys=failed`))).toContain(
          'The chosen keys could not be revoked.',
        );

        const page = `${list}/${bob.id}/keys`;
        expect(await offered(admin, page)).toEqual([key]);
        expect(await read(await admin.get(page))).toContain('no longer a member');
        const wrong = [
          await submit(admin, page, { name: 'Somebody' }, [key]),
          await submit(admin, page, { name: bob.name }, []),
        ];
        expect([...wrong.map(({ status }) => status), await validKeys(world)]).toEqual([400, 400, [key]]);
        const done = await submit(admin, page, { name: bob.name }, [key]);
        expect([done.headers.get('location'), await validKeys(world)]).toEqual([`${settings}/keys`, []]);
        expect((await admin.get(page)).status).toBe(404);
      });

      it('another person stays demoted when keys cannot be revoked, and the admin’s own role does not change', async () => {
        const world = await startWorkspace();
        const { ann, bob } = world;
        const [ofBob, ofAnn] = [await keyOf(world, bob, 'Of Bob'), await keyOf(world, ann, 'Of Ann')];
        const visit = visitOf(world, ann);
        await expect(memberChanges.setRole(withoutRevocation(), visit, ann.id, 'member', [ofAnn])).rejects.toThrow(
          'keys is away',
        );
        await expect(memberChanges.leave(withoutRevocation(), visit, [ofAnn])).rejects.toThrow('keys is away');
        expect(await membersOf(world)).toMatchObject({ [ann.id]: 'admin' });
        expect(await memberChanges.setRole(withoutRevocation(), visit, bob.id, 'member', [ofBob])).toMatchObject({
          keys: 'failed',
        });
        expect(await membersOf(world)).toMatchObject({ [ann.id]: 'admin', [bob.id]: 'member' });
      });
    });

    describe('admins who become members or leave', () => {
      it('the demotion of an admin can revoke the keys that the admin made', async () => {
        const world = await startWorkspace();
        const { ann, bob, admin, list } = world;
        const [chosen, kept] = [await keyOf(world, bob, 'Import job'), await keyOf(world, bob, 'Export job')];
        expect(await offered(admin, `${list}/${bob.id}/demote`)).toEqual([chosen, kept]);
        const form = { intent: 'set_role', user_id: bob.id, role: 'member' };
        const done = await submit(admin, list, form, [chosen]);
        expect(done.headers.get('location')).toBe(`${list}?demoted=${bob.id}&keys=revoked`);
        expect(await read(await admin.get(done.headers.get('location') as string))).toContain(
          `${bob.name} is a member from now on.`,
        );
        expect([await validKeys(world), await membersOf(world)]).toEqual([
          [kept],
          expect.objectContaining({ [bob.id]: 'member' }),
        ]);
        expect((await logOf(world)).slice(-2)).toEqual([
          ['member.role_changed', bob.id, ann.id],
          ['key.revoked', chosen, ann.id],
        ]);
        // A promotion revokes nothing.
        await submit(admin, list, { ...form, role: 'admin' }, [kept]);
        expect(await validKeys(world)).toEqual([kept]);
      });

      it('an admin revokes their own keys when giving the role up or leaving, which needs a recent sign-in', async () => {
        const world = await startWorkspace();
        const { ann, bob, admin, maker, list, settings } = world;
        const [ofAnn, ofBob] = [await keyOf(world, ann, 'Of Ann'), await keyOf(world, bob, 'Of Bob')];
        expect(await offered(maker, `${settings}/leave`)).toEqual([ofBob]);
        await system.ageSignIns(bob.id);
        const refused = await submit(maker, `${settings}/leave`, {}, [ofBob]);
        expect(refused.status).toBe(401);
        expect(await refused.text()).toContain(`/confirm?next=${encodeURIComponent(`${settings}/leave`)}`);
        expect(await membersOf(world)).toMatchObject({ [bob.id]: 'admin' });
        await maker.submit('/confirm', { password: bob.password });
        expect((await submit(maker, `${settings}/leave`, {}, [ofBob])).headers.get('location')).toBe('/workspaces');
        expect([await validKeys(world), Object.keys(await membersOf(world))]).toEqual([
          [ofAnn],
          expect.not.arrayContaining([bob.id]),
        ]);
        await admin.submit(list, { intent: 'set_role', user_id: world.mia.id, role: 'admin' });
        await submit(admin, list, { intent: 'set_role', user_id: ann.id, role: 'member' }, ['all']);
        expect([await validKeys(world), await membersOf(world)]).toEqual([
          [],
          expect.objectContaining({ [ann.id]: 'member' }),
        ]);
      });

      it('a member revokes nothing when leaving, not even keys that the member created as an admin', async () => {
        const world = await startWorkspace();
        const { mia, member, settings } = world;
        const key = await keyOf(world, mia, 'Of Mia');
        expect(await offered(member, `${settings}/leave`)).toEqual([]);
        expect((await submit(member, `${settings}/leave`, {}, [key])).status).toBe(403);
        expect([await validKeys(world), await membersOf(world)]).toEqual([
          [key],
          expect.objectContaining({ [mia.id]: 'member' }),
        ]);
      });
    });

    describe('keys of a person', () => {
      it('the page with the keys of a person is for admins, and shows nothing about somebody who never made one here', async () => {
        const world = await startWorkspace();
        const { bob, admin, member, list } = world;
        await keyOf(world, bob, 'Import job');
        const stranger = await system.person('Stranger Danger');
        expect((await member.get(`${list}/${bob.id}/keys`)).status).toBe(403);
        const unknown = await admin.get(`${list}/${stranger.id}/keys`);
        expect([unknown.status, (await unknown.text()).includes('Stranger Danger')]).toEqual([404, false]);
      });
    });

    describe('pages about a password', () => {
      it('the pages about a password say that keys stay, and the account leads to the keys of each workspace', async () => {
        const { ann, admin, settings } = await startWorkspace();
        const page = await (await admin.get('/account')).text();
        expect(page).toContain('API keys stay valid.');
        expect(page).toContain(`href="${settings}/keys"`);
        await admin.submit('/account', {
          intent: 'password',
          currentPassword: ann.password,
          newPassword: 'another long password',
        });
        expect(await read(await admin.get('/account?notice=password'))).toContain('API keys stay valid.');
        const [mail] = await system.mails(ann.email);
        expect(mail?.text).toContain(`${system.url}/settings/api-keys`);
      });
    });
  });
}
