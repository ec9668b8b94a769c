import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { deriveId } from '@shopscope/ids';
import { EventOrder, SubscriptionsServiceService } from '@shopscope/proto';
import { isNightly } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListImportStore } from '../../src/lists/outbound/list-imports.ts';
import { createRequestStore } from '../../src/requests/outbound/request-batches.ts';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { addFailedDelivery, startWebhooksOf, type TestWebhooks } from './support/webhooks.ts';

/** A status; or `<status> <place>` for a redirect. */
type Answer = number | string;
/** The answers for people who are signed in: a member, an admin, and an admin of another workspace. */
type Answers = readonly [member: Answer, admin: Answer, foreignAdmin: Answer];

/** The person may send the form, but an earlier person has deleted its object. */
const gone = 'gone';
const everybody = (answer: Answer): Answers => [answer, answer, answer];
const people = (answer: Answer): Answers => [answer, answer, 404];
const admins = (answer: Answer): Answers => [403, answer, 404];

/** Pages for everybody: the answer for an anonymous visitor, and the answers for people who are signed in. */
const open: Record<string, [Answer, Answers]> = {
  '/sign-in': [200, everybody('302 /workspaces')],
  '/sign-in/code': [200, everybody(200)],
  '/sign-in/single-sign-on': ['302 /sign-in', everybody('302 /sign-in')],
  '/sign-up': [200, everybody('302 /workspaces')],
  '/verify': [200, everybody(200)],
  '/forgot-password': [200, everybody(200)],
  '/reset-password': ['302 /forgot-password', everybody('302 /forgot-password')],
  '/sign-out': ['302 /', everybody('302 /')],
  '/invitations/:token': [404, everybody(404)],
  '/theme': ['302 /', everybody('302 /')],
  '/development/mail': [200, everybody(200)],
  '/*': [404, everybody(404)],
};

/** Pages for everybody, of the corpus and of Shopscope: the same bytes for everybody. Here profiles is unavailable. */
const publicPages: Record<string, [Answer, Answers]> = {
  '/': [200, everybody('302 HOME')],
  '/stores': [200, everybody(200)],
  '/stores/:domain': [503, everybody(503)],
  '/technologies': [503, everybody(503)],
  '/technologies/:slug': [503, everybody(503)],
  '/docs': [200, everybody(200)],
  '/docs/search': [200, everybody(200)],
  '/docs/reference': [200, everybody(200)],
  '/docs/reference/:operationId': [200, everybody(200)],
  '/docs/reference/:operationId.md': [200, everybody(200)],
  '/docs/:slug': [404, everybody(404)],
  '/docs/:slug.md': [404, everybody(404)],
  '/docs/openapi.json': [200, everybody(200)],
  '/docs/schema.graphql': [200, everybody(200)],
  '/docs/graphql/schema': [200, everybody(200)],
  '/docs/shopscope.postman_collection.json': [200, everybody(200)],
  '/llms.txt': [200, everybody(200)],
  '/bot': [200, everybody(200)],
  '/status': [200, everybody(200)],
  '/robots.txt': [200, everybody(200)],
  '/sitemap.xml': [503, everybody(503)],
  '/sitemap/:file': [503, everybody(503)],
};

