import { newId } from '@shopscope/ids';
import { waitUntil } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { textOf } from './support/html.ts';
import type { TestSystem } from './support/system.ts';

export function describeAuditLog(shared: () => TestSystem): void {
  describe('audit log', () => {
    let system: TestSystem;
    beforeAll(() => {
      system = shared();
    });

    let workspaces = 0;

    async function startWorkspace() {
      workspaces += 1;
      const ann = await system.person(`Ann Admin ${workspaces}`);
      const mia = await system.person(`Mia Member ${workspaces}`);
      const { workspaceId, organizationId } = await system.workspace('Acme', [
        { id: ann.id, role: 'admin' },
        { id: mia.id, role: 'member' },
      ]);
      const settings = `/workspaces/${workspaceId}/settings`;
      return {
        ann,
        mia,
        workspaceId,
        organizationId,
        settings,
        admin: await system.signIn(ann),
        member: await system.signIn(mia),
      };
    }

    const record = (workspaceId: string, actor: string, detail: string, actorAddress = '192.0.2.7') =>
      system.clients.keys.recordAuditEntry({
        id: newId('aud'),
        workspaceId,
        actor,
        actorAddress,
        action: 'member.invited',
        subjectId: 'somebody',
        detail,
      });

    describe('audit log', () => {
      it('the audit log says who did what, when and from which address, and "not recorded" for a missing address', async () => {
        const { admin, settings, workspaceId, ann } = await startWorkspace();
        await record(workspaceId, ann.id, 'new@example.com as member');
        const page = textOf(await (await admin.get(`${settings}/audit-log`)).text());
        expect(page).toContain('Invited new@example.com as member');
        expect(page).toContain('192.0.2.7');
        expect(page).toContain('Created the workspace');
        expect(page).toContain('operator');
        expect(page).toContain('Not recorded');
      });

      it('the pages of the audit log lead to older entries and back, without gaps and repetitions', async () => {
        const { admin, settings, workspaceId, ann } = await startWorkspace();
        const numbers = Array.from({ length: 8 }, (_, number) => number);
        for (let round = 0; round < 13; round++) {
          await Promise.all(numbers.map((number) => record(workspaceId, ann.id, `Entry ${round * 8 + number}.`)));
        }
        const { entries } = await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 200 });
        const recorded = entries.flatMap(({ detail }) => /^Entry (\d+)\.$/.exec(detail)?.[1] ?? []);
        const seen: string[] = [];
        const paths: string[] = [];
        let next: string | undefined = '?';
        while (next !== undefined) {
          paths.push(next);
          const page: string = await (await admin.get(`${settings}/audit-log${next}`)).text();
          seen.push(...[...textOf(page).matchAll(/Entry (\d+)\./g)].map(([, number]) => number as string));
          const links = [...page.matchAll(/<a [^>]*href="[^"]*audit-log(\?[^"]*)?"[^>]*>(Older|Newer)</g)];
          const to = (name: string) => links.find(([, , text]) => text === name);
          if (paths.length > 1) expect(to('Newer')?.[1]?.replaceAll('&amp;', '&') ?? '?').toBe(paths.at(-2));
          next = to('Older')?.[1]?.replaceAll('&amp;', '&');
        }
        expect(paths).toHaveLength(3);
        expect([seen.length, seen]).toEqual([104, recorded]);
      });

      it('the audit log filters by person and by action', async () => {
        const { admin, settings, workspaceId, ann, mia } = await startWorkspace();
        await record(workspaceId, ann.id, 'By Ann.');
        await record(workspaceId, mia.id, 'By Mia.');
        const shown = async (query: string) => {
          const text = textOf(await (await admin.get(`${settings}/audit-log?${query}`)).text());
          return ['By Ann.', 'By Mia.'].filter((entry) => text.includes(entry));
        };
        expect(await shown('')).toEqual(['By Ann.', 'By Mia.']);
        expect(await shown(`actor=${mia.id}`)).toEqual(['By Mia.']);
        expect(await shown('action=member.invited')).toEqual(['By Ann.', 'By Mia.']);
        expect(await shown('action=key.created')).toEqual([]);
        expect(await shown('action=no.such&actor=x&before=%27)%22')).toEqual([]);
      });

      it('the export of the audit log is recorded, and no cell of it runs as a formula', async () => {
        const { admin, settings, workspaceId, ann } = await startWorkspace();
        for (const detail of [
          '=1+1',
          '＝1+1',
          '@SUM(A1)',
          '+1',
          '-1+1',
          '-1',
          '=HYPERLINK("https://evil.example", "x")',
        ]) {
          await record(workspaceId, ann.id, detail, '');
        }
        const response = await admin.submit(`${settings}/audit-log.csv`, {});
        expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
          200,
          'text/csv; charset=utf-8',
          'private, no-store',
        ]);
        expect(response.headers.get('content-disposition')).toMatch(
          /^attachment; filename="audit-log-ws_\w+-[\d-]+\.csv"$/,
        );
        const text = await response.text();
        expect(text.split('\r\n')[0]).toBe(
          'time,actor,actor_email,actor_name,network_address,action,subject,subject_email,subject_name,detail,entry',
        );
        for (const cell of [
          "'=1+1",
          "'＝1+1",
          "'@SUM(A1)",
          "'+1",
          "'-1+1",
          '-1',
          `"'=HYPERLINK(""https://evil.example"", ""x"")"`,
        ]) {
          expect(text).toContain(`,${cell},`);
        }
        expect(text).not.toMatch(/(^|,)"?[=+@]/m);
        expect(text).toContain('audit.exported');
        expect(text).toContain('not recorded');
        const link = await admin.get(`${settings}/audit-log.csv`);
        expect([link.status, link.headers.get('location')]).toEqual([302, `${settings}/audit-log`]);
      });
    });

    describe('changes that cannot be recorded', () => {
      it('a change that the audit log cannot record is not made', async () => {
        const { admin, settings, mia, organizationId } = await startWorkspace();
        const list = `${settings}/members`;
        await system.proxies.keys.refuse();
        try {
          const statuses = await Promise.all(
            [
              admin.submit(list, { intent: 'invite', email: 'unrecorded@example.com', role: 'member' }),
              admin.submit(list, { intent: 'set_role', user_id: mia.id, role: 'admin' }),
              admin.submit(`${list}/${mia.id}/remove`, { name: mia.name }),
              admin.submit(`${settings}/workspace`, { name: 'Renamed' }),
              admin.submit(`${settings}/workspace/delete`, { name: 'Acme' }),
              admin.submit(`${settings}/audit-log.csv`, {}),
            ].map(async (response) => (await response).status >= 500),
          );
          expect(statuses).toEqual(Array(6).fill(true));
          expect(await system.db.collection('invitation').countDocuments({ organizationId })).toBe(0);
          expect(await system.db.collection('development_mails').countDocuments({ to: 'unrecorded@example.com' })).toBe(
            0,
          );
          const found = await system.db
            .collection('member')
            .find({ organizationId, userId: mia.id as never })
            .toArray();
          expect(found.map(({ role }) => role)).toEqual(['member']);
          const organization = await system.db.collection('organization').findOne({ _id: organizationId as never });
          expect(organization?.name).toBe('Acme');
        } finally {
          await system.proxies.keys.accept();
        }
        await waitUntil('keys can be reached', async () => (await admin.get(`${settings}/keys`)).status === 200);
      });
    });

    describe('settings of a workspace', () => {
      it('an admin renames the workspace everywhere', async () => {
        const { admin, settings, workspaceId } = await startWorkspace();
        const response = await admin.submit(`${settings}/workspace`, { name: 'Beta' });
        expect([response.status, textOf(await response.text()).includes('now called Beta')]).toEqual([200, true]);
        expect((await system.clients.keys.getWorkspace({ workspaceId })).workspace?.name).toBe('Beta');
        expect(textOf(await (await admin.get(`${settings}/workspace`)).text())).toContain('Beta');
        expect((await admin.submit(`${settings}/workspace`, { name: '' })).status).toBe(400);
        const log = textOf(await (await admin.get(`${settings}/audit-log`)).text());
        expect(log).toContain('Renamed the workspace');
      });

      it('the deletion of a workspace asks for the name, revokes the keys, and ends the access of everybody', async () => {
        const { admin, member, settings, workspaceId, organizationId } = await startWorkspace();
        await system.clients.keys.createKey({
          workspaceId,
          label: 'A key',
          preset: 'full',
          scopes: [],
          expiresAtMs: undefined,
          actor: 'test',
          actorAddress: '',
          requestToken: '',
        });
        await admin.submit(`${settings}/members`, { intent: 'invite', email: 'w@example.com', role: 'member' });
        const wrong = await admin.submit(`${settings}/workspace/delete`, { name: 'acme' });
        expect([wrong.status, (await member.get(`${settings}/keys`)).status]).toEqual([400, 200]);
        const done = await admin.submit(`${settings}/workspace/delete`, { name: 'Acme' });
        expect([done.status, done.headers.get('location')]).toEqual([302, '/workspaces']);
        for (const browser of [admin, member]) expect((await browser.get(`${settings}/keys`)).status).toBe(404);
        for (const collection of ['member', 'invitation']) {
          expect(await system.db.collection(collection).countDocuments({ organizationId })).toBe(0);
        }
        const { entries } = await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 100 });
        expect(entries.map(({ action }) => action)).toEqual(
          expect.arrayContaining(['workspace.deleted', 'key.revoked']),
        );
      });
    });
  });
}
