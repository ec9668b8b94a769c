import { apiKeyDigest, newId } from '@shopscope/ids';
import {
  CountStoresRequest,
  EventOrder,
  ExportFormat,
  FindStoresRequest,
  KeyStatus,
  LeaseOutcome,
  LeaseResult,
  ReserveOutcome,
  ScanUnit,
  UsageKind,
  WatchlistState,
} from '@shopscope/proto';
import { encodeQuery } from '@shopscope/store-search';
import { waitUntil } from '@shopscope/testing';
import { expect } from 'vitest';
import type { DevEnv } from '../../../src/index.ts';
import type { RpcRow } from './rpc-row.ts';
import type { Tenant } from './tenant.ts';
import { meteringOfTests, profilesOfTests, scansOfTests, subscriptionsOfTests } from './test-tenant-rows.ts';
import { webhooks } from './webhook-rows.ts';

const actor = 'operator:isolation';
const by = { actor, actorAddress: '' };
const origin = { requestId: 'req_of_the_isolation_matrix', traceparent: '', environment: 'live' as const };
const one = { lookupCached: 1, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };

const refused = async (answer: Promise<unknown>, code: string) => {
  await expect(answer).rejects.toMatchObject({ code });
};

const keys: Record<string, RpcRow> = {
  verifyKey: {
    async ask({ env, own }) {
      const answer = await env.keys.verifyKey({ keyDigest: apiKeyDigest(own.secret) }, { origin });
      expect(answer.workspace?.id).toBe(own.workspaceId);
      const invented = await env.keys.verifyKey({ keyDigest: apiKeyDigest(`${own.secret}x`) }, { origin });
      expect(invented).toMatchObject({ status: KeyStatus.UNKNOWN, key: undefined, workspace: undefined });
      return [answer, invented];
    },
  },
  createWorkspace: {
    ask: ({ env, own }) =>
      env.keys.createWorkspace({ name: `Other workspace of ${own.name}`, planSlug: own.planSlug, ...by }),
  },
  getWorkspace: { ask: ({ env, own }) => env.keys.getWorkspace({ workspaceId: own.workspaceId }) },
  listWorkspaces: {
    notBound: "the operator's list of every workspace; nothing that a customer can send leads to it",
    showsEverybody: true,
    ask: ({ env }) => env.keys.listWorkspaces({ afterId: '', limit: 200 }),
  },
  setWorkspacePlan: {
    ask: ({ env, own }) => env.keys.setWorkspacePlan({ workspaceId: own.workspaceId, planSlug: own.planSlug, actor }),
  },
  setUpWorkspace: {
    async ask({ env, own }) {
      const request = { planSlug: own.planSlug, label: 'first', preset: 'full', scopes: [], actor };
      const existing = await env.keys.setUpWorkspace({ ...request, name: `Workspace of ${own.name}` });
      expect(existing).toMatchObject({ created: false, workspace: { id: own.workspaceId } });
      return [existing, await env.keys.setUpWorkspace({ ...request, name: `First workspace of ${own.name}` })];
    },
  },
  renameWorkspace: {
    async ask({ env, own }) {
      const { workspace } = await env.keys.getWorkspace({ workspaceId: own.workspaceId });
      return env.keys.renameWorkspace({ workspaceId: own.workspaceId, name: workspace?.name ?? '', ...by });
    },
  },
  deleteWorkspace: {
    async ask({ env, own, other }) {
      // The other rows need the tenant's own workspace.
      const short = { name: `Short-lived workspace of ${own.name}`, planSlug: own.planSlug, ...by };
      const { workspace } = await env.keys.createWorkspace(short);
      const deleted = await env.keys.deleteWorkspace({ workspaceId: workspace?.id ?? '', ...by });
      const verified = await env.keys.verifyKey({ keyDigest: apiKeyDigest(other.secret) }, { origin });
      expect(verified.status).toBe(KeyStatus.ACTIVE);
      return deleted;
    },
  },
  suspendWorkspace: {
    async ask({ env, own, other }) {
      const { workspaceId } = own;
      const suspended = await env.keys.suspendWorkspace({ workspaceId, actor });
      const verified = await env.keys.verifyKey({ keyDigest: apiKeyDigest(other.secret) }, { origin });
      expect(verified.status).toBe(KeyStatus.ACTIVE);
      return [suspended, await env.keys.resumeWorkspace({ workspaceId, actor })];
    },
  },
  resumeWorkspace: { ask: ({ env, own }) => env.keys.resumeWorkspace({ workspaceId: own.workspaceId, actor }) },
  putPlan: {
    notBound: 'plans are a catalogue for every workspace',
    async ask({ env, own }) {
      const { plan } = await env.keys.getWorkspace({ workspaceId: own.workspaceId });
      return env.keys.putPlan({ plan, actor });
    },
  },
  createPlan: {
    notBound: 'plans are a catalogue for every workspace',
    async ask({ env, own }) {
      const { plan } = await env.keys.getWorkspace({ workspaceId: own.workspaceId });
      return env.keys.createPlan({ plan: plan && { ...plan, slug: 'plan_of_the_matrix' }, actor });
    },
  },
  updatePlan: {
    notBound: 'plans are a catalogue for every workspace',
    ask: ({ env, own }) => env.keys.updatePlan({ slug: own.planSlug, rpm: own.limits.rpm, actor }),
  },
  deletePlan: {
    notBound: 'plans are a catalogue for every workspace; a plan that another workspace has cannot be deleted',
    async ask({ env, other }) {
      await refused(env.keys.deletePlan({ slug: other.planSlug, actor }), 'conflict');
      return env.keys.deletePlan({ slug: 'plan_of_the_matrix', actor });
    },
  },
  listPlans: {
    notBound: 'plans are a catalogue for every workspace',
    showsEverybody: true,
    ask: ({ env }) => env.keys.listPlans({}),
  },
  createKey: {
    ask: ({ env, own }) =>
      env.keys.createKey({
        workspaceId: own.workspaceId,
        label: `third-key-of-${own.name}`,
        preset: 'full',
        scopes: [],
        expiresAtMs: undefined,
        ...by,
        requestToken: '',
      }),
  },
  revokeKey: {
    async ask({ env, own, other }) {
      for (const keyId of [other.keyId, other.revokedKeyId]) {
        await refused(env.keys.revokeKey({ workspaceId: own.workspaceId, keyId, ...by }), 'not_found');
      }
    },
  },
  revokeKeys: {
    async ask({ env, own, other }) {
      const keyIds = [other.keyId, other.revokedKeyId];
      await refused(env.keys.revokeKeys({ workspaceId: own.workspaceId, keyIds, ...by }), 'not_found');
    },
  },
  getKey: {
    async ask({ env, own, other }) {
      const { workspaceId } = own;
      await refused(env.keys.getKey({ workspaceId, keyId: other.keyId }), 'not_found');
      return env.keys.getKey({ workspaceId, keyId: own.keyId });
    },
  },
  getKeys: {
    async ask({ env, own, other }) {
      const { keys: found } = await env.keys.getKeys({
        workspaceId: own.workspaceId,
        keyIds: [other.keyId, own.keyId],
      });
      expect(found.map(({ id }) => id)).toEqual([own.keyId]);
      return found;
    },
  },
  listKeys: {
    async ask({ env, own, other }) {
      const { workspaceId } = own;
      const ask = (page: { limit?: number; revoked?: boolean; position?: string; revokedAfterMs?: number }) =>
        env.keys.listKeys({ workspaceId, includeInactive: true, ...page });
      // The key of another workspace as position shows nothing of it.
      return Promise.all([
        ask({}),
        ask({ limit: 200, position: other.keyId }),
        ask({ limit: 200, revoked: true, position: `${Date.now()}-${other.keyId}`, revokedAfterMs: 1 }),
      ]);
    },
  },
  issueDashboardKey: {
    async ask({ env, own, other }) {
      const issued = await env.keys.issueDashboardKey({ workspaceId: own.workspaceId, switchOn: false, ...by });
      const { keys: listed } = await env.keys.listKeys({ workspaceId: other.workspaceId, includeInactive: true });
      expect(listed.map(({ id }) => id)).not.toContain(issued.key?.id);
      return issued;
    },
  },
  listAuditEntries: {
    async ask({ env, own, other }) {
      const theirs = await env.keys.listAuditEntries({ workspaceId: other.workspaceId, beforeId: '', limit: 1 });
      const beforeIds = ['', theirs.entries[0]?.id ?? ''];
      const ask = (beforeId: string) =>
        env.keys.listAuditEntries({ workspaceId: own.workspaceId, beforeId, limit: 200 });
      return Promise.all(beforeIds.map(ask));
    },
  },
  recordAuditEntry: {
    async ask({ env, own, other }) {
      const theirs = await env.keys.listAuditEntries({ workspaceId: other.workspaceId, beforeId: '', limit: 1 });
      const entry = { workspaceId: own.workspaceId, action: 'member.invited', detail: '', ...by };
      const asked = { ...entry, subjectId: other.keyId };
      await refused(env.keys.recordAuditEntry({ ...asked, id: theirs.entries[0]?.id ?? '' }), 'conflict');
      return env.keys.recordAuditEntry({ ...entry, subjectId: own.keyId, id: newId('aud') });
    },
  },
  verifyAuditLog: { ask: ({ env, own }) => env.keys.verifyAuditLog({ workspaceId: own.workspaceId }) },
  listPeppers: {
    notBound: 'counts over all workspaces, for operators; nothing that a customer can send leads to it',
    ask: ({ env }) => env.keys.listPeppers({}),
  },
};

