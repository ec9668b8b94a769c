import { ManualClock } from '@shopscope/clock';
import type { Plan } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type KeysClient, type KeysHarness, type RequestOf, type Rpc } from './harness.ts';
import { call, contentsOf, newScene, rpcs, type Scene } from './rpcs.ts';

const clock = new ManualClock();

/** A wrong value of a field, and the member of the error text that names it. */
interface Wrong {
  what: string;
  value: unknown;
  names: string;
}
const wrong = (names: string, values: Record<string, unknown>): Wrong[] =>
  Object.entries(values).map(([what, value]) => ({ what, value, names }));

/** Proto3 sends an absent string as an empty one: a missing string is tested as an empty one. */
const text = (names: string, max: number) =>
  wrong(names, {
    empty: '',
    blank: ' \t ',
    'too long': 'x'.repeat(max + 1),
    'with a NUL': 'a\u0000b',
    'of two lines': 'a\nb',
    'with a C1 control character': 'a\u0085b',
    'with a mark of direction': 'a\u202eb',
    'with an invisible space': 'a\u200bb',
    'with stacked accents': 'q\u0301\u0301',
    'of a blank letter': '\u3164',
  });
const id = (names: string, prefix: string) => {
  const good = `${prefix}_01kandxv3w9p4nsbq7g8e2hm5t`;
  return wrong(names, {
    empty: '',
    'of another kind': 'job_01kandxv3w9p4nsbq7g8e2hm5t',
    'without its prefix': '01kandxv3w9p4nsbq7g8e2hm5t',
    'of the prefix alone': `${prefix}_`,
    'in upper case': good.toUpperCase(),
    'with a space': ` ${good}`,
    'of two lines': `${good}\n`,
    'with a NUL': `${good}\u0000`,
    'too long': `${prefix}_${'0'.repeat(1_000)}`,
  });
};
const optional = (values: Wrong[]) => values.filter(({ value }) => value !== '');
const environment = wrong('environment', {
  unknown: 'staging',
  'in upper case': 'TEST',
  'with a space': 'test ',
  'of two lines': 'test\n',
  'with a NUL': 'test\u0000',
});
const slug = (names: string) =>
  wrong(names, {
    empty: '',
    'of one character': 'a',
    'too long': 'a'.repeat(41),
    'in upper case': 'Free',
    'beginning with a digit': '1free',
    'with a space': 'fr ee',
    'of two lines': 'free\n',
    'with a NUL': 'free\u0000',
  });
/** Proto3 has no negative uint32; the largest one has the bits of −1. */
const count = (names: string, min: number, max: number) =>
  wrong(names, {
    ...(min > 0 && { 'too small': min - 1 }),
    'too large': max + 1,
    'the largest on the wire': 0xffff_ffff,
  });
/** The client refuses to send a negative uint64. */
const units = (names: string) => wrong(names, { 'too large': 1_000_000_000_001 });
const limit = wrong('limit', { 'too large': 201, 'the largest on the wire': 0xffff_ffff });
const actor = text('actor', 200);
/** Mails show the name of a workspace. */
const workspaceName = [...text('name', 200), ...wrong('name', { 'with an address': 'See https://evil.example' })];
/** A person's name was checked when the person chose it. Here it is only cleaned. */
const actorPerson = 'every value is accepted';
const actorAddress = wrong('actor_address', {
  'that is a name': 'example.com',
  'with a port': '192.0.2.1:443',
  'with a prefix length': '192.0.2.0/24',
  'in brackets': '[2001:db8::1]',
  'with a space': ' 192.0.2.1',
  'of two lines': '192.0.2.1\n',
  'too long': '0000:0000:0000:0000:0000:ffff:192.168.100.200%eth0',
});
const preset = wrong('preset', {
  unknown: 'all',
  'in upper case': 'FULL',
  'with a space': ' full',
  'of two lines': 'full\n',
  'too long': 'full'.repeat(1_000),
  'a property of every object': 'constructor',
  'the prototype of every object': '__proto__',
});
const scopes = wrong('scopes', {
  'of one unknown': ['write:everything'],
  'with an unknown one among known ones': ['read:stores', 'read:everything'],
  'with an empty one': [''],
  'in upper case': ['READ:STORES'],
  'with a space': ['read:stores '],
  'of two lines': ['read:stores\n'],
  'with a NUL': ['read:stores\u0000'],
});
const noPlan = wrong('plan_slug', {
  empty: '',
  unknown: 'none',
  'too long': 'a'.repeat(1_000),
  'with a NUL': 'free\u0000',
});

