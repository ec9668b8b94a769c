import { beforeAll, describe, expect, it } from 'vitest';
import { textOf } from './support/html.ts';
import type { TestSystem } from './support/system.ts';

export function describeMembers(shared: () => TestSystem): void {
  describe('members', () => {
    let system: TestSystem;
    beforeAll(() => {
      system = shared();
    });

    let workspaces = 0;

    /** A workspace with two admins and a member. */
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
      const [admin, other, member] = [await system.signIn(ann), await system.signIn(bob), await system.signIn(mia)];
      return {
        ann,
        bob,
        mia,
        workspaceId,
        organizationId,
        settings,
        list: `${settings}/members`,
        admin,
        other,
        member,
      };
    }

    const rolesOf = async (organizationId: string) => {
      const found = await system.db.collection('member').find({ organizationId }).toArray();
      return Object.fromEntries(found.map(({ userId, role }) => [userId, role]));
    };
    const auditOf = async (workspaceId: string) =>
      (await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 100 })).entries;
    const mailsTo = (to: string) =>
      system.db.collection('development_mails').find({ to }).sort({ sentAt: 1 }).toArray();
    const linkIn = (text: string) => /\/invitations\/\S+/.exec(text)?.[0] as string;

    describe('invitations', () => {
      it('an admin invites an address: it gets a mail, the page shows the invitation, and the log has it', async () => {
        const { admin, list, workspaceId, organizationId, ann } = await startWorkspace();
        const response = await admin.submit(list, { intent: 'invite', email: 'New.Person@Example.com', role: 'admin' });
        expect(response.status).toBe(200);
        expect(textOf(await response.text())).toContain('We sent an invitation to new.person@example.com');
        const [mail] = await mailsTo('new.person@example.com');
        expect(mail?.subject).toBe('You are invited to a workspace on Shopscope');
        const [invitation] = await system.db.collection('invitation').find({ organizationId }).toArray();
        expect(invitation).toMatchObject({
          status: 'pending',
          role: 'admin',
          inviterId: ann.id,
          email: 'new.person@example.com',
        });
        expect(textOf(await (await system.anonymous().get(linkIn(mail?.text))).text())).toContain('Acme');
        expect((await auditOf(workspaceId))[0]).toMatchObject({
          action: 'member.invited',
          actor: ann.id,
          detail: 'new.person@example.com as admin',
        });
        const page = await (await admin.get(list)).text();
        expect(textOf(page)).toContain('new.person@example.com');
        expect(page).not.toContain(String(invitation?._id));
      });

      it('one address gets at most five invitations per hour, and the sixth leaves no trace', async () => {
        const { admin, list, workspaceId, organizationId } = await startWorkspace();
        const email = 'flooded@example.com';
        const statuses = [];
        for (let n = 0; n < 6; n++) {
          statuses.push((await admin.submit(list, { intent: 'invite', email, role: 'member' })).status);
          if (n < 5) await admin.submit(list, { intent: 'withdraw', email });
        }
        expect(statuses).toEqual([...Array(5).fill(200), 429]);
        expect(await mailsTo(email)).toHaveLength(5);
        expect(await system.db.collection('invitation').countDocuments({ organizationId, status: 'pending' })).toBe(0);
        expect((await auditOf(workspaceId)).filter(({ action }) => action === 'member.invited')).toHaveLength(5);
      });

      it('addresses of one mailbox share the limit of invitations, and each gets its mail under the address as typed', async () => {
        const { admin, list, workspaceId } = await startWorkspace();
        const addresses = Array.from({ length: 6 }, (_, n) => `tagged+${n}@example.com`);
        const statuses = [];
        for (const email of addresses) {
          statuses.push((await admin.submit(list, { intent: 'invite', email, role: 'member' })).status);
        }
        expect(statuses).toEqual([...Array(5).fill(200), 429]);
        for (const email of addresses.slice(0, 5)) expect(await mailsTo(email)).toHaveLength(1);
        expect(await mailsTo('tagged+5@example.com')).toHaveLength(0);
        expect((await auditOf(workspaceId)).filter(({ action }) => action === 'member.invited')).toHaveLength(5);
      });

      it('an invitation that is sent again ends the earlier link, and a withdrawal ends the link', async () => {
        const { admin, list } = await startWorkspace();
        const email = `again${workspaces}@example.com`;
        await admin.submit(list, { intent: 'invite', email, role: 'member' });
        await admin.submit(list, { intent: 'send_again', email });
        const links = (await mailsTo(email)).map(({ text }) => linkIn(text));
        const statusOf = async (link: string) => (await system.anonymous().get(link)).status;
        expect([links.length, await statusOf(links[0] as string), await statusOf(links[1] as string)]).toEqual([
          2, 404, 200,
        ]);
        const withdrawn = await admin.submit(list, { intent: 'withdraw', email });
        expect([withdrawn.status, await statusOf(links[1] as string)]).toEqual([200, 404]);
        for (const intent of ['withdraw', 'send_again']) {
          expect([intent, (await admin.submit(list, { intent, email })).status]).toEqual([intent, 404]);
        }
      });

      it('an invitation of a wrong address, a wrong role or a member is refused at the field', async () => {
        const { admin, list, mia, organizationId } = await startWorkspace();
        for (const [fields, text] of [
          [{ email: 'no address', role: 'member' }, 'This is not an e-mail address.'],
          [{ email: 'x@example.com', role: 'owner' }, 'Choose a role.'],
          [{ email: mia.email, role: 'member' }, 'is a member of this workspace already'],
        ] as const) {
          const response = await admin.submit(list, { intent: 'invite', ...fields });
          expect([text, response.status]).toEqual([text, 400]);
          expect(textOf(await response.text())).toContain(text);
        }
        expect(await system.db.collection('invitation').countDocuments({ organizationId })).toBe(0);
      });
    });

    describe('roles and removal', () => {
      it('a person whose role is changed signs in again and has the new role', async () => {
        const { admin, member, list, settings, mia, workspaceId, organizationId } = await startWorkspace();
        expect((await member.get(`${settings}/audit-log`)).status).toBe(403);
        const promoted = await admin.submit(list, { intent: 'set_role', user_id: mia.id, role: 'admin' });
        expect([promoted.status, (await rolesOf(organizationId))[mia.id]]).toEqual([200, 'admin']);
        expect((await member.get(`${settings}/audit-log`)).headers.get('location')).toContain('/sign-in');
        const again = await system.signIn(mia);
        expect((await again.get(`${settings}/audit-log`)).status).toBe(200);
        await admin.submit(list, { intent: 'set_role', user_id: mia.id, role: 'member' });
        expect((await again.get(`${settings}/audit-log`)).headers.get('location')).toContain('/sign-in');
        expect((await (await system.signIn(mia)).get(`${settings}/audit-log`)).status).toBe(403);
        const details = (await auditOf(workspaceId)).filter(({ action }) => action === 'member.role_changed');
        expect(details.map(({ detail }) => detail)).toEqual(['admin → member', 'member → admin']);
      });

      it('a removed person has no access from the next request on, and the name must be entered', async () => {
        const { admin, member, list, mia, settings, workspaceId } = await startWorkspace();
        const wrong = await admin.submit(`${list}/${mia.id}/remove`, { name: 'Somebody' });
        expect([wrong.status, (await member.get(list)).status]).toEqual([400, 200]);
        const done = await admin.submit(`${list}/${mia.id}/remove`, { name: mia.name });
        expect([done.status, done.headers.get('location')]).toEqual([302, `${list}?removed=${mia.id}&keys=none`]);
        // The sessions of the removed person have ended.
        expect((await member.get(list)).headers.get('location')).toContain('/sign-in');
        const again = await system.signIn(mia);
        for (const path of [list, `${settings}/keys`]) expect((await again.get(path)).status).toBe(404);
        const [entry] = await auditOf(workspaceId);
        const subject = { subjectId: mia.id, subjectName: mia.name, subjectEmail: mia.email };
        expect(entry).toMatchObject({ action: 'member.removed', ...subject });
        expect(textOf(await (await admin.get(`${settings}/audit-log`)).text())).toContain(
          `Removed a member ${mia.name} ${mia.email} ${mia.id}`,
        );
        expect((await admin.submit(`${list}/${mia.id}/remove`, { name: mia.name })).status).toBe(404);
      });

      it('a person can leave, and the last admin cannot', async () => {
        const { admin, other, member, settings, list, ann, organizationId } = await startWorkspace();
        expect((await member.submit(`${settings}/leave`, {})).headers.get('location')).toBe('/workspaces');
        expect((await member.get(list)).status).toBe(404);
        expect((await other.submit(`${settings}/leave`, {})).status).toBe(302);
        for (const [path, fields] of [
          [`${settings}/leave`, {}],
          [list, { intent: 'set_role', user_id: ann.id, role: 'member' }],
          [`${list}/${ann.id}/remove`, { name: ann.name }],
        ] as const) {
          const refused = await admin.submit(path, fields as unknown as Record<string, string>);
          expect([path, refused.status]).toEqual([path, 409]);
          expect(textOf(await refused.text())).toContain('A workspace needs an admin.');
        }
        expect(await rolesOf(organizationId)).toEqual({ [ann.id]: 'admin' });
      });

      it('nobody removes themselves, and the audit log has no entry of the attempt', async () => {
        const { admin, list, ann, organizationId, workspaceId } = await startWorkspace();
        const before = await auditOf(workspaceId);
        const refused = await admin.submit(`${list}/${ann.id}/remove`, { name: ann.name });
        expect(refused.status).toBe(409);
        expect(textOf(await refused.text())).toContain('Leave the workspace instead.');
        expect(await auditOf(workspaceId)).toEqual(before);
        expect(await rolesOf(organizationId)).toMatchObject({ [ann.id]: 'admin' });
      });

      it('two admins who demote or remove each other at the same time leave one admin', async () => {
        for (const way of ['demote', 'remove', 'leave'] as const) {
          for (let round = 0; round < 2; round++) {
            const { admin, other, list, settings, ann, bob, organizationId } = await startWorkspace();
            const act = (browser: typeof admin, own: typeof ann, target: typeof ann) => {
              if (way === 'leave') return browser.submit(`${settings}/leave`, {});
              if (way === 'remove') return browser.submit(`${list}/${target.id}/remove`, { name: target.name });
              return browser.submit(list, { intent: 'set_role', user_id: target.id, role: 'member', own: own.id });
            };
            await Promise.all([act(admin, ann, bob), act(other, bob, ann)]);
            const admins = Object.values(await rolesOf(organizationId)).filter((role) => role === 'admin');
            expect([way, admins.length]).toEqual([way, 1]);
          }
        }
      });
    });

    describe('who may change members', () => {
      it('a member sees the members without controls and without invitations', async () => {
        const { admin, member, list } = await startWorkspace();
        await admin.submit(list, { intent: 'invite', email: 'pending@example.com', role: 'member' });
        const page = textOf(await (await member.get(list)).text());
        expect(page).toContain('Ann Admin');
        for (const text of ['pending@example.com', 'Send invitation', 'Make admin', 'Remove']) {
          expect([text, page.includes(text)]).toEqual([text, false]);
        }
      });

      it('nobody is invited, removed or promoted without a recent sign-in', async () => {
        const { admin, list, settings, ann, mia, organizationId, workspaceId } = await startWorkspace();
        await system.ageSignIns(ann.id);
        const before = await auditOf(workspaceId);
        for (const [path, fields] of [
          [list, { intent: 'invite', email: 'y@example.com', role: 'member' }],
          [list, { intent: 'set_role', user_id: mia.id, role: 'admin' }],
          [`${list}/${mia.id}/remove`, { name: mia.name }],
          [`${settings}/workspace/delete`, { name: 'Acme' }],
          [`${settings}/audit-log.csv`, {}],
        ] as [string, Record<string, string>][]) {
          const response = await admin.submit(path, fields);
          const text = (response.headers.get('location') ?? '') + (await response.text());
          expect([path, text.includes(`/confirm?next=${encodeURIComponent(path)}`)]).toEqual([path, true]);
        }
        expect((await rolesOf(organizationId))[mia.id]).toBe('member');
        expect(await auditOf(workspaceId)).toEqual(before);
      });
    });
  });
}