const metering: Record<string, RpcRow> = {
  reserve: {
    async ask({ env, own, other }) {
      const included = { ...one, lookupCached: own.limits.lookupCached };
      const { workspaceId, keyId } = own;
      const asked = { workspaceId, keyId, executionId: '', fingerprint: Buffer.alloc(0) };
      const item = { ...asked, units: one, included, requestId: origin.requestId };
      const chargeId = newId('chg');
      const { results } = await env.metering.reserve({
        items: [
          { ...item, chargeId },
          { ...item, chargeId: other.chargeId },
        ],
      });
      // The outcome "already settled" would reveal that the other workspace was billed under that id.
      expect(results[1]?.outcome).not.toBe(ReserveOutcome.ALREADY_SETTLED);
      await env.metering.voidCharge({ chargeId, attempt: 1, workspaceId, keyId }, { origin });
      return results;
    },
  },
  leaseAllowance: {
    async ask({ env, own, other }) {
      const included = { ...one, lookupCached: 1_000_000 };
      const first = {
        leaseId: newId('lse'),
        callNumber: 1,
        wanted: 1,
        spent: 0,
        final: false,
        included,
        periodStartMs: 0,
        unit: 'lookup_cached',
      };
      const call = async (workspaceId: string, over: Partial<typeof first> = {}) => {
        const ask = { ...first, workspaceId, sentAtMs: Date.now(), ...over };
        const { grants } = await env.metering.leaseAllowance({ gatewayId: 'gateway', asks: [ask] });
        return grants[0];
      };
      const granted = await call(own.workspaceId);
      expect(granted).toMatchObject({ outcome: LeaseOutcome.GRANTED, granted: 1 });
      const { periodStartMs = 0 } = granted ?? {};
      await call(other.workspaceId, { callNumber: 2, final: true, periodStartMs });
      expect(await call(own.workspaceId, { callNumber: 2, periodStartMs })).toMatchObject({ granted: 1 });
      return call(own.workspaceId, { callNumber: 3, wanted: 0, final: true, periodStartMs });
    },
  },
  voidCharge: {
    async ask({ env, own, other }) {
      const { workspaceId, keyId } = own;
      const before = await env.metering.getUsage({ workspaceId }, { origin });
      const { balance } = await env.metering.voidCharge({
        chargeId: other.chargeId,
        attempt: 1,
        workspaceId,
        keyId,
      });
      expect(balance?.used).toEqual(before.balance?.used);
      return balance;
    },
  },
  recordUsage: {
    async ask({ env, own, other }) {
      const { workspaceId, keyId } = own;
      const { balance } = await env.metering.getUsage({ workspaceId }, { origin });
      const event = {
        chargeId: other.chargeId,
        attempt: 1,
        workspaceId,
        keyId,
        units: one,
        periodStartMs: balance?.periodStartMs ?? 0,
        occurredAtMs: balance?.periodStartMs ?? 0,
        operation: 'enrichStores',
      };
      const kinds = [UsageKind.VOID, UsageKind.CHARGE];
      return env.metering.recordUsage({ events: kinds.map((kind) => ({ ...event, kind })) });
    },
  },
  getBalance: {
    async ask({ env, own }) {
      const { balance } = await env.metering.getUsage({ workspaceId: own.workspaceId }, { origin });
      const { balances } = await env.metering.getBalance({ workspaceIds: [own.workspaceId] }, { origin });
      expect(balances).toEqual([balance]);
      return balances;
    },
  },
  getUsage: {
    async ask({ env, own }) {
      const usage = await env.metering.getUsage({ workspaceId: own.workspaceId }, { origin });
      expect(usage.balance?.used).toMatchObject({
        lookupCached: own.asker.billed.lookup_cached,
        lookupLive: own.asker.billed.lookup_live,
      });
      return usage;
    },
  },
  getDailyUsage: {
    async ask({ env, own }) {
      const usage = await env.metering.getDailyUsage({ workspaceId: own.workspaceId }, { origin });
      const sumOf = (unit: 'lookupCached' | 'lookupLive') =>
        usage.days.reduce((sum, { used }) => sum + (used?.[unit] ?? 0), 0);
      const { lookup_cached, lookup_live } = own.asker.billed;
      expect([sumOf('lookupCached'), sumOf('lookupLive')]).toEqual([lookup_cached, lookup_live]);
      return usage;
    },
  },
};

