import { type CallContext, createGrpcServer, type GrpcServer, type Handlers } from '@shopscope/grpc';
import { apiKeyDigest, deriveId, newApiKey } from '@shopscope/ids';
import {
  type Balance,
  ClaimOutcome,
  KeyStatus,
  KeysServiceService,
  MeteringServiceService,
  type Plan,
  ProfilesServiceService,
  ReserveOutcome,
  type ReserveResult,
  type ScanRequested,
  ScanSchedulerServiceService,
  type Technology,
  type Units,
  type UsageRecorded,
  type VerifyKeyResponse,
} from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { storeExample } from '../../../src/contract/examples/store.ts';

/**
 * keys, profiles, metering and scan-scheduler as small in-memory stand-ins behind the real wire. They keep what they were
 * asked, so that tests can tell what was billed, claimed and released; `faults` makes a method fail or wait.
 */
type KeysHandlers = Handlers<typeof KeysServiceService>;
type MeteringHandlers = Handlers<typeof MeteringServiceService>;

export const growth: Plan = {
  slug: 'growth',
  rpm: 600,
  concurrency: 20,
  enrichBatchMax: 100,
  freshnessDays: 7,
  historyDays: 365,
  included: { lookupCached: 250_000, lookupLive: 5_000, historyQuery: 25_000, refreshRequested: 5_000 },
};

export interface TestKey {
  secret: string;
  keyId: string;
  workspaceId: string;
}

export interface KeyOptions {
  scopes?: string[];
  plan?: Partial<Plan>;
  workspaceId?: string;
  label?: string;
  expiresAtMs?: number;
  status?: KeyStatus;
}

const period = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2199, 0, 1) };
const zero = (): Units => ({ lookupCached: 0, lookupLive: 0, historyQuery: 0, refreshRequested: 0 });
const units = ['lookupCached', 'lookupLive', 'historyQuery', 'refreshRequested'] as const;
const unitNames = {
  lookupCached: 'lookup_cached',
  lookupLive: 'lookup_live',
  historyQuery: 'history_query',
  refreshRequested: 'refresh_requested',
};

export interface StoreOptions {
  etag?: string;
  lastCompletedScanAtMs?: number;
  name?: string;
}

export interface MeteredWorkspace {
  used: Units;
  reserved: Units;
  charges: Map<string, { attempt: number; settled?: Units; fingerprint: string }>;
  byKey: Map<string, Units>;
}

