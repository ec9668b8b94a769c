import { randomBytes } from 'node:crypto';
import { deriveId } from '@shopscope/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from './support/html.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({ SIGN_UP: 'open' });
});
afterAll(() => system.stop());

let workspaces = 0;

async function startWorkspace(workspaceName = 'Acme', names = ['Ann Admin', 'Mia Member']) {
  workspaces += 1;
  const suffix = String(workspaces);
  const ann = await system.person(`${names[0]} ${suffix}`);
  const mia = await system.person(`${names[1]} ${suffix}`);
  const { workspaceId, organizationId } = await system.workspace(workspaceName, [
    { id: ann.id, role: 'admin' },
    { id: mia.id, role: 'member' },
  ]);
  const base = `/workspaces/${workspaceId}`;
  return {
    ann,
    mia,
    workspaceId,
    organizationId,
    base,
    admin: await system.signIn(ann),
    member: await system.signIn(mia),
  };
}
type World = Awaited<ReturnType<typeof startWorkspace>>;

const key = { environment: 'live', access: 'read_only', expires: 'none', expires_on: '' };
/** Each form has a token of its own. */
const newToken = () => randomBytes(16).toString('hex');
const list = { domains: 'a.example' };
const password = 'a long enough password';

/** Every form with a text that other people see: the field, and how it is sent. */
const typed: [
  what: string,
  field: string,
  send: (world: World, text: string) => Promise<Response>,
  address: 'refused' | 'accepted',
][] = [
  ['a person', 'name', ({ admin }, name) => admin.submit('/account', { intent: 'name', name }), 'refused'],
  [
    'a person who signs up',
    'name',
    (_, name) =>
      system.anonymous().submit('/sign-up', { name, email: 'new@example.com', password, workspaceName: 'New' }),
    'refused',
  ],
  [
    'the workspace of a sign-up',
    'workspaceName',
    (_, workspaceName) =>
      system.anonymous().submit('/sign-up', { name: 'New', email: 'other@example.com', password, workspaceName }),
    'refused',
  ],
  ['a workspace', 'name', ({ admin, base }, name) => admin.submit(`${base}/settings/workspace`, { name }), 'refused'],
  [
    'a key',
    'label',
    ({ admin, base }, label) => admin.submit(`${base}/settings/keys/new`, { ...key, request_token: newToken(), label }),
    'accepted',
  ],
  [
    'a list',
    'name',
    ({ member, base }, name) => member.submit(`${base}/lists/new`, { ...list, token: newToken(), name }),
    'accepted',
  ],
];

describe('names that other people see', () => {
  it.each(typed)(
    'the name of %s with a hidden character is refused at its field, and the message names the character',
    async (_, field, send, address) => {
      const world = await startWorkspace();
      const hostile: [string, string][] = [
        ['Acme\u202egnp', 'U+202E'],
        ['ad\u200bmin', 'U+200B'],
        ['\u3164', 'U+3164'],
        ['Acme\u{e0041}', 'U+E0041'],
      ];
      for (const [text, code] of hostile) {
        const response = await send(world, text);
        const page = await response.text();
        expect([text, response.status]).toEqual([text, 400]);
        expect(textOf(page)).toContain(`(${code})`);
        expect(page).toMatch(
          new RegExp(`name="${field}"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="${field}"`),
        );
      }
      const status = (await send(world, 'See https://evil.example')).status;
      expect(status).toBe(address === 'refused' ? 400 : status < 400 ? status : 'accepted');
    },
  );

  it.each(typed)('the name of %s can be in any language', async (_, __, send) => {
    const world = await startWorkspace();
    for (const text of ['متجر کتاب\u200cها', 'שלום בע״מ', '東京 🍵', 'Zoe\u0308']) {
      expect([text, (await send(world, text)).status]).toEqual([text, expect.toSatisfy((code) => code < 400)]);
    }
  });

  // A list without a name gets one.
  const named = typed.filter(([what]) => what !== 'a list');
  it.each(named)('the name of %s is refused when nothing is left of it', async (_, __, send) => {
    expect((await send(await startWorkspace(), ' \u00a0\u3000 ')).status).toBe(400);
  });
});