const profiles: Record<string, RpcRow> = {
  getStores: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    async ask({ profiles: corpus, own, other }) {
      const answer = await corpus.getStores({ domains: [own.domain, other.domain] }, { origin });
      expect(answer.stores.every(({ length }) => length > 0)).toBe(true);
      return { ...answer, bodies: answer.bodies.toString() };
    },
  },
  getScanTimes: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    async ask({ profiles: corpus, own, other }) {
      const answer = await corpus.getScanTimes({ domains: [own.domain, other.domain] }, { origin });
      expect(answer.lastCompletedScanAtMs.every((time) => time > 0)).toBe(true);
      return answer;
    },
  },
  getStoreFacts: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    async ask({ profiles: corpus, own, other }) {
      const { stores } = await corpus.getStoreFacts({ domains: [own.domain, other.domain] }, { origin });
      expect(stores).toHaveLength(2);
      return stores.map((store) => ({ ...store, body: store.body.toString() }));
    },
  },
  listStoreFacts: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    async ask({ profiles: corpus }) {
      const { stores } = await corpus.listStoreFacts({ afterDomain: '', limit: 500 }, { origin });
      return stores.map((store) => ({ ...store, body: store.body.toString() }));
    },
  },
  getHistory: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    async ask({ profiles: corpus, other }) {
      const answer = await corpus.getHistory({
        domain: other.domain,
        filters: undefined,
        after: undefined,
        limit: 50,
      });
      expect(answer.observation).toBeDefined();
      return answer;
    },
  },
  searchSignals: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    ask: ({ profiles: corpus }) =>
      corpus.searchSignals(
        { filters: undefined, after: undefined, limit: 50, ascending: false, onlyCheck: false },
        { origin },
      ),
  },
  listSignalPlaces: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    ask: ({ profiles: corpus }) =>
      corpus.listSignalPlaces({ filters: undefined, after: undefined, limit: 50, ascending: false }, { origin }),
  },
  getSignals: {
    notBound: 'one corpus for everybody; no request names the workspace that asks',
    ask: ({ profiles: corpus }) => corpus.getSignals({ ids: ['evt_01kandxv3w9p4nsbq7g8e2hm5t'] }, { origin }),
  },
  listTechnologies: {
    notBound: 'one vocabulary for everybody',
    ask: ({ profiles: corpus }) =>
      corpus.listTechnologies(
        { kind: '', category: '', q: '', afterSlug: '', limit: 200, order: undefined },
        { origin },
      ),
  },
  getTechnology: {
    notBound: 'one vocabulary for everybody',
    ask: ({ profiles: corpus }) => corpus.getTechnology({ slug: 'shopify' }),
  },
  resolveValues: {
    notBound: 'one vocabulary for everybody',
    ask: ({ profiles: corpus }) =>
      corpus.resolveValues({ technologies: ['shopify'], platforms: [], countries: [], industries: [], categories: [] }),
  },
  getCorpus: {
    notBound: 'one corpus for everybody',
    ask: ({ profiles: corpus }) => corpus.getCorpus({}),
  },
  listDomainPages: {
    notBound: 'one corpus for everybody',
    ask: ({ profiles: corpus }) => corpus.listDomainPages({}),
  },
  listDomains: {
    notBound: 'one corpus for everybody',
    ask: ({ profiles: corpus }) => corpus.listDomains({ afterDomain: '', throughDomain: '', limit: 10_000 }),
  },
  importObservations: {
    notBound: 'one corpus for everybody; only operators may call it, and nothing that a customer can send leads to it',
    ask: ({ profiles: corpus }) => corpus.importObservations({ observations: [], environment: '' }),
  },
  exportObservations: {
    notBound: 'one corpus for everybody; only operators may call it, and nothing that a customer can send leads to it',
    ask: ({ profiles: corpus }) => corpus.exportObservations({ afterDomain: '', afterSequence: 0, environment: '' }),
  },
};