/** Pages for people who are signed in. An anonymous visitor is led to the sign-in. */
const signedIn: Record<string, Answers> = {
  '/workspaces': ['302 /workspaces/WORKSPACE', '302 /workspaces/WORKSPACE', '302 /workspaces/OTHER'],
  '/settings/api-keys': [
    '302 /workspaces/WORKSPACE/settings/keys',
    '302 /workspaces/WORKSPACE/settings/keys',
    '302 /workspaces/OTHER/settings/keys',
  ],
  '/try/:operationId': [
    '302 /workspaces/WORKSPACE/try/getStore',
    '302 /workspaces/WORKSPACE/try/getStore',
    '302 /workspaces/OTHER/try/getStore',
  ],
  '/confirm': everybody(200),
  '/account': everybody(200),
  '/account/address': everybody(404),
  '/account/two-factor': everybody(200),
  '/account/two-factor/set-up': everybody(200),
  '/account/delete': everybody(200),
  '/account/export': everybody(200),
  '/workspaces/:workspaceId': people(200),
  '/workspaces/:workspaceId/figures': people(200),
  '/workspaces/:workspaceId/stores': people(200),
  '/workspaces/:workspaceId/stores/:domain': people('302 /workspaces/WORKSPACE/stores?domain=matrix.example'),
  '/workspaces/:workspaceId/stores/:domain/scan': people(200),
  '/workspaces/:workspaceId/stores/scans/:jobId': people(200),
  '/workspaces/:workspaceId/stores/scans/:jobId/status': people(200),
  '/workspaces/:workspaceId/find': people(200),
  '/workspaces/:workspaceId/lists': people(200),
  '/workspaces/:workspaceId/lists/new': people(200),
  // An import belongs to the person who sent the file: here the member.
  '/workspaces/:workspaceId/lists/imports/:importId': [200, 404, 404],
  '/workspaces/:workspaceId/lists/:listId': people(200),
  '/workspaces/:workspaceId/lists/:listId/import': people(200),
  '/workspaces/:workspaceId/lists/:listId/delete': people(200),
  '/workspaces/:workspaceId/lists/:listId/enrich': people(200),
  '/workspaces/:workspaceId/jobs': people(200),
  '/workspaces/:workspaceId/jobs/:jobId': people('302 SCAN'),
  '/workspaces/:workspaceId/jobs/:jobId/status': people(200),
  // A scan has no file.
  '/workspaces/:workspaceId/jobs/:jobId/export': people(404),
  '/workspaces/:workspaceId/jobs/:jobId/parts/:part': people(404),
  '/workspaces/:workspaceId/jobs/:jobId/results.csv': people(200),
  '/workspaces/:workspaceId/jobs/:jobId/results.ndjson': people(200),
  '/workspaces/:workspaceId/changes': people(200),
  '/workspaces/:workspaceId/changes/latest': people(200),
  '/workspaces/:workspaceId/watchlists': people(200),
  '/workspaces/:workspaceId/watchlists/new': people(200),
  // Only the person who began a copy finds it.
  '/workspaces/:workspaceId/watchlists/copies/:copyId': [200, 404, 404],
  '/workspaces/:workspaceId/watchlists/:watchlistId': people(200),
  '/workspaces/:workspaceId/watchlists/:watchlistId/delete': people(200),
  '/workspaces/:workspaceId/webhooks': people(200),
  '/workspaces/:workspaceId/webhooks/deliveries': people(200),
  '/workspaces/:workspaceId/webhooks/deliveries/:deliveryId': people(200),
  '/workspaces/:workspaceId/webhooks/deliveries/:deliveryId/status': people(200),
  '/workspaces/:workspaceId/webhooks/:webhookId/replay': admins(200),
  '/workspaces/:workspaceId/webhooks/new': admins(200),
  '/workspaces/:workspaceId/webhooks/:webhookId': people(200),
  '/workspaces/:workspaceId/webhooks/:webhookId/delete': admins(200),
  '/workspaces/:workspaceId/webhooks/:webhookId/edit': admins(200),
  '/workspaces/:workspaceId/webhooks/:webhookId/rotate': admins(200),
  '/workspaces/:workspaceId/webhooks/:webhookId/verify': people(200),
  '/workspaces/:workspaceId/try/:operationId': people(200),
  '/workspaces/:workspaceId/try/graphql': people(200),
  '/workspaces/:workspaceId/usage': people(200),
  '/workspaces/:workspaceId/usage/figures': people(200),
  '/workspaces/:workspaceId/usage.csv': people('302 /workspaces/WORKSPACE/usage'),
  '/workspaces/:workspaceId/requests': people(200),
  '/workspaces/:workspaceId/requests/:requestId': people(200),
  '/workspaces/:workspaceId/settings/keys': people(200),
  '/workspaces/:workspaceId/settings/keys/new': admins(200),
  '/workspaces/:workspaceId/settings/keys/:keyId': people(200),
  '/workspaces/:workspaceId/settings/keys/:keyId/status': people(200),
  '/workspaces/:workspaceId/settings/keys/:keyId/revoke': admins(200),
  '/workspaces/:workspaceId/settings/keys/:keyId/rotate': admins(200),
  '/workspaces/:workspaceId/settings/members': people(200),
  '/workspaces/:workspaceId/settings/members/:userId/demote': admins(200),
  '/workspaces/:workspaceId/settings/members/:userId/keys': admins(200),
  '/workspaces/:workspaceId/settings/members/:userId/remove': admins(200),
  '/workspaces/:workspaceId/settings/leave': people(200),
  '/workspaces/:workspaceId/settings/plan': people(200),
  '/workspaces/:workspaceId/settings/audit-log': admins(200),
  '/workspaces/:workspaceId/settings/audit-log.csv': people('302 /workspaces/WORKSPACE/settings/audit-log'),
  '/workspaces/:workspaceId/settings/test': people(200),
  '/workspaces/:workspaceId/settings/workspace': people(200),
  '/workspaces/:workspaceId/settings/workspace/delete': admins(200),
};

