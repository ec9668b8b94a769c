import { deriveId } from '@shopscope/ids';
import { expect } from 'vitest';
import type { DevEnv } from '../../../src/index.ts';
import { type Asker, createAsker } from './asker.ts';
import { createTenantWebhook, type TenantWebhook } from './tenant-webhook.ts';

/** A workspace whose data can be recognised in any response. */
export interface Tenant extends TenantWebhook {
  name: string;
  workspaceId: string;
  /** The month of its units. Comparisons ask for this month, so that they may be on both sides of a month's end. */
  periodStartMs: number;
  keyId: string;
  secret: string;
  /** The secret of a key of the test tenant. */
  testSecret: string;
  asker: Asker;
  planSlug: string;
  limits: TenantLimits;
  /** The Idempotency-Key of the enrich of `domain` that created `jobId` and `chargeId`. Its response is stored. */
  requestId: string;
  idempotencyKey: string;
  chargeId: string;
  jobId: string;
  /** An enrichment of the list before it had a store. */
  bulkJobId: string;
  /** A domain outside the corpus. One scan of it was requested, and its job failed. */
  unknownDomain: string;
  /** Visible to all workspaces after its scan. */
  domain: string;
  revokedKeyId: string;
  /** A list with `domain` as its store. */
  listId: string;
  /** A watchlist with `domain` as its store. */
  watchlistId: string;
  /** Values that only this workspace may see. */
  traces: string[];
}

export interface TenantLimits {
  rpm: number;
  lookupCached: number;
}

const by = { actor: 'operator:isolation', actorAddress: '192.0.2.77' };

/** Creates a plan, two keys, a revoked key, look-ups and a scan, all with recognisable names. */
export async function createTenant(
  env: DevEnv,
  tenant: { name: string; limits: TenantLimits; domain: string; lookUps: number },
): Promise<Tenant> {
  const { name, limits, domain } = tenant;
  const planSlug = `plan_of_${name}`;
  const included = { lookupCached: limits.lookupCached, lookupLive: 500, historyQuery: 1, refreshRequested: 500 };
  await env.keys.putPlan({
    plan: {
      slug: planSlug,
      rpm: limits.rpm,
      concurrency: 50,
      enrichBatchMax: 50,
      freshnessDays: 3_650,
      historyDays: 1,
      included,
      // More than the rows of the matrix create.
      quotas: { lists: 3, listStores: 100, watchlists: 3, watchedStores: 100, webhooks: 2 },
    },
    actor: by.actor,
  });
  const { workspace } = await env.keys.createWorkspace({ name: `Workspace of ${name}`, planSlug, ...by });
  const workspaceId = workspace?.id ?? '';
  const createKey = async (label: string, environment = 'live') =>
    env.keys.createKey({
      workspaceId,
      label,
      preset: 'full',
      scopes: [],
      environment,
      expiresAtMs: undefined,
      ...by,
      requestToken: '',
    });
  const { key, secret } = await createKey(`key-of-${name}`);
  const second = await createKey(`second-key-of-${name}`);
  const test = await createKey(`test-key-of-${name}`, 'test');
  const revoked = await createKey(`revoked-key-of-${name}`);
  await env.keys.revokeKey({ workspaceId, keyId: revoked.key?.id ?? '', ...by });

  const asker = createAsker(env.apiUrls[0] as string, secret);
  const enrich = (body: unknown, headers = {}) => asker.send({ path: '/v1/stores/enrich', body, headers });
  const requestId = `request-of-${name}`;
  const idempotencyKey = `idempotency-key-of-${name}`;
  const scan = await enrich(bodyOf(domain), { 'x-request-id': requestId, 'idempotency-key': idempotencyKey });
  const unknownDomain = `unseen-but-by-${name}.example`;
  const other = await enrich(bodyOf(unknownDomain));
  const [jobId, otherJobId] = [scan, other].map(({ body }) => body.results[0].scan_job_id as string) as [
    string,
    string,
  ];
  await env.settle();
  for (let n = 0; n < tenant.lookUps; n++) await asker.send({ path: `/v1/stores/${domain}` });
  await asker.send({ path: `/v1/stores/${domain}` }, second.secret);
  await env.settle();

  const listName = `List of ${name}`;
  const listId = (await asker.send({ path: '/v1/lists', body: { name: listName } })).body.id as string;
  const enriched = await asker.send({ path: `/v1/lists/${listId}/enrich`, body: {} });
  const bulkJobId = enriched.body.id as string;
  const externalId = `external-id-of-${name}`;
  await asker.send({
    path: `/v1/lists/${listId}/stores`,
    body: { stores: [{ domain, external_id: externalId }] },
  });

  const watchlistName = `Watchlist of ${name}`;
  const watchlistId = (await asker.send({ path: '/v1/watchlists', body: { name: watchlistName } })).body.id as string;
  await asker.send({
    path: `/v1/watchlists/${watchlistId}/stores`,
    body: { stores: [{ domain, external_id: externalId }] },
  });

  const webhookName = `Webhook of ${name}`;
  const webhook = await createTenantWebhook(env, { asker, description: webhookName, watchlistId });

  const keys = [key, second.key, test.key, revoked.key].flatMap((one) => (one ? [one.id, one.label, one.prefix] : []));
  const { balance } = await env.metering.getUsage({ workspaceId });
  const chargeId = deriveId('chg', workspaceId, 'enrichStores', idempotencyKey);
  return {
    ...tenant,
    workspaceId,
    periodStartMs: balance?.periodStartMs ?? 0,
    keyId: key?.id ?? '',
    secret,
    testSecret: test.secret,
    asker,
    planSlug,
    requestId,
    idempotencyKey,
    chargeId,
    jobId,
    bulkJobId,
    unknownDomain,
    revokedKeyId: revoked.key?.id ?? '',
    listId,
    watchlistId,
    ...webhook,
    traces: [
      workspaceId,
      `Workspace of ${name}`,
      secret,
      test.secret,
      planSlug,
      requestId,
      jobId,
      bulkJobId,
      otherJobId,
      chargeId,
      listId,
      listName,
      watchlistId,
      watchlistName,
      externalId,
      webhookName,
      ...Object.values(webhook),
      ...keys,
    ],
  };
}