const scans: Record<string, RpcRow> = {
  claimScans: {
    async ask({ env, own, other }) {
      const domains = [other.unknownDomain, other.domain];
      const claim = { workspaceId: own.workspaceId, domains, unit: ScanUnit.LOOKUP_LIVE };
      const chargeIds = [newId('chg'), other.chargeId];
      const answers = await Promise.all(
        chargeIds.map((chargeId) => env.scans.claimScans({ ...claim, chargeId }, { origin })),
      );
      const release = { workspaceId: own.workspaceId, claims: [] };
      for (const chargeId of chargeIds) await env.scans.releaseClaims({ ...release, chargeId }, { origin });
      return answers;
    },
  },
  releaseClaims: {
    ask: ({ env, own, other }) =>
      withOpenClaim(env, other, ({ chargeId }) =>
        env.scans.releaseClaims({ workspaceId: own.workspaceId, chargeId, claims: [] }, { origin }),
      ),
  },
  requestScans: {
    ask: ({ env, own, other }) =>
      withOpenClaim(env, other, async ({ chargeId, jobId, domain }) => {
        const ids = { jobId, workspaceId: own.workspaceId, chargeId };
        const request = { ...ids, domain, unit: ScanUnit.LOOKUP_LIVE, requestedAtMs: 0 };
        await refused(env.scans.requestScans({ requests: [request] }), 'invalid_request');
      }),
  },
  getJob: {
    async ask({ env, own, other }) {
      await refused(env.scans.getJob({ workspaceId: own.workspaceId, jobId: other.jobId }), 'not_found');
      return env.scans.getJob({ workspaceId: own.workspaceId, jobId: own.jobId });
    },
  },
  listJobs: {
    async ask({ env, own, other }) {
      const { job } = await env.scans.getJob({ workspaceId: other.workspaceId, jobId: other.jobId });
      const list = { workspaceId: own.workspaceId, states: [], limit: 200, jobIds: [] };
      // The page token may also be the position of the other workspace's job in its own list.
      const after = { jobId: other.jobId, createdAtMs: (job?.createdAtMs ?? 0) + 1 };
      return [await env.scans.listJobs(list), await env.scans.listJobs({ ...list, after })];
    },
  },
  cancelJob: {
    async ask({ env, own, other }) {
      await refused(env.scans.cancelJob({ workspaceId: own.workspaceId, jobId: other.jobId }), 'not_found');
      return withOpenClaim(env, other, ({ jobId }) =>
        refused(env.scans.cancelJob({ workspaceId: own.workspaceId, jobId }), 'not_found'),
      );
    },
  },
  leaseScan: {
    notBound: 'a scanner visits a domain once for everybody who asked; the lease names none of them',
    ask: ({ env }) => env.scans.leaseScan({ scannerId: 'scanner-of-the-matrix', waitMs: 1 }),
  },
  renewLease: {
    notBound: 'the request names no workspace, only a lease by its token',
    ask: ({ env, other }) =>
      env.scans.renewLease({ scanId: other.jobId, domain: other.domain, leaseToken: other.jobId }),
  },
  finishLease: {
    notBound: 'the request names no workspace, only a lease by its token',
    ask: ({ env, other }) => {
      const lease = { scanId: other.jobId, domain: other.domain, leaseToken: other.jobId };
      return env.scans.finishLease({ ...lease, result: LeaseResult.ABANDONED, reason: 'scanner_fault' });
    },
  },
  addOptOut: {
    notBound: 'one list for everybody; only operators may call it, and nothing that a customer can send leads to it',
    ask: ({ env }) => env.scans.addOptOut({ subject: 'opted-out-in-the-matrix.example', reason: 'matrix', actor }),
  },
  removeOptOut: {
    notBound: 'one list for everybody; only operators may call it, and nothing that a customer can send leads to it',
    ask: ({ env }) => refused(env.scans.removeOptOut({ subject: 'never-opted-out.example', actor }), 'not_found'),
  },
  listOptOuts: {
    notBound: 'one list for everybody; only operators may call it, and nothing that a customer can send leads to it',
    ask: ({ env }) => env.scans.listOptOuts({ withRemoved: false, afterSubject: '', limit: 10 }),
  },
  getScanTarget: {
    notBound: 'one state of a domain for everybody; it names no workspace that asked for a scan',
    ask: ({ env, other }) => env.scans.getScanTarget({ domain: other.domain }),
  },
  queueScans: {
    notBound: 'one queue for everybody; only operators may call it, and the response has outcomes alone',
    ask: ({ env, other }) => env.scans.queueScans({ domains: [other.domain], skipVisitedSinceMs: 1 }),
  },
};