interface World {
  listId: string;
  watchlistId: string;
  webhookId: string;
  jobId: string;
  deliveryId: string;
  workspaceId: string;
  keyId: string;
  prefix: string;
}
type Form = Record<string, string>;

const email = 'new.person@example.com';
const keyForm = { label: 'Import job', environment: 'live', access: 'read_only', expires: 'none', expires_on: '' };

const triedDocument = { token: 'a-token-of-a-form', intent: 'cost', query: '{ account { plan { slug } } }' };
const triedForm = { token: 'a-token-of-a-form', parameter_domain: 'matrix.example', confirm: 'yes' };

const watchlistForm = {
  intent: 'create',
  token: 'a-token-of-a-form',
  name: 'New watchlist',
  signal_types: 'technology_added',
  technologies: '',
  domains: 'a.example',
  list_id: '',
};
const webhookForm = {
  intent: 'create',
  token: 'a-token-of-a-form',
  url: 'http://127.0.0.1:9/new',
  event_types: 'scan.failed',
};
const replayForm = { from: '2026-11-01T00:00', to: '2026-11-02T00:00', only: 'all', token: 'a-token-of-a-form' };
const historyForm = { domain: 'matrix.example', newer: '', token: 'a-token-of-a-form' };
const testEventForm = { intent: 'event', type: 'scan.completed', data: '', request_token: 'a-token-of-a-form' };
const rescansForm = { intent: 'rescans', rescan_interval_days: '90', budget: '5' };