const limits: Record<keyof Omit<Plan, 'included' | 'quotas' | 'slug'>, Wrong[]> = {
  rpm: count('rpm', 1, 1_000_000),
  concurrency: count('concurrency', 1, 10_000),
  enrichBatchMax: count('enrich_batch_max', 1, 100),
  freshnessDays: count('freshness_days', 0, 3_650),
  historyDays: count('history_days', 0, 3_650),
};
const allowances: Record<keyof NonNullable<Plan['included']>, Wrong[]> = {
  lookupCached: units('included.lookup_cached'),
  lookupLive: units('included.lookup_live'),
  historyQuery: units('included.history_query'),
  refreshRequested: units('included.refresh_requested'),
};
const quotas: Record<keyof NonNullable<Plan['quotas']>, Wrong[]> = {
  lists: count('quotas.lists', 0, 1_000_000_000),
  listStores: count('quotas.list_stores', 0, 1_000_000_000),
  watchlists: count('quotas.watchlists', 0, 1_000_000_000),
  watchedStores: count('quotas.watched_stores', 0, 1_000_000_000),
  webhooks: count('quotas.webhooks', 0, 1_000_000_000),
};
const given: Plan = {
  slug: 'given',
  rpm: 1,
  concurrency: 1,
  enrichBatchMax: 1,
  freshnessDays: 1,
  historyDays: 1,
  included: { lookupCached: 1, lookupLive: 1, historyQuery: 1, refreshRequested: 1 },
  quotas: { lists: 1, listStores: 1, watchlists: 1, watchedStores: 1, webhooks: 1 },
};
const each = (of: Record<string, Wrong[]>, put: (member: string, value: unknown) => unknown) =>
  Object.entries(of).flatMap(([member, values]) =>
    values.map(({ what, value, names }) => ({ what: `with ${member} ${what}`, value: put(member, value), names })),
  );
const plan: Wrong[] = [
  ...wrong('slug', { missing: undefined }),
  ...each({ slug: slug('slug') }, (_, value) => ({ ...given, slug: value })),
  ...each(limits, (member, value) => ({ ...given, [member]: value })),
  ...each(allowances, (member, value) => ({ ...given, included: { ...given.included, [member]: value } })),
  ...each(quotas, (member, value) => ({ ...given, quotas: { ...given.quotas, [member]: value } })),
];