export async function startNeighbours() {
  const logger = createLogger({ service: 'neighbours', instance: 'test', level: 'silent' });
  const server: GrpcServer = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    logger,
    registry: createRegistry({ service: 'test' }),
  });

  const calls = new Map<string, unknown[]>();
  /** Runs before the method of that name; throw to fail it, wait to delay it. */
  const faults = new Map<string, (request: unknown, context: CallContext) => Promise<void> | void>();
  const called = async (method: string, request: unknown, context: CallContext) => {
    calls.set(method, [...(calls.get(method) ?? []), request]);
    await faults.get(method)?.(request, context);
  };
  const watched = <H extends object>(handlers: Partial<H>): H =>
    new Proxy(handlers, {
      get: (target, name) => async (request: unknown, context: CallContext) => {
        await called(String(name), request, context);
        const handler = Reflect.get(target, name) as ((q: unknown, c: unknown) => unknown) | undefined;
        if (!handler) throw new Error(`${String(name)} is not played here`);
        return handler(request, context);
      },
    }) as H;

  const keys = new Map<string, VerifyKeyResponse>();
  server.addService(
    KeysServiceService,
    watched<KeysHandlers>({
      verifyKey: async ({ keyDigest }) =>
        keys.get(keyDigest.toString('hex')) ?? {
          status: KeyStatus.UNKNOWN,
          key: undefined,
          workspace: undefined,
          plan: undefined,
        },
      listKeys: async ({ workspaceId }) => ({
        keys: [...keys.values()].flatMap(({ key }) => (key && key.workspaceId === workspaceId ? [key] : [])),
      }),
    }),
  );

  const stores = new Map<string, { body: Buffer; etag: string; lastCompletedScanAtMs: number }>();
  const technologies: Technology[] = [];
  server.addService(
    ProfilesServiceService,
    watched<Handlers<typeof ProfilesServiceService>>({
      getStores: async ({ domains }) => {
        const found = domains.map((domain) => stores.get(domain));
        let offset = 0;
        const slices = found.map((store) => {
          const slice = {
            offset: store ? offset : 0,
            length: store?.body.length ?? 0,
            etag: store?.etag ?? '',
            lastCompletedScanAtMs: store?.lastCompletedScanAtMs ?? 0,
          };
          offset += slice.length;
          return slice;
        });
        return { bodies: Buffer.concat(found.flatMap((store) => (store ? [store.body] : []))), stores: slices };
      },
      listTechnologies: async ({ kind, category, q, afterSlug, limit }) => {
        const fits = (t: Technology) =>
          (!kind || t.kind === kind) &&
          (!category || t.category === category) &&
          (!q || t.slug.startsWith(q.toLowerCase()) || t.name.toLowerCase().startsWith(q.toLowerCase())) &&
          t.slug > afterSlug;
        const fitting = technologies.filter(fits);
        return { technologies: fitting.slice(0, limit), hasMore: fitting.length > limit };
      },
    }),
  );

  const workspaces = new Map<string, MeteredWorkspace>();
  const workspaceOf = (id: string): MeteredWorkspace => {
    const workspace: MeteredWorkspace = workspaces.get(id) ?? {
      used: zero(),
      reserved: zero(),
      charges: new Map(),
      byKey: new Map(),
    };
    workspaces.set(id, workspace);
    return workspace;
  };
  const balanceOf = ({ used, reserved }: MeteredWorkspace): Balance => ({
    periodStartMs: period.startMs,
    periodEndMs: period.endMs,
    used: { ...used },
    reserved: { ...reserved },
    taken: { ...used, lookupCached: used.lookupCached + reserved.lookupCached },
  });
  const recorded: UsageRecorded[] = [];
  server.addService(
    MeteringServiceService,
    watched<MeteringHandlers>({
      reserve: async ({ items }) => ({
        results: items.map((item): ReserveResult => {
          const workspace = workspaceOf(item.workspaceId);
          const wanted = item.units ?? zero();
          const fingerprint = item.fingerprint.toString('hex');
          const charge = workspace.charges.get(item.chargeId);
          const base = {
            attempt: 0,
            units: wanted,
            periodStartMs: period.startMs,
            exhaustedUnit: '',
            balance: balanceOf(workspace),
          };
          if (charge && fingerprint && charge.fingerprint !== fingerprint) {
            return { ...base, outcome: ReserveOutcome.FINGERPRINT_MISMATCH };
          }
          if (charge?.settled)
            return { ...base, outcome: ReserveOutcome.ALREADY_SETTLED, attempt: charge.attempt, units: charge.settled };
          const included = item.included ?? zero();
          const short = units.find(
            (unit) => workspace.used[unit] + workspace.reserved[unit] + wanted[unit] > included[unit],
          );
          if (short && wanted[short] > 0)
            return { ...base, outcome: ReserveOutcome.EXHAUSTED, exhaustedUnit: unitNames[short] };
          for (const unit of units) workspace.reserved[unit] += wanted[unit];
          const attempt = (charge?.attempt ?? 0) + 1;
          workspace.charges.set(item.chargeId, { attempt, fingerprint });
          return { ...base, outcome: ReserveOutcome.GRANTED, attempt, balance: balanceOf(workspace) };
        }),
      }),
      voidCharge: async ({ workspaceId }) => ({ balance: balanceOf(workspaceOf(workspaceId)), counts: false }),
      recordUsage: async ({ events }) => {
        recorded.push(...events);
        return {};
      },
      getBalance: async ({ workspaceIds }) => ({ balances: workspaceIds.map((id) => balanceOf(workspaceOf(id))) }),
      getUsage: async ({ workspaceId }) => ({
        balance: balanceOf(workspaceOf(workspaceId)),
        keys: [...workspaceOf(workspaceId).byKey].map(([keyId, used]) => ({ keyId, used })),
      }),
    }),
  );

  /** Outcome of a claim by domain; CLAIMED when nothing is said. */
  const claimOutcomes = new Map<string, ClaimOutcome>();
  const scanRequests: ScanRequested[] = [];
  const jobs = new Set<string>();
  let claimedAtMs = 1;
  server.addService(
    ScanSchedulerServiceService,
    watched<Handlers<typeof ScanSchedulerServiceService>>({
      claimScans: async ({ workspaceId, chargeId, domains }) => ({
        claims: domains.map((domain) => {
          const outcome = claimOutcomes.get(domain) ?? ClaimOutcome.CLAIMED;
          const charge = outcome === ClaimOutcome.CLAIMED ? chargeId : 'another';
          const jobId = deriveId('job', workspaceId, charge, domain);
          const created = outcome === ClaimOutcome.CLAIMED && !jobs.has(jobId);
          jobs.add(jobId);
          return { jobId, outcome, created, claimedAtMs: claimedAtMs++ };
        }),
      }),
      releaseClaims: async ({ claims }) => {
        for (const { jobId } of claims) jobs.delete(jobId);
        return {};
      },
      requestScans: async ({ requests }) => {
        scanRequests.push(...requests);
        return {};
      },
    }),
  );

  const address = await server.listen();
  let made = 0;
  return {
    address,
    calls: <T>(method: string): T[] => (calls.get(method) ?? []) as T[],
    forgetCalls: () => calls.clear(),
    faults,
    stores,
    technologies,
    workspaceOf,
    recorded,
    claimOutcomes,
    scanRequests,
    /** A key of a workspace of its own, unless one is named. */
    addKey(options: KeyOptions = {}): TestKey {
      made++;
      const secret = newApiKey('live');
      const keyId = deriveId('key', secret);
      const workspaceId = options.workspaceId ?? deriveId('ws', secret);
      keys.set(apiKeyDigest(secret).toString('hex'), {
        status: options.status ?? KeyStatus.ACTIVE,
        key: {
          id: keyId,
          workspaceId,
          label: options.label ?? `key ${made}`,
          prefix: secret.slice(0, 13),
          environment: 'live',
          scopes: options.scopes ?? ['read:stores', 'write:scans'],
          createdAtMs: 1,
          createdBy: 'usr_test',
          expiresAtMs: options.expiresAtMs,
          revokedAtMs: undefined,
          status: options.status ?? KeyStatus.ACTIVE,
        },
        workspace: { id: workspaceId, name: 'Test workspace', planSlug: 'growth', createdAtMs: 1 },
        plan: { ...growth, ...options.plan },
      });
      return { secret, keyId, workspaceId };
    },
    /** As after a revocation: keys answers so from now on. */
    setStatus(secret: string, status: KeyStatus) {
      const answer = keys.get(apiKeyDigest(secret).toString('hex'));
      if (!answer?.key) throw new Error('no such key');
      answer.status = status;
      answer.key.status = status;
    },
    addStore(domain: string, options: StoreOptions = {}) {
      const lastCompletedScanAtMs = options.lastCompletedScanAtMs ?? Date.now() - 60_000;
      const scannedAt = new Date(lastCompletedScanAtMs).toISOString();
      const body = {
        ...storeExample,
        domain,
        name: options.name ?? 'Täst „Shop“',
        observation: { ...storeExample.observation, last_completed_scan_at: scannedAt },
      };
      // An odd space shows whether anybody re-serialises.
      const bytes = Buffer.from(JSON.stringify(body).replace('"name":', '"name": '));
      stores.set(domain, { body: bytes, etag: options.etag ?? `"${domain}-1"`, lastCompletedScanAtMs });
      return bytes;
    },
    setServing: (serving: boolean) => server.setServing(serving),
    stop: () => server.stop(0),
  };
}

export type Neighbours = Awaited<ReturnType<typeof startNeighbours>>;