describe('members with the name of the admin', () => {
  it('a member who takes the name of the admin is shown with the member’s address and id wherever a page says who acted', async () => {
    const { ann, mia, admin, member, base, workspaceId } = await startWorkspace();
    await member.submit('/account', { intent: 'name', name: ann.name });
    await admin.submit(`${base}/settings/members`, { intent: 'set_role', user_id: mia.id, role: 'admin' });
    const posing = await system.signIn(mia);
    await posing.submit(`${base}/settings/keys/new`, { ...key, request_token: newToken(), label: 'Hidden key' });
    const log = textOf(await (await admin.get(`${base}/settings/audit-log`)).text());
    expect(log).toMatch(new RegExp(`Created an API key.*Hidden key.*${ann.name} +${mia.email} +${mia.id}`));
    // The entry of the admin's own change has the admin's name and address.
    expect(log).toMatch(new RegExp(`${ann.name} +${mia.email} +${mia.id} +Who +${ann.name} +${ann.email} +${ann.id}`));
    expect(textOf(await (await admin.get(`${base}/settings/keys`)).text())).toContain(`${ann.name} ${mia.email}`);
    const { keys } = await system.clients.keys.listKeys({ workspaceId, includeInactive: false });
    const page = await (await admin.get(`${base}/settings/keys/${keys[0]?.id}`)).text();
    expect(textOf(page)).toContain(`${ann.name} ${mia.email}`);
  });

  it('a member stays in the log under the name and the address of that time, in pages and in the export', async () => {
    const { mia, admin, member, base, workspaceId } = await startWorkspace();
    await member.submit(`${base}/settings/leave`, {});
    await member.submit('/account', { intent: 'name', name: 'Somebody Else' });
    const { entries } = await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 10 });
    expect(entries[0]).toMatchObject({ action: 'member.left', actorName: mia.name, actorEmail: mia.email });
    const log = textOf(await (await admin.get(`${base}/settings/audit-log`)).text());
    expect(log).toContain(`${mia.name} ${mia.email} ${mia.id}`);
    expect(log).not.toContain('Somebody Else');
    const csv = await (await admin.submit(`${base}/settings/audit-log.csv`, {})).text();
    expect(csv).toContain(`,${mia.id},${mia.email},${mia.name},`);
    expect(csv).not.toContain('Somebody Else');
  });

  it('a member with the name operator is not mistaken for an operator', async () => {
    const { admin, member, mia, base } = await startWorkspace();
    await member.submit('/account', { intent: 'name', name: 'operator' });
    await member.submit(`${base}/settings/leave`, {});
    const page = await (await admin.get(`${base}/settings/audit-log`)).text();
    const rows = page.split('<tr').filter((row) => row.includes('operator'));
    // The mark of operators is an icon and the word, without an id. The name is above an address and an id.
    expect(rows.filter((row) => /<svg[^>]*>.*<\/svg>(<!--.*?-->)*operator</.test(row)).length).toBeGreaterThan(0);
    const posing = rows.filter((row) => row.includes('<bdi>operator</bdi>'));
    expect(posing).toHaveLength(1);
    expect(textOf(posing[0] as string)).toContain(`operator ${mia.email} ${mia.id}`);
  });
});