const dashboard: Record<string, RpcRow> = {
  invitePerson: {
    async ask({ env, own }) {
      const invite = (workspaceId: string) =>
        env.dashboard?.client.invitePerson({ workspaceId, email: `of-${own.name}@example.com`, role: 'admin', actor });
      await refused(Promise.resolve(invite(newId('ws'))), 'not_found');
      return invite(own.workspaceId);
    },
  },
};

/** A claim of `tenant` that is not requested yet. The calls may not change it. */
async function withOpenClaim(
  env: DevEnv,
  tenant: Tenant,
  attempt: (claim: { chargeId: string; jobId: string; domain: string }) => Promise<unknown>,
): Promise<unknown> {
  const { workspaceId } = tenant;
  const chargeId = newId('chg');
  const domain = 'claimed-and-not-requested.example';
  const charge = { workspaceId, chargeId, unit: ScanUnit.LOOKUP_LIVE };
  const { claims } = await env.scans.claimScans({ ...charge, domains: [domain] }, { origin });
  const jobId = claims[0]?.jobId ?? '';
  const before = await env.scans.getJob({ workspaceId, jobId });
  const answer = await attempt({ chargeId, jobId, domain });
  expect(await env.scans.getJob({ workspaceId, jobId })).toEqual(before);
  await env.scans.releaseClaims({ workspaceId, chargeId, claims: [] }, { origin });
  return answer;
}