/** Every field of every RPC: the compiler refuses the table when one is missing. */
const table: { [R in Rpc]: { [Field in keyof RequestOf<R>]-?: Wrong[] | 'every value is accepted' } } = {
  verifyKey: { keyDigest: 'every value is accepted' },
  createWorkspace: { name: workspaceName, planSlug: noPlan, actor, actorAddress, actorPerson },
  getWorkspace: { workspaceId: id('workspace_id', 'ws') },
  listWorkspaces: { afterId: optional(id('after_id', 'ws')), limit },
  setWorkspacePlan: { workspaceId: id('workspace_id', 'ws'), planSlug: noPlan, actor },
  setUpWorkspace: {
    name: workspaceName,
    planSlug: noPlan,
    label: text('label', 100),
    preset: [...preset, ...wrong('scopes', { missing: '' })],
    // The request has a preset, and a request may have either a preset or scopes.
    scopes: wrong('scopes', { 'given with a preset': ['read:stores'] }),
    actor,
  },
  renameWorkspace: { workspaceId: id('workspace_id', 'ws'), name: workspaceName, actor, actorAddress, actorPerson },
  deleteWorkspace: { workspaceId: id('workspace_id', 'ws'), actor, actorAddress, actorPerson },
  suspendWorkspace: { workspaceId: id('workspace_id', 'ws'), actor },
  resumeWorkspace: { workspaceId: id('workspace_id', 'ws'), actor },
  putPlan: { plan, actor },
  createPlan: { plan, actor },
  updatePlan: { slug: slug('slug'), actor, ...limits, ...allowances, ...quotas },
  deletePlan: { slug: slug('slug'), actor },
  listPlans: {},
  createKey: {
    workspaceId: id('workspace_id', 'ws'),
    label: text('label', 100),
    preset: [...preset, ...wrong('scopes', { missing: '' })],
    scopes: wrong('scopes', { 'given with a preset': ['read:stores'] }),
    expiresAtMs: wrong('expires_at', {
      zero: 0,
      negative: -1,
      'a millisecond ago': clock.now() - 1,
      now: clock.now(),
      'beyond the year 9999': Date.UTC(10_000, 0, 1),
      'beyond all dates': Number.MAX_SAFE_INTEGER,
    }),
    actor,
    actorAddress,
    actorPerson,
    requestToken: wrong('request_token', {
      'too short': 'a'.repeat(15),
      'too long': 'a'.repeat(65),
      'with a space': 'a'.repeat(16).replace('aa', 'a '),
      'with a slash': `${'a'.repeat(16)}/`,
      'of two lines': `${'a'.repeat(16)}\n`,
      'with a letter outside ASCII': 'ä'.repeat(16),
    }),
    environment,
  },
  revokeKey: { workspaceId: id('workspace_id', 'ws'), keyId: id('key_id', 'key'), actor, actorAddress, actorPerson },
  revokeKeys: {
    workspaceId: id('workspace_id', 'ws'),
    keyIds: [
      ...wrong('key_ids', { missing: [], 'too many': Array.from({ length: 501 }, (_, n) => `key_${n}`) }),
      ...id('key_ids', 'key').map(({ what, value, names }) => ({ what, value: ['key_1', value], names })),
    ],
    actor,
    actorAddress,
    actorPerson,
  },
  issueDashboardKey: {
    workspaceId: id('workspace_id', 'ws'),
    switchOn: 'every value is accepted',
    actor,
    actorAddress,
    actorPerson,
    environment,
  },
  getKey: { workspaceId: id('workspace_id', 'ws'), keyId: id('key_id', 'key') },
  getKeys: {
    workspaceId: id('workspace_id', 'ws'),
    keyIds: [
      ...wrong('key_ids', { 'too many': Array.from({ length: 201 }, (_, n) => `key_${n}`) }),
      ...id('key_ids', 'key').map(({ what, value, names }) => ({ what, value: ['key_1', value], names })),
    ],
  },
  listKeys: {
    workspaceId: id('workspace_id', 'ws'),
    includeInactive: 'every value is accepted',
    limit,
    revoked: 'every value is accepted',
    // Without a limit there is no page. The tests of pages have wrong positions.
    position: 'every value is accepted',
    revokedAfterMs: 'every value is accepted',
    environment,
  },
  listAuditEntries: {
    // An empty id selects the entries that concern all workspaces.
    workspaceId: optional(id('workspace_id', 'ws')),
    beforeId: optional(id('before_id', 'aud')),
    limit,
  },
  recordAuditEntry: {
    id: id('id', 'aud'),
    workspaceId: id('workspace_id', 'ws'),
    actor,
    actorAddress,
    actorPerson,
    subjectPerson: 'every value is accepted',
    action: wrong('action', {
      empty: '',
      unknown: 'member.promoted',
      'of this service': 'key.created',
      'in upper case': 'MEMBER.INVITED',
      'with a space': 'member.invited ',
      'a property of every object': 'constructor',
    }),
    subjectId: text('subject_id', 200),
    // A detail may be empty.
    detail: wrong('detail', { 'too long': 'x'.repeat(301), 'with a NUL': 'a\u0000b', 'of two lines': 'a\nb' }),
  },
  // An empty id selects the entries that concern all workspaces.
  verifyAuditLog: { workspaceId: optional(id('workspace_id', 'ws')) },
  listPeppers: {},
};