describe('names from right to left', () => {
  const names = { workspace: 'متجر الشاي', admin: 'محمد العلي', member: 'שרה כהן', label: 'مفتاح', list: 'قائمة' };

  it('names from right to left are isolated on every page, so that they do not change the order of other text', async () => {
    const { admin, base, workspaceId, ann, mia } = await startWorkspace(names.workspace, [names.admin, names.member]);
    await admin.submit(`${base}/settings/keys/new`, { ...key, request_token: newToken(), label: names.label });
    await admin.submit(`${base}/lists/new`, { ...list, token: newToken(), name: names.list });
    await admin.submit(`${base}/settings/members`, { intent: 'set_role', user_id: mia.id, role: 'admin' });
    await system.workspace(`${names.workspace} 2`, [{ id: ann.id, role: 'member' }]);
    const { keys } = await system.clients.keys.listKeys({ workspaceId, includeInactive: false });
    const keyId = keys.find(({ label }) => label === names.label)?.id;
    const { _id: importId } = (await system.db.collection('list_imports').findOne({ workspaceId })) ?? {};
    const paths = [
      ...[
        '',
        '/usage',
        '/usage?split=keys',
        '/requests',
        `/requests?key=${keyId}`,
        '/stores',
        `/lists/imports/${importId}`,
      ],
      ...['/settings/keys', '/settings/keys/new', `/settings/keys/new?rotate=${keyId}`, `/settings/keys/${keyId}`],
      ...[`/settings/keys/${keyId}/revoke`, `/settings/keys/${keyId}/rotate`, '/settings/members', '/settings/leave'],
      ...[`/settings/members/${mia.id}/remove`, `/settings/members/${mia.id}/demote`],
      ...[`/settings/members/${ann.id}/keys`],
      ...['/settings/audit-log', `/settings/audit-log?actor=${mia.id}`],
      ...['/settings/workspace', '/settings/workspace/delete', '/settings/plan'],
    ].map((path) => `${base}${path}`);
    const strays: string[] = [];
    let seen = 0;
    for (const path of [...paths, '/account', '/account/delete']) {
      const response = await admin.get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const found = unisolated(await response.text());
      seen += found.seen;
      strays.push(...found.strays.map((stray) => `${path}: ${stray}`));
    }
    expect(strays).toEqual([]);
    expect(seen).toBeGreaterThan(50);
  });

  /** Where letters from right to left are outside of `bdi`, of an isolate and of fields that find their direction. */
  function unisolated(html: string): { seen: number; strays: string[] } {
    const page = html
      .replaceAll(/<script[\s\S]*?<\/script>/g, '')
      .replaceAll(/<!--.*?-->/g, '')
      .replaceAll(/<(?:input|textarea)(?=[^>]*dir="auto")[^>]*>/g, '');
    const letters = /[\u0590-\u08ff]+/g;
    const seen = page.match(letters)?.length ?? 0;
    const rest = page.replaceAll(/<bdi[^>]*>[^<]*<\/bdi>/g, '').replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, '');
    return {
      seen,
      strays: [...rest.matchAll(letters)].map(({ index }) => rest.slice(Math.max(0, index - 60), index + 20)),
    };
  }
});

describe('names of an issuer or an older version', () => {
  it('a name that an issuer or an older version has stored is cleaned in the log, and prevents no change', async () => {
    const { ann, admin, base, workspaceId } = await startWorkspace();
    const name = `Ann\u202e\u200b ${'x'.repeat(300)}`;
    await system.db.collection('user').updateOne({ _id: ann.id as never }, { $set: { name } });
    expect((await admin.submit(`${base}/settings/workspace`, { name: 'Beta' })).status).toBe(200);
    const { entries } = await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 1 });
    expect(entries[0]).toMatchObject({ actor: ann.id, actorEmail: ann.email, actorName: `Ann ${'x'.repeat(96)}` });
  });
});

describe('mail of an invitation', () => {
  it('the mail of an invitation has a fixed subject, and names the address of the sender before the quoted names', async () => {
    const { ann, admin, base, organizationId } = await startWorkspace();
    await system.db
      .collection('organization')
      .updateOne({ _id: organizationId as never }, { $set: { name: 'Win ”\r\nat https://evil.example' } });
    const email = `${deriveId('usr', 'invited', organizationId)}@example.com`;
    await admin.submit(`${base}/settings/members`, { intent: 'invite', email, role: 'member' });
    const [mail] = await system.mails(email);
    expect(mail?.subject).toBe('You are invited to a workspace on Shopscope');
    expect(mail?.text).toContain(`\n\n${ann.email} (“${ann.name}”) invites you to the workspace “Win ' at https`);
    expect(mail?.text.match(/https?:\/\/\S+/g)).toHaveLength(1);
  });
});