/** Calls the RPC with the list of the other workspace, which is not found, and then with the caller's list. */
const ofList =
  <R>(ask: (env: DevEnv, list: { workspaceId: string; listId: string }, other: Tenant) => Promise<R>): RpcRow['ask'] =>
  async ({ env, own, other }) => {
    const { workspaceId } = own;
    await refused(ask(env, { workspaceId, listId: other.listId }, other), 'not_found');
    return ask(env, { workspaceId, listId: own.listId }, other);
  };

/** The members of a request that sets no rescans. */
const noRescans = { rescanInterval: undefined, budget: undefined, keyId: '' };

type WatchlistRef = { workspaceId: string; watchlistId: string };

async function newWatchlist(env: DevEnv, { workspaceId, name }: Tenant): Promise<WatchlistRef> {
  const members = { name: `Watchlist of ${name}`, signalTypes: [], technologies: [], ...noRescans };
  const request = { workspaceId, ...members, quota: 100, requestToken: '' };
  const { watchlist } = await env.subscriptions.createWatchlist(request, { origin });
  return { workspaceId, watchlistId: watchlist?.id ?? '' };
}

/** Calls the RPC with a watchlist of the other workspace, which is not found, and then with one of the caller's. */
const ofWatchlist =
  <R>(ask: (env: DevEnv, watchlist: WatchlistRef, other: Tenant) => Promise<R>): RpcRow['ask'] =>
  async ({ env, own, other }) => {
    const { workspaceId } = own;
    await refused(ask(env, { workspaceId, watchlistId: other.watchlistId }, other), 'not_found');
    return ask(env, await newWatchlist(env, own), other);
  };

const jobOf = ({ workspaceId, keyId, listId }: Pick<Tenant, 'workspaceId' | 'keyId' | 'listId'>) => ({
  workspaceId,
  keyId,
  listId,
  refresh: false,
  maxUnits: undefined,
  requestToken: '',
});

/** An export of the stores of a list. It bills nothing before the list is deleted. */
const exportRequestOf = ({ workspaceId, keyId, listId }: Tenant) => ({
  workspaceId,
  keyId,
  query: encodeQuery(exportQueryOf(listId)),
  windowFrom: 0,
  format: ExportFormat.NDJSON,
  columns: [],
  maxRows: 10,
  maxLookupCached: undefined,
  maxHistoryQuery: undefined,
  requestToken: '',
});

const exportQueryOf = (listId: string) => ({
  where: { status: { any: ['active_storefront'] }, technologies: [], dropped: [], list: { any: [listId] } },
  sort: 'domain' as const,
});

/** Starts a job over an empty list, which bills nothing. */
async function startJob(env: DevEnv, tenant: Tenant): Promise<string> {
  const { workspaceId } = tenant;
  const created = await env.subscriptions.createList(
    { workspaceId, name: `List of a job of ${tenant.name}`, quota: 100, requestToken: '' },
    { origin },
  );
  const listId = created.list?.id ?? '';
  const { job } = await env.subscriptions.startListEnrich(jobOf({ ...tenant, listId }), { origin });
  await env.subscriptions.deleteList({ workspaceId, listId }, { origin });
  return job?.id ?? '';
}

/** Calls the RPC with a job of the other workspace, which is not found, and then with one of the caller's. */
const ofJob =
  <R>(ask: (env: DevEnv, job: { workspaceId: string; jobId: string }) => Promise<R>): RpcRow['ask'] =>
  async ({ env, own, other }) => {
    const { workspaceId } = own;
    await refused(ask(env, { workspaceId, jobId: await startJob(env, other) }), 'not_found');
    return ask(env, { workspaceId, jobId: await startJob(env, own) });
  };

