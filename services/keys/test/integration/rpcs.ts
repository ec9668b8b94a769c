import { newId } from '@shopscope/ids';
import { KeyChange, type KeyChanged, keyChanged, type Plan } from '@shopscope/proto';
import type { Db } from 'mongodb';
import type { AuditEntry } from '../../src/domain/audit-entry.ts';
import { actor, by, digestOf, type KeysClient, newKey, newWorkspace, type RequestOf, type Rpc } from './harness.ts';

/** The objects that the requests of {@link rpcs} refer to. */
export interface Scene {
  workspaceId: string;
  suspendedId: string;
  key: { id: string; secret: string };
  /** A plan that no workspace is on. */
  plan: Plan;
  /** A workspace name and plan slug that do not exist yet. */
  freshName: string;
  /** An id that no audit entry has yet. */
  freshEntryId: string;
}

let scenes = 0;

export async function newScene(client: KeysClient): Promise<Scene> {
  const freshName = `fresh_${++scenes}`;
  const included = { lookupCached: 1, lookupLive: 2, historyQuery: 3, refreshRequested: 4 };
  const limits = { rpm: 5, concurrency: 6, enrichBatchMax: 7, freshnessDays: 8, historyDays: 9 };
  const quotas = { lists: 10, listStores: 11, watchlists: 12, watchedStores: 13, webhooks: 14 };
  const plan = { slug: `spare_${scenes}`, ...limits, included, quotas };
  const [workspaceId, suspendedId] = await Promise.all([newWorkspace(client), newWorkspace(client)]);
  const [key] = await Promise.all([
    newKey(client, workspaceId),
    client.suspendWorkspace({ workspaceId: suspendedId, actor }),
    client.createPlan({ plan, actor }),
  ]);
  return { workspaceId, suspendedId, key, plan, freshName, freshEntryId: newId('aud') };
}

/** The audit entry of one change, without actor and time. */
type Audited = Pick<AuditEntry, 'action' | 'workspaceId' | 'subjectId'>;

interface Row<R extends Rpc> {
  /** A request that succeeds. If the RPC can change state, the request changes it. */
  request(scene: Scene): RequestOf<R>;
  /** Absent for an RPC that only reads. `answer` contains the ids of created objects. */
  audit?(scene: Scene, answer: Awaited<ReturnType<KeysClient[R]>>): Audited[];
  /** The events of the change, in the order of their publication. */
  events?: KeyChange[];
}

const ofWorkspace = (action: Audited['action'], workspaceId: string, subjectId = workspaceId): Audited[] => [
  { action, workspaceId, subjectId },
];