/** Forms of a workspace: the route, the form, and who may send it. */
const forms: [route: string, form: (world: World) => Form, Answers][] = [
  ['stores', () => ({ domain: 'matrix.example', token: 'a-token-of-a-form' }), people('302 LOOKUP')],
  ['stores/:domain/scan', () => ({ token: 'a-token-of-a-form' }), people('302 SCAN')],
  ['find', () => ({ intent: 'rows', limit: '10', token: 'a-token-of-a-form' }), people(200)],
  ['find', () => ({ intent: 'count', token: 'a-token-of-a-form' }), people(200)],
  ['changes', () => historyForm, people('302 HISTORY')],
  ['watchlists/new', () => watchlistForm, people('302 WATCHLIST')],
  ['watchlists/copies/:copyId', () => ({}), ['302 COPY', 404, 404]],
  ['watchlists/:watchlistId', () => ({ intent: 'pause' }), people('302 WATCHLIST')],
  ['watchlists/:watchlistId', () => ({ intent: 'add', domains: 'a.example' }), people(200)],
  ['watchlists/:watchlistId', () => rescansForm, admins('302 WATCHLIST')],
  ['watchlists/:watchlistId', () => ({ intent: 'end_rescans' }), admins('302 WATCHLIST')],
  [
    'watchlists/:watchlistId/delete',
    () => ({ name: 'Matrix watchlist' }),
    ['302 /workspaces/WORKSPACE/watchlists', gone, 404],
  ],
  ['webhooks/new', () => webhookForm, admins(200)],
  ['webhooks/:webhookId', () => ({ intent: 'pause' }), admins('302 WEBHOOK')],
  ['webhooks/:webhookId/edit', () => ({ ...webhookForm, intent: 'change' }), admins('302 WEBHOOK')],
  ['webhooks/:webhookId/rotate', () => ({ overlap_hours: '24', token: 'a-token-of-a-form' }), admins(200)],
  ['webhooks/:webhookId/delete', () => ({ host: '127.0.0.1:9' }), admins('302 /workspaces/WORKSPACE/webhooks')],
  ['lists/new', () => ({ token: 'a-token-of-a-form', domains: 'a.example' }), people('302 IMPORT')],
  ['lists/imports/:importId', () => ({ domain_column: '0', id_column: 'none' }), ['302 IMPORT', 404, 404]],
  ['lists/:listId', () => ({ intent: 'rename', name: 'Renamed' }), people('302 LIST')],
  ['lists/:listId/import', () => ({ token: 'a-token-of-a-form', domains: 'a.example' }), people('302 IMPORT')],
  ['lists/:listId/delete', () => ({ name: 'Matrix list' }), ['302 /workspaces/WORKSPACE/lists', gone, 404]],
  [
    'lists/:listId/enrich',
    () => ({ token: 'a-token-of-a-form', mode: 'cached', max_cached: '5', max_refresh: '5' }),
    people('302 JOB'),
  ],
  ['jobs/:jobId', () => ({}), people('302 JOB')],
  ['webhooks/deliveries/:deliveryId', () => ({}), admins('302 DELIVERY')],
  ['webhooks/:webhookId/replay', () => replayForm, admins('302 JOB')],
  ['try/:operationId', () => triedForm, people(200)],
  ['try/graphql', () => triedDocument, people(200)],
  ['usage.csv', () => ({}), people(200)],
  ['settings/keys/new', () => ({ ...keyForm, request_token: 'a-token-of-a-form' }), admins(200)],
  ['settings/keys/:keyId/revoke', ({ prefix }) => ({ prefix }), admins('302 /workspaces/WORKSPACE/settings/keys/KEY')],
  ['settings/members', () => ({ intent: 'invite', email, role: 'member' }), admins(200)],
  ['settings/members', () => ({ intent: 'send_again', email: 'pending@example.com' }), admins(200)],
  ['settings/members', () => ({ intent: 'withdraw', email: 'pending@example.com' }), admins(200)],
  ['settings/members', () => ({ intent: 'set_role', user_id: other.id, role: 'admin' }), admins(200)],
  [
    'settings/members/:userId/keys',
    ({ keyId }) => ({ name: other.name, keys: keyId }),
    admins('302 /workspaces/WORKSPACE/settings/keys'),
  ],
  [
    'settings/members/:userId/remove',
    () => ({ name: other.name }),
    admins('302 /workspaces/WORKSPACE/settings/members?removed=PERSON&keys=none'),
  ],
  ['settings/leave', () => ({}), ['302 /workspaces', 409, 404]],
  ['settings/audit-log.csv', () => ({}), admins(200)],
  ['settings/test', () => testEventForm, admins(200)],
  ['settings/workspace', () => ({ name: 'Renamed' }), admins(200)],
  ['settings/workspace/delete', () => ({ name: 'Matrix Traders' }), admins('302 /workspaces')],
];

/** Forms that belong to no workspace. Their own tests show what they do. */
const otherForms = [
  ...['/sign-in', '/sign-in/code', '/sign-up', '/verify', '/forgot-password', '/reset-password', '/confirm'],
  ...[
    '/sign-out',
    '/invitations/:token',
    '/workspaces',
    '/theme',
    '/account',
    '/account/address',
    '/account/two-factor',
  ],
  ...['/account/two-factor/set-up', '/account/delete'],
];