/** The body that a tenant sends first, and that the other tenant repeats byte for byte. */
export const bodyOf = (domain: string) => ({ domains: [domain], refresh: true });

/** The values of `owner` that are in a response, except those that the request itself contained. */
export function tracesIn(answer: unknown, owner: Tenant, sent: unknown = {}): string[] {
  const text = textOf(answer);
  const known = textOf(sent);
  return owner.traces.filter((trace) => text.includes(trace) && !known.includes(trace));
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part instanceof Headers ? [...part] : Buffer.isBuffer(part) ? String(part) : part,
  );

const origin = { requestId: 'req_of_the_isolation_matrix', traceparent: '', environment: 'live' } as const;

/** All data of a workspace: what services store, and the units that gateways hold for its requests. */
export interface Everything {
  stored: unknown;
  held: Record<string, number>;
}

/**
 * Asserts that requests of other workspaces have not changed a byte of the stored data, and that they hold no units. Gateways return the
 * units of the workspace's own requests some seconds later.
 */
export function expectUnchanged(after: Everything, before: Everything): void {
  expect(after.stored).toEqual(before.stored);
  for (const [unit, count] of Object.entries(after.held)) {
    expect(count, `units of ${unit} that are held`).toBeLessThanOrEqual(before.held[unit] ?? 0);
  }
}

/** Reads all data of a workspace, as the services return it. */
export async function everythingOf(env: DevEnv, tenant: Tenant): Promise<Everything> {
  const { workspaceId, periodStartMs } = tenant;
  const { webhookId: endpointId, deliveryId, replayId } = tenant;
  const [account, keys, audit, usage, daily, balances, job, bulkJob, lists, stores, watchlists, watched, webhook] =
    await Promise.all([
      env.keys.getWorkspace({ workspaceId }),
      env.keys.listKeys({ workspaceId, includeInactive: true }),
      env.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 200 }),
      env.metering.getUsage({ workspaceId, periodStartMs }),
      env.metering.getDailyUsage({ workspaceId, periodStartMs }),
      env.metering.getBalance({ workspaceIds: [workspaceId] }),
      env.scans.getJob({ workspaceId, jobId: tenant.jobId }),
      env.subscriptions.getBulkJob({ workspaceId, jobId: tenant.bulkJobId }, { origin }),
      env.subscriptions.listLists({ workspaceId, afterId: '', limit: 200 }, { origin }),
      env.subscriptions.listListStores({ workspaceId, listId: tenant.listId, afterDomain: '', limit: 200 }, { origin }),
      env.subscriptions.listWatchlists({ workspaceId, afterId: '', limit: 200 }, { origin }),
      env.subscriptions.listWatchlistStores(
        { workspaceId, watchlistId: tenant.watchlistId, afterDomain: '', limit: 200 },
        { origin },
      ),
      Promise.all([
        env.webhooks.getEndpoint({ workspaceId, endpointId }, { origin }),
        env.webhooks.getDelivery({ workspaceId, deliveryId }, { origin }),
        env.webhooks.getReplayJob({ workspaceId, jobId: replayId }, { origin }),
      ]),
    ]);
  // Gateways report the times of last use some seconds after the requests.
  const listed = keys.keys.map(({ lastUsedAtMs: _, ...key }) => key);
  const { reserved } = balances.balances[0] ?? expect.fail('metering returned no balance');
  const used = { ...usage, balance: { ...usage.balance, reserved: undefined, taken: undefined } };
  const groups = { lists, stores, watchlists, watched };
  const stored = { account, keys: listed, audit, usage: used, daily, job, bulkJob, ...groups, webhook };
  return { stored, held: { ...reserved } };
}