const subscriptions: Record<string, RpcRow> = {
  createList: {
    async ask({ env, own }) {
      const request = { workspaceId: own.workspaceId, name: `List of the matrix of ${own.name}`, requestToken: '' };
      // The lists of the other workspace do not count to the quota.
      await refused(env.subscriptions.createList({ ...request, quota: 1 }, { origin }), 'invalid_request');
      return env.subscriptions.createList({ ...request, quota: 2 }, { origin });
    },
  },
  getList: { ask: ofList((env, list) => env.subscriptions.getList(list, { origin })) },
  listLists: {
    ask: ({ env, own, other }) =>
      Promise.all(
        // The list of another workspace as a position shows nothing of it.
        ['', other.listId].map((afterId) =>
          env.subscriptions.listLists({ workspaceId: own.workspaceId, afterId, limit: 200 }, { origin }),
        ),
      ),
  },
  updateList: { ask: ofList((env, list) => env.subscriptions.updateList({ ...list, name: 'Renamed' }, { origin })) },
  deleteList: {
    async ask({ env, own, other }) {
      const { workspaceId } = own;
      await refused(env.subscriptions.deleteList({ workspaceId, listId: other.listId }, { origin }), 'not_found');
      // The other rows need the tenant's own list.
      const request = { workspaceId, name: 'Short-lived', quota: 100, requestToken: '' };
      const { list } = await env.subscriptions.createList(request, { origin });
      return env.subscriptions.deleteList({ workspaceId, listId: list?.id ?? '' }, { origin });
    },
  },
  addListStores: {
    ask: ofList((env, list, other) => {
      const stores = [{ domain: other.domain, externalId: 'of the matrix' }];
      return env.subscriptions.addListStores({ ...list, stores, quota: 100 }, { origin });
    }),
  },
  removeListStores: {
    ask: ofList((env, list, other) =>
      env.subscriptions.removeListStores({ ...list, domains: [other.domain] }, { origin }),
    ),
  },
  removeListStore: {
    async ask({ env, own, other }) {
      const { workspaceId } = own;
      for (const { listId } of [own, other]) {
        const request = { workspaceId, listId, domain: other.domain };
        await refused(env.subscriptions.removeListStore(request, { origin }), 'not_found');
      }
    },
  },
  listListStores: {
    ask: ofList((env, list) => env.subscriptions.listListStores({ ...list, afterDomain: '', limit: 200 }, { origin })),
  },
  listListDomains: {
    ask: ofList((env, list) => env.subscriptions.listListDomains({ ...list, limit: 5_000 }, { origin })),
  },
  filterListDomains: {
    ask: ofList((env, list) => env.subscriptions.filterListDomains({ ...list, domains: ['a.example'] }, { origin })),
  },
  quoteListEnrich: {
    async ask({ env, own, other }) {
      const quote = (tenant: Tenant) => env.subscriptions.quoteListEnrich(jobOf(tenant), { origin });
      await refused(quote({ ...own, listId: other.listId }), 'not_found');
      await refused(quote({ ...own, keyId: other.keyId }), 'unauthorized');
      return quote(own);
    },
  },
  startListEnrich: {
    async ask({ env, own, other }) {
      const start = (tenant: Tenant) => env.subscriptions.startListEnrich(jobOf(tenant), { origin });
      await refused(start({ ...own, listId: other.listId }), 'not_found');
      // The key of another workspace pays for nothing.
      await refused(start({ ...own, keyId: other.keyId }), 'unauthorized');
      return startJob(env, own);
    },
  },
  startExport: {
    async ask({ env, own, other }) {
      const start = (tenant: Tenant) => env.subscriptions.startExport(exportRequestOf(tenant), { origin });
      await refused(start({ ...own, listId: other.listId }), 'not_found');
      // The key of another workspace pays for nothing.
      await refused(start({ ...own, keyId: other.keyId }), 'unauthorized');
      return start(own);
    },
  },
  readExportPart: {
    async ask({ env, own, other }) {
      for (const tenant of [own, other]) {
        const part = { workspaceId: own.workspaceId, jobId: await startJob(env, tenant), part: 1, fromByte: 0 };
        // An enrichment has no part.
        await refused(env.subscriptions.readExportPart(part, { origin }), 'not_found');
      }
    },
  },
  getBulkJob: { ask: ofJob((env, job) => env.subscriptions.getBulkJob(job, { origin })) },
  listBulkJobs: {
    async ask({ env, own, other }) {
      const jobIds = [await startJob(env, other), await startJob(env, own)];
      const request = { workspaceId: own.workspaceId, types: [], states: [], after: undefined, limit: 200 };
      const [all, named] = await Promise.all(
        [[], jobIds].map((ids) => env.subscriptions.listBulkJobs({ ...request, jobIds: ids }, { origin })),
      );
      expect(named?.jobs.map(({ id }) => id)).toEqual(jobIds.slice(1));
      return [all, named];
    },
  },
  cancelBulkJob: { ask: ofJob((env, job) => env.subscriptions.cancelBulkJob(job, { origin })) },
  listBulkJobResults: {
    ask: ofJob((env, job) => env.subscriptions.listBulkJobResults({ ...job, afterDomain: '', limit: 200 }, { origin })),
  },

  createWatchlist: {
    async ask({ env, own }) {
      const members = { name: `Watchlist of the matrix of ${own.name}`, signalTypes: [], technologies: [] };
      const request = { workspaceId: own.workspaceId, requestToken: '', ...members, ...noRescans };
      // The watchlists of the other workspace do not count to the quota.
      await refused(env.subscriptions.createWatchlist({ ...request, quota: 0 }, { origin }), 'invalid_request');
      return env.subscriptions.createWatchlist({ ...request, quota: 100 }, { origin });
    },
  },
  getWatchlist: { ask: ofWatchlist((env, watchlist) => env.subscriptions.getWatchlist(watchlist, { origin })) },
  listWatchlists: {
    async ask({ env, own, other }) {
      return Promise.all(
        ['', other.watchlistId].map((afterId) =>
          env.subscriptions.listWatchlists({ workspaceId: own.workspaceId, afterId, limit: 200 }, { origin }),
        ),
      );
    },
  },
  updateWatchlist: {
    ask: ofWatchlist((env, watchlist) => {
      const members = { name: 'Renamed', signalTypes: undefined, technologies: undefined, ...noRescans };
      const request = { ...watchlist, ...members, state: WatchlistState.PAUSED };
      return env.subscriptions.updateWatchlist(request, { origin });
    }),
  },
  deleteWatchlist: { ask: ofWatchlist((env, watchlist) => env.subscriptions.deleteWatchlist(watchlist, { origin })) },
  addWatchlistStores: {
    ask: ofWatchlist((env, watchlist, other) => {
      const stores = [{ domain: other.domain, externalId: 'of the matrix' }];
      return env.subscriptions.addWatchlistStores({ ...watchlist, stores, quota: 100 }, { origin });
    }),
  },
  removeWatchlistStores: {
    ask: ofWatchlist((env, watchlist, other) =>
      env.subscriptions.removeWatchlistStores({ ...watchlist, domains: [other.domain] }, { origin }),
    ),
  },
  removeWatchlistStore: {
    async ask({ env, own, other }) {
      const { watchlistId, domain } = other;
      const request = { workspaceId: own.workspaceId, watchlistId, domain };
      await refused(env.subscriptions.removeWatchlistStore(request, { origin }), 'not_found');
    },
  },
  listWatchlistStores: {
    ask: ofWatchlist((env, watchlist) =>
      env.subscriptions.listWatchlistStores({ ...watchlist, afterDomain: '', limit: 200 }, { origin }),
    ),
  },
  listEvents: {
    async ask({ env, own, other }) {
      const all = { afterSequence: undefined, types: [], watchlistId: '', limit: 200, waitMs: 0 };
      const request = { workspaceId: own.workspaceId, ...all, order: EventOrder.ASCENDING };
      const { watchlistId } = other;
      await refused(env.subscriptions.listEvents({ ...request, watchlistId }, { origin }), 'not_found');
      return env.subscriptions.listEvents(request, { origin });
    },
  },
};