interface RouteOfBuild {
  path?: string;
  index?: boolean;
  module: { action?: unknown };
}
type Person = Awaited<ReturnType<TestSystem['person']>>;

let system: TestSystem;
let gateway: TestGateway;
let webhooks: TestWebhooks;
let subscriptions: GrpcClient<typeof SubscriptionsServiceService>;
let routes: RouteOfBuild[];
let other: Person;
let otherWorkspaceId: string;
/** Member, admin, and admin of another workspace. */
let persons: readonly [Person, Person, Person];
let browsers: readonly [Visitor, Visitor, Visitor];

beforeAll(async () => {
  system = await startTestSystem();
  gateway = await startGatewayOf(system, { withLists: true });
  webhooks = await startWebhooksOf(system);
  gateway.addHistory('matrix.example', ['klaviyo']);
  const address = gateway.subscriptions?.grpcAddress ?? '';
  subscriptions = createGrpcClient({ definition: SubscriptionsServiceService, address });
  other = await system.person('Olga Other');
  persons = [await system.person('Mia'), await system.person('Ann'), await system.person('Finn')];
  const [, , foreign] = persons;
  otherWorkspaceId = (await system.workspace('Elsewhere', [{ id: foreign.id, role: 'admin' }])).workspaceId;
  browsers = [await system.signIn(persons[0]), await system.signIn(persons[1]), await system.signIn(persons[2])];
  const build = pathToFileURL(resolve(import.meta.dirname, '../../gen/web/server/index.js')).href;
  routes = Object.values(((await import(build)) as { routes: Record<string, RouteOfBuild> }).routes);
});
afterAll(async () => {
  subscriptions.close();
  await webhooks.stop();
  await gateway.stop();
  await system.stop();
});

const origin = { requestId: 'req_of_the_matrix', traceparent: '', environment: 'live' as const };

/** The id of the import that the member of a workspace has begun. */
const importOf = (workspaceId: string) => workspaceId.slice(-22);
const copyOf = (workspaceId: string) => `copy${workspaceId.slice(-18)}`;

/** The id of the request in the log of a workspace. */
const requestOf = (workspaceId: string) => workspaceId.replace('ws_', 'req_');