describe('bad input', () => {
  let harness: KeysHarness;
  let client: KeysClient;
  let scene: Scene;

  beforeAll(async () => {
    harness = await createHarness('bad-input', clock, { holdOutbox: true });
    client = (await harness.start()).client;
    scene = await newScene(client);
  });
  afterAll(() => harness?.stop());

  /** Runs every call and compares the code and the field of each refusal. */
  const expectRefused = async (name: Rpc, calls: { title: string; request: object; names: string }[]) => {
    const before = await contentsOf(harness.db);
    const refusals: Record<string, string> = {};
    for (const { title, request } of calls) {
      refusals[title] = await call(client, name, request).then(
        () => 'accepted',
        ({ code, publicMessage }) => `${code}: ${String(publicMessage).replace(/:.*/s, '')}`,
      );
    }
    expect(refusals).toEqual(Object.fromEntries(calls.map(({ title, names }) => [title, `invalid_request: ${names}`])));
    expect(await contentsOf(harness.db)).toEqual(before);
  };

  const fields = Object.entries(table).flatMap(([name, row]) =>
    Object.entries(row).flatMap(([field, values]) =>
      values === 'every value is accepted' ? [] : [[name as Rpc, field, values as Wrong[]] as const],
    ),
  );
  it.each(fields)('%s names the field of every wrong %s and writes nothing', async (name, field, values) => {
    const request = rpcs[name].request(scene);
    await expectRefused(
      name,
      values.map(({ what, value, names }) => ({ title: what, request: { ...request, [field]: value }, names })),
    );
  });

  it.each(['createKey', 'setUpWorkspace'] as const)('%s refuses every wrong list of scopes', async (name) => {
    const request = { ...rpcs[name].request(scene), preset: '' };
    await expectRefused(
      name,
      scopes.map(({ what, value, names }) => ({ title: what, request: { ...request, scopes: value }, names })),
    );
  });

  it.each(['createKey', 'setUpWorkspace'] as const)('%s names the presets and scopes that exist', async (name) => {
    const request = rpcs[name].request(scene);
    const refused = (over: object) => expect(call(client, name, { ...request, ...over })).rejects;
    await refused({ preset: 'all' }).toMatchObject({
      publicMessage: 'preset: must be one of read_only, read_and_watch, full, partner',
    });
    await refused({ preset: '', scopes: ['x'] }).toMatchObject({
      publicMessage: expect.stringMatching(/^scopes: must be among read:stores, read:signals, .*read:jobs$/),
    });
  });

  it('UpdatePlan refuses a request that changes nothing', async () => {
    const request = { ...rpcs.updatePlan.request(scene), rpm: undefined };
    await expectRefused('updatePlan', [{ title: 'no member', request, names: 'plan' }]);
  });

  it.each([
    'revokeKey',
    'revokeKeys',
    'renameWorkspace',
    'suspendWorkspace',
    'resumeWorkspace',
    'deleteWorkspace',
  ] as const)('%s refuses a wrong actor also when there is nothing left to change', async (name) => {
    const request = rpcs[name].request(scene);
    await call(client, name, request);
    await expectRefused(
      name,
      actor.map(({ what, value, names }) => ({ title: what, request: { ...request, actor: value }, names })),
    );
  });
});