const query = encodeQuery({
  where: { status: { any: ['active_storefront'] }, technologies: [], dropped: [] },
  sort: 'domain',
});
const storesOf = ({ domain }: Tenant) => ({
  windowFrom: 0,
  lists: [{ listId: 'lst_of_the_matrix', domains: [domain] }],
});

const search: Record<string, RpcRow> = {
  findStores: {
    notBound: 'one corpus for everybody; the caller sends the stores of the lists that the query names',
    async ask({ env, other }) {
      const request = FindStoresRequest.fromPartial({ query, limit: 50, context: storesOf(other) });
      // The first edition opens shortly after the start.
      const page = await waitUntil('an edition', () =>
        env.search.findStores(request, { origin }).catch(() => undefined),
      );
      return page.rows.map((row) => ({ ...row, body: row.body.toString() }));
    },
  },
  countStores: {
    notBound: 'one corpus for everybody; the caller sends the stores of the lists that the query names',
    ask: ({ env, other }) =>
      env.search.countStores(
        CountStoresRequest.fromPartial({ query, facets: ['country'], facetSize: 10, context: storesOf(other) }),
        { origin },
      ),
  },
};

/** Service → method → row. */
export const rpcRows: Record<string, Record<string, RpcRow>> = {
  'shopscope.keys.v1.KeysService': keys,
  'shopscope.metering.v1.MeteringService': { ...metering, ...meteringOfTests },
  'shopscope.profiles.v1.ProfilesService': { ...profiles, ...profilesOfTests },
  'shopscope.scans.v1.ScanSchedulerService': { ...scans, ...scansOfTests },
  'shopscope.subscriptions.v1.SubscriptionsService': { ...subscriptions, ...subscriptionsOfTests },
  'shopscope.webhooks.v1.WebhooksService': webhooks,
  'shopscope.search.v1.SearchService': search,
  'shopscope.dashboard.v1.DashboardService': dashboard,
};