/** A workspace with an admin, a member, another member, an invitation, a key and a logged request. */
async function createWorld(): Promise<World & { organizationId: string }> {
  const [member, admin] = persons;
  const { workspaceId, organizationId } = await system.workspace('Matrix Traders', [
    { id: admin.id, role: 'admin' },
    { id: member.id, role: 'member' },
    { id: other.id, role: 'member' },
  ]);
  await system.db.collection('invitation').insertOne({
    _id: `invitation of ${organizationId}` as never,
    organizationId,
    email: 'pending@example.com',
    role: 'member',
    status: 'pending',
    teamId: null,
    inviterId: admin.id,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  const request = { workspaceId, label: 'Matrix key', preset: 'read_only', actor: other.id, actorAddress: '' };
  const { key } = await system.clients.keys.createKey({ ...request, scopes: [], requestToken: '' });
  const keyId = key?.id ?? '';
  const answered = {
    _id: requestOf(workspaceId),
    workspaceId,
    keyId,
    keyPrefix: '',
    at: new Date(),
    operation: 'getStore',
    method: 'GET',
    pathTemplate: '',
    path: '/v1/stores/secret.example',
    query: '',
    status: 200,
    outcome: 'ok',
    durationMs: 1,
    domains: 1,
    hasIdempotencyKey: false,
    replayed: false,
    billedBefore: false,
    environment: 'live',
  };
  await createRequestStore(system.db, 'live').add([[answered]]);
  const { list } = await subscriptions.createList(
    { workspaceId, name: 'Matrix list', quota: 10, requestToken: '' },
    { origin },
  );
  const listId = list?.id ?? '';
  const stores = [{ domain: 'matrix.example', externalId: undefined }];
  await subscriptions.addListStores({ workspaceId, listId, stores, quota: 10 }, { origin });
  const { watchlist } = await subscriptions.createWatchlist(
    {
      workspaceId,
      name: 'Matrix watchlist',
      signalTypes: [],
      technologies: [],
      quota: 10,
      requestToken: '',
      rescanInterval: undefined,
      budget: undefined,
      keyId: '',
    },
    { origin },
  );
  const watchlistId = watchlist?.id ?? '';
  const webhookId = await webhooks.create(workspaceId, { url: 'http://127.0.0.1:9/matrix' });
  const jobId = gateway.addJob(workspaceId, deriveId('job', workspaceId), 'matrix.example').id;
  const owner = { workspaceId, userId: member.id };
  const begun = { name: 'Matrix import', listId: null, mapping: null, sent: 0, added: 0, present: 0 };
  const imports = createListImportStore(system.db, 'live');
  const file = { bytes: Buffer.from('matrix.example'), copy: null };
  await imports.create(owner, { id: importOf(workspaceId), ...begun, ...file, createdAtMs: Date.now() });
  const copy = { fromListId: listId, watchlistId, total: 1, rest: '' };
  await imports.create(owner, { id: copyOf(workspaceId), ...begun, copy, createdAtMs: Date.now() });
  const deliveryId = deriveId('dlv', workspaceId);
  await addFailedDelivery(system, { id: deliveryId, workspaceId, endpointId: webhookId });
  const made = { workspaceId, organizationId, keyId, listId, watchlistId, jobId, webhookId, deliveryId };
  return { ...made, prefix: key?.prefix ?? '' };
}

const everyDelivery = { fromMs: undefined, toMs: undefined, after: undefined };

/** Everything that a form of a workspace can change. */
async function stateOf({ workspaceId, organizationId }: Awaited<ReturnType<typeof createWorld>>) {
  const find = (name: string) => system.db.collection(name).find({ organizationId }).sort({ _id: 1 }).toArray();
  const { keys } = system.clients;
  return {
    workspace: await keys.getWorkspace({ workspaceId }).catch(() => 'deleted'),
    // Gateways report the use of the Dashboard key some seconds later.
    keys: await keys.listKeys({ workspaceId, includeInactive: true }).then(
      ({ keys: all }) => all.map((key) => ({ ...key, lastUsedAtMs: undefined })),
      () => 'deleted',
    ),
    log: await keys.listAuditEntries({ workspaceId, beforeId: '', limit: 100 }).catch(() => 'deleted'),
    members: await find('member'),
    invitations: await find('invitation'),
    histories: await system.db.collection('store_histories').find({ workspaceId }).toArray(),
    imports: await system.db.collection('list_imports').find({ workspaceId }).toArray(),
    watchlists: await subscriptions.listWatchlists({ workspaceId, afterId: '', limit: 50 }, { origin }),
    webhooks: await webhooks.list(workspaceId),
    deliveries: await webhooks.client.listDeliveries(
      { workspaceId, endpointId: '', eventId: '', states: [], limit: 50, ...everyDelivery },
      { origin },
    ),
    replays: await webhooks.client.listReplayJobs(
      { workspaceId, types: [], states: [], jobIds: [], limit: 50, after: undefined },
      { origin },
    ),
    testEvents: await subscriptions.listEvents(
      {
        workspaceId,
        types: [],
        watchlistId: '',
        limit: 50,
        order: EventOrder.ASCENDING,
        waitMs: 0,
        afterSequence: undefined,
      },
      { origin: { ...origin, environment: 'test' } },
    ),
    lists: await subscriptions.listLists({ workspaceId, afterId: '', limit: 50 }, { origin }),
    jobs: [
      [...gateway.jobs.values()].filter((job) => job.workspaceId === workspaceId).map(({ state }) => state),
      await subscriptions.listBulkJobs(
        { workspaceId, types: [], states: [], jobIds: [], limit: 50, after: undefined },
        { origin },
      ),
    ],
  };
}

const pathOf = (route: string, { workspaceId, keyId, listId, watchlistId, jobId, webhookId, deliveryId }: World) =>
  route
    .replace(':webhookId', webhookId)
    .replace(':deliveryId', deliveryId)
    // Only the test environment has this page.
    .replace(':workspaceId', route.endsWith('/settings/test') ? `${workspaceId}-test` : workspaceId)
    .replace(':keyId', keyId)
    .replace(':requestId', requestOf(workspaceId))
    .replace(':userId', other.id)
    .replace(':listId', listId)
    .replace(':watchlistId', watchlistId)
    .replace(':importId', importOf(workspaceId))
    .replace(':copyId', copyOf(workspaceId))
    .replace(':domain', 'matrix.example')
    .replace(':jobId', jobId)
    .replace(':part', '1')
    .replace(':token', 'no-such-token')
    .replace(':domain', 'shop.example')
    .replace(':slug', 'shopify')
    .replace(':operationId', 'getStore')
    .replace(':file', '1.xml')
    .replace('*', 'no-such-page');

const answerOf = ({ status, headers }: Response, { workspaceId, keyId, jobId }: World): Answer => {
  const place = headers.get('location');
  if (place === null) return status;
  const stores = [
    [/^.*\/watchlists\/wl_\w+$/, 'WATCHLIST'],
    [/^.*\/lists\/lst_\w+$/, 'LIST'],
    [/^.*\/webhooks\/whk_\w+$/, 'WEBHOOK'],
    [/^.*\/watchlists\/copies\/[\w-]{22}$/, 'COPY'],
    [/^.*\/lists\/imports\/[\w-]{22}$/, 'IMPORT'],
    [/^.*\/jobs\/job_\w+$/, 'JOB'],
    [/^.*\/webhooks\/deliveries\/dlv_\w+$/, 'DELIVERY'],
    [/^.*\/stores\/scans\/job_\w+$/, 'SCAN'],
    [/^.*\/changes\?store=matrix\.example&history=[\w-]{22}#history$/, 'HISTORY'],
    [/^.*\/stores\/matrix\.example\?lookup=[\w-]{22}$/, 'LOOKUP'],
  ] as const;
  const short = stores.find(([pattern]) => pattern.test(place));
  if (short) return `${status} ${short[1]}`;
  const known = [
    [`${system.url}/workspaces`, 'HOME'],
    [workspaceId, 'WORKSPACE'],
    [otherWorkspaceId, 'OTHER'],
    [keyId, 'KEY'],
    [jobId, 'JOB'],
    [other.id, 'PERSON'],
  ] as const;
  return `${status} ${known.reduce((text, [id, name]) => text.replace(id, name), place)}`;
};
const toSignIn = (path: string, { workspaceId, keyId, jobId }: World) => {
  const next = path === '/workspaces' ? '' : `?next=${encodeURIComponent(path)}`;
  return `302 /sign-in${next.replace(workspaceId, 'WORKSPACE').replace(keyId, 'KEY').replace(jobId, 'JOB').replace(other.id, 'PERSON')}`;
};
const asData = (path: string) => `${path}.data`;

describe('table of access', () => {
  it('the table of access names every route of the application, and every route with a form', () => {
    const paths = (of: RouteOfBuild[]) => [...new Set(of.map(({ path = '' }) => `/${path}`))].toSorted();
    const withPath = routes.filter(({ path, index }) => path !== undefined || index);
    expect([...Object.keys({ ...open, ...publicPages, ...signedIn })].toSorted()).toEqual(paths(withPath));
    const named = [...forms.map(([route]) => `/workspaces/:workspaceId/${route}`), ...otherForms];
    expect([...new Set(named)].toSorted()).toEqual(paths(withPath.filter(({ module }) => module.action)));
  });
});

describe('pages', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });

  it.each(Object.entries({ ...open, ...publicPages }))(
    'the page %s is the same for every workspace',
    async (route, [anonymous, answers]) => {
      const path = pathOf(route, world);
      expect(answerOf(await system.anonymous().get(path), world)).toBe(anonymous);
      for (const [n, browser] of browsers.entries()) expect(answerOf(await browser.get(path), world)).toBe(answers[n]);
    },
  );

  it.each(Object.entries(signedIn))(
    'the page %s is shown to those who may see it, as page and as data',
    async (route, answers) => {
      const path = pathOf(route, world);
      expect(answerOf(await system.anonymous().get(path), world)).toBe(toSignIn(path, world));
      for (const [n, browser] of browsers.entries()) {
        // The home page leads to the oldest workspace of a person, so the person has only one workspace here.
        expect([n, answerOf(await browser.get(path), world)]).toEqual([n, answers[n]]);
      }
      // The browser's own requests for the data of a page.
      const refused = [system.anonymous(), ...browsers.filter((_, n) => Number(answers[n]) >= 400)];
      for (const browser of refused) {
        const data = await (await browser.get(asData(path))).text();
        expect(data).not.toMatch(/Matrix key|Olga Other|pending@example\.com|secret\.example/);
      }
    },
  );
});