/** Every RPC of the service: the compiler refuses the table when one is missing. */
export const rpcs: { [R in Rpc]: Row<R> } = {
  verifyKey: { request: ({ key }) => digestOf(key.secret) },
  createWorkspace: {
    request: ({ freshName }) => ({ name: freshName, planSlug: 'free', ...by }),
    audit: (_, { workspace }) => ofWorkspace('workspace.created', workspace?.id ?? ''),
  },
  getWorkspace: { request: ({ workspaceId }) => ({ workspaceId }) },
  listWorkspaces: { request: () => ({ afterId: '', limit: 0 }) },
  setWorkspacePlan: {
    request: ({ workspaceId, plan }) => ({ workspaceId, planSlug: plan.slug, actor }),
    audit: ({ workspaceId, plan }) => ofWorkspace('workspace.plan_set', workspaceId, plan.slug),
    events: [KeyChange.WORKSPACE_CHANGED],
  },
  setUpWorkspace: {
    request: ({ freshName }) => {
      return { name: freshName, planSlug: 'free', label: 'first', preset: 'full', scopes: [], actor };
    },
    audit: (_, { workspace, key }) => [
      ...ofWorkspace('workspace.created', workspace?.id ?? ''),
      ...ofWorkspace('key.created', workspace?.id ?? '', key?.id),
    ],
    events: [KeyChange.KEY_CREATED],
  },
  renameWorkspace: {
    request: ({ workspaceId, freshName }) => ({ workspaceId, name: freshName, ...by }),
    audit: ({ workspaceId }) => ofWorkspace('workspace.renamed', workspaceId),
    events: [KeyChange.WORKSPACE_CHANGED],
  },
  deleteWorkspace: {
    request: ({ workspaceId }) => ({ workspaceId, ...by }),
    audit: ({ workspaceId, key }) => [
      ...ofWorkspace('key.revoked', workspaceId, key.id),
      ...ofWorkspace('workspace.deleted', workspaceId),
    ],
    events: [KeyChange.KEY_REVOKED, KeyChange.WORKSPACE_DELETED],
  },
  suspendWorkspace: {
    request: ({ workspaceId }) => ({ workspaceId, actor }),
    audit: ({ workspaceId }) => ofWorkspace('workspace.suspended', workspaceId),
    events: [KeyChange.WORKSPACE_SUSPENDED],
  },
  resumeWorkspace: {
    request: ({ suspendedId }) => ({ workspaceId: suspendedId, actor }),
    audit: ({ suspendedId }) => ofWorkspace('workspace.resumed', suspendedId),
    events: [KeyChange.WORKSPACE_RESUMED],
  },
  putPlan: {
    request: ({ plan }) => ({ plan: { ...plan, rpm: plan.rpm + 1 }, actor }),
    audit: ({ plan }) => ofWorkspace('plan.put', '', plan.slug),
    events: [KeyChange.PLAN_CHANGED],
  },
  createPlan: {
    request: ({ plan, freshName }) => ({ plan: { ...plan, slug: freshName }, actor }),
    audit: ({ freshName }) => ofWorkspace('plan.created', '', freshName),
  },
  updatePlan: {
    request: ({ plan }) => ({ slug: plan.slug, rpm: plan.rpm + 1, actor }),
    audit: ({ plan }) => ofWorkspace('plan.changed', '', plan.slug),
    events: [KeyChange.PLAN_CHANGED],
  },
  deletePlan: {
    request: ({ plan }) => ({ slug: plan.slug, actor }),
    audit: ({ plan }) => ofWorkspace('plan.deleted', '', plan.slug),
  },
  listPlans: { request: () => ({}) },
  createKey: {
    request: ({ workspaceId }) => {
      const key = { workspaceId, label: 'ci', preset: 'full', scopes: [], expiresAtMs: undefined };
      return { ...key, ...by, requestToken: '' };
    },
    audit: ({ workspaceId }, { key }) => ofWorkspace('key.created', workspaceId, key?.id),
    events: [KeyChange.KEY_CREATED],
  },
  revokeKey: {
    request: ({ workspaceId, key }) => ({ workspaceId, keyId: key.id, ...by }),
    audit: ({ workspaceId, key }) => ofWorkspace('key.revoked', workspaceId, key.id),
    events: [KeyChange.KEY_REVOKED],
  },
  revokeKeys: {
    request: ({ workspaceId, key }) => ({ workspaceId, keyIds: [key.id], ...by }),
    audit: ({ workspaceId, key }) => ofWorkspace('key.revoked', workspaceId, key.id),
    events: [KeyChange.KEY_REVOKED],
  },
  issueDashboardKey: {
    request: ({ workspaceId }) => ({ workspaceId, switchOn: false, ...by }),
    audit: ({ workspaceId }, { key }) => ofWorkspace('key.created', workspaceId, key?.id),
    events: [KeyChange.KEY_CREATED],
  },
  getKey: { request: ({ workspaceId, key }) => ({ workspaceId, keyId: key.id }) },
  getKeys: { request: ({ workspaceId, key }) => ({ workspaceId, keyIds: [key.id] }) },
  listKeys: { request: ({ workspaceId }) => ({ workspaceId, includeInactive: true }) },
  listAuditEntries: { request: ({ workspaceId }) => ({ workspaceId, beforeId: '', limit: 0 }) },
  recordAuditEntry: {
    request: ({ workspaceId, freshEntryId }) => {
      const done = { action: 'member.invited', subjectId: 'usr_2', detail: 'ada@example.com' };
      return { id: freshEntryId, workspaceId, ...by, ...done };
    },
    audit: ({ workspaceId }) => ofWorkspace('member.invited', workspaceId, 'usr_2'),
  },
  verifyAuditLog: { request: ({ workspaceId }) => ({ workspaceId }) },
  listPeppers: { request: () => ({}) },
};

const names = Object.keys(rpcs) as Rpc[];
export const changing = names.filter((name) => rpcs[name].audit);
export const reading = names.filter((name) => !rpcs[name].audit);

/** Calls an RPC of the table by its name. */
export function call(client: KeysClient, name: Rpc, request: object): Promise<object> {
  return (client[name] as (request: object) => Promise<object>)(request);
}

/** The events in the outbox, in the order of their insertion. */
export async function eventsOf(db: Db): Promise<KeyChanged[]> {
  const rows = await db.collection('outbox').find().sort({ sequence: 1 }).toArray();
  return rows.map(({ value }) => keyChanged.decode(value.buffer));
}

/** Every document of the database except the lease of the relays. */
export async function contentsOf(db: Db): Promise<Record<string, object[]>> {
  const collections = (await db.collections()).filter(({ collectionName }) => collectionName !== 'outbox_lease');
  const contents = collections.map(async (each) => {
    return [each.collectionName, await each.find().sort({ _id: 1 }).toArray()] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}