describe('forms of a workspace', () => {
  it.each(forms)('the form %s changes nothing for those who may not send it', async (route, formOf, answers) => {
    const world = await createWorld();
    const path = pathOf(`/workspaces/:workspaceId/${route}`, world);
    const form = formOf(world);
    // The first page that calls the API creates the Dashboard key, even if the page shows a refusal.
    if (Number(answers[0]) >= 400) await browsers[1]?.get(`/workspaces/${world.workspaceId}/lists`);
    const before = await stateOf(world);
    expect(answerOf(await system.anonymous().submit(path, form), world)).toBe(toSignIn(path, world));
    const isRefused = (answer: Answer | undefined) => Number(answer) >= 400;
    const inOrder = [...browsers.entries()].toSorted(
      ([a], [b]) => Number(isRefused(answers[b])) - Number(isRefused(answers[a])),
    );
    const lastRefused = inOrder.findLastIndex(([n]) => isRefused(answers[n]));
    for (const [at, [n, browser]] of inOrder.entries()) {
      const expected = answers[n] === gone ? 404 : answers[n];
      expect([n, answerOf(await browser.submit(path, form), world)]).toEqual([n, expected]);
      // The same form changes something for the others, so the refusals are due to the person. `.ci/nightly` compares after each refusal.
      if (isNightly ? isRefused(answers[n]) : at === lastRefused) expect(await stateOf(world)).toEqual(before);
    }
    expect(await stateOf(world)).not.toEqual(before);
  });

  it('a form of a workspace with the key or the person of another workspace finds nothing', async () => {
    const world = await createWorld();
    const before = await stateOf(world);
    const [, , foreign] = browsers;
    const own = `/workspaces/${otherWorkspaceId}/settings`;
    const requests: [string, Form][] = [
      [`${own}/keys/${world.keyId}/revoke`, { prefix: world.prefix }],
      [`${own}/members/${other.id}/remove`, { name: other.name }],
      [`${own}/members/${other.id}/keys`, { name: other.name, keys: world.keyId }],
      [`${own}/members`, { intent: 'set_role', user_id: other.id, role: 'admin' }],
      [`${own}/members`, { intent: 'send_again', email: 'pending@example.com' }],
      [`${own}/members`, { intent: 'withdraw', email: 'pending@example.com' }],
    ];
    for (const [path, form] of requests) expect([path, (await foreign.submit(path, form)).status]).toEqual([path, 404]);
    for (const page of ['', '/status', '/revoke', '/rotate'])
      expect((await foreign.get(`${own}/keys/${world.keyId}${page}`)).status).toBe(404);
    for (const page of ['/demote', '/keys', '/remove'])
      expect((await foreign.get(`${own}/members/${other.id}${page}`)).status).toBe(404);
    expect(await stateOf(world)).toEqual(before);
  });

  it('MCP belongs to keys of the API: no session opens it', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const headers = { 'content-type': 'application/json', origin: system.url };
    for (const browser of [system.anonymous(), ...browsers]) {
      expect((await browser.request('/mcp', { method: 'POST', headers, body })).status).toBe(401);
      expect((await browser.request('/mcp')).status).toBe(405);
    }
  });
});
