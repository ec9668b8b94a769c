import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChannelCredentials } from '@grpc/grpc-js';
import { createAuthority } from '@shopscope/certificates';
import { dayMs } from '@shopscope/clock';
import { identityUri, type PeerName, peerNames } from '@shopscope/config';
import {
  type ChannelSecurity,
  createGrpcClient,
  type GrpcClient,
  openGrpcSecurity,
  refusal,
  type UnaryDefinition,
} from '@shopscope/grpc';
import * as proto from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';

/**
 * Every method of every service, called by every peer over real TLS connections to the running services. The expected rights
 * are written here a second time, so that a change of rights needs a change in two places.
 */
type Expected<D> = Record<keyof D, string>;

const keys: Expected<typeof proto.KeysServiceService> = {
  verifyKey: 'gateway operator',
  createWorkspace: 'dashboard operator',
  getWorkspace: 'dashboard operator subscriptions',
  listWorkspaces: 'operator',
  setWorkspacePlan: 'operator',
  setUpWorkspace: 'operator',
  renameWorkspace: 'dashboard operator',
  deleteWorkspace: 'dashboard operator',
  suspendWorkspace: 'operator',
  resumeWorkspace: 'operator',
  putPlan: 'operator',
  createPlan: 'operator',
  updatePlan: 'operator',
  deletePlan: 'operator',
  listPlans: 'dashboard operator',
  createKey: 'dashboard operator',
  revokeKey: 'dashboard operator',
  revokeKeys: 'dashboard',
  issueDashboardKey: 'dashboard',
  getKey: 'dashboard operator subscriptions',
  getKeys: 'gateway dashboard',
  listKeys: 'gateway dashboard operator',
  listAuditEntries: 'dashboard operator',
  recordAuditEntry: 'dashboard',
  verifyAuditLog: 'operator',
  listPeppers: 'operator',
};
const metering: Expected<typeof proto.MeteringServiceService> = {
  reserve: 'gateway subscriptions',
  leaseAllowance: 'gateway',
  voidCharge: 'gateway subscriptions',
  recordUsage: 'gateway subscriptions',
  getBalance: 'gateway dashboard subscriptions',
  getUsage: 'gateway dashboard operator',
  getDailyUsage: 'dashboard operator',
  setTestAllowance: 'gateway',
  resetTestAllowances: 'gateway',
};
const profiles: Expected<typeof proto.ProfilesServiceService> = {
  getStores: 'gateway dashboard subscriptions',
  getScanTimes: 'subscriptions',
  getStoreFacts: 'search',
  listStoreFacts: 'search',
  getHistory: 'gateway',
  searchSignals: 'gateway',
  listSignalPlaces: 'gateway',
  getSignals: 'gateway',
  listTechnologies: 'gateway dashboard',
  getTechnology: 'gateway dashboard',
  resolveValues: 'gateway dashboard',
  getCorpus: 'dashboard',
  listDomainPages: 'dashboard',
  listDomains: 'dashboard',
  importObservations: 'operator',
  exportObservations: 'operator',
  resetTestStores: 'gateway',
};
const scanScheduler: Expected<typeof proto.ScanSchedulerServiceService> = {
  claimScans: 'gateway subscriptions',
  releaseClaims: 'gateway subscriptions',
  requestScans: 'gateway subscriptions',
  getJob: 'gateway dashboard operator',
  listJobs: 'gateway',
  cancelJob: 'gateway subscriptions',
  getScanTarget: 'dashboard',
  leaseScan: 'scanner',
  renewLease: 'scanner',
  finishLease: 'scanner',
  addOptOut: 'operator',
  removeOptOut: 'operator',
  listOptOuts: 'operator',
  queueScans: 'operator',
  resetTestScans: 'gateway',
};

const subscriptions: Expected<typeof proto.SubscriptionsServiceService> = {
  createList: 'gateway',
  getList: 'gateway',
  listLists: 'gateway',
  updateList: 'gateway',
  deleteList: 'gateway',
  addListStores: 'gateway',
  removeListStores: 'gateway',
  removeListStore: 'gateway',
  listListStores: 'gateway',
  listListDomains: 'gateway',
  filterListDomains: 'gateway',
  createWatchlist: 'gateway',
  getWatchlist: 'gateway',
  listWatchlists: 'gateway',
  updateWatchlist: 'gateway',
  deleteWatchlist: 'gateway',
  addWatchlistStores: 'gateway',
  removeWatchlistStores: 'gateway',
  removeWatchlistStore: 'gateway',
  listWatchlistStores: 'gateway',
  quoteListEnrich: 'gateway',
  startListEnrich: 'gateway',
  startExport: 'gateway',
  readExportPart: 'gateway',
  getBulkJob: 'gateway',
  listBulkJobs: 'gateway',
  cancelBulkJob: 'gateway',
  listBulkJobResults: 'gateway',
  listEvents: 'gateway webhooks',
  appendTestEvent: 'gateway',
  resetTestWorkspace: 'gateway',
};

const webhooks: Expected<typeof proto.WebhooksServiceService> = {
  createEndpoint: 'gateway dashboard',
  getEndpoint: 'gateway dashboard',
  listEndpoints: 'gateway dashboard',
  updateEndpoint: 'gateway dashboard',
  deleteEndpoint: 'gateway dashboard',
  rotateSecret: 'gateway dashboard',
  checkUrl: 'dashboard',
  countMatches: 'dashboard',
  testEndpoint: 'gateway dashboard',
  listDeliveries: 'gateway dashboard',
  getDelivery: 'gateway dashboard',
  retryDelivery: 'gateway dashboard',
  replay: 'gateway dashboard',
  getReplayJob: 'gateway dashboard',
  listReplayJobs: 'gateway dashboard',
  cancelReplayJob: 'gateway dashboard',
  resetTestEndpoints: 'gateway',
};

const search: Expected<typeof proto.SearchServiceService> = {
  findStores: 'gateway subscriptions',
  countStores: 'gateway dashboard subscriptions',
};

const dashboard: Expected<typeof proto.DashboardServiceService> = {
  invitePerson: 'operator',
};

const services: { name: PeerName; definition: UnaryDefinition; expected: Record<string, string> }[] = [
  { name: 'keys', definition: proto.KeysServiceService, expected: keys },
  { name: 'metering', definition: proto.MeteringServiceService, expected: metering },
  { name: 'profiles', definition: proto.ProfilesServiceService, expected: profiles },
  { name: 'scan-scheduler', definition: proto.ScanSchedulerServiceService, expected: scanScheduler },
  { name: 'subscriptions', definition: proto.SubscriptionsServiceService, expected: subscriptions },
  { name: 'webhooks', definition: proto.WebhooksServiceService, expected: webhooks },
  { name: 'search', definition: proto.SearchServiceService, expected: search },
  { name: 'dashboard', definition: proto.DashboardServiceService, expected: dashboard },
];

const health: UnaryDefinition = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    responseSerialize: () => Buffer.alloc(0),
    responseDeserialize: (bytes: Buffer) => bytes.toString('hex'),
  },
};

const ok = 0;
const permissionDenied = 7;
/** Codes of an unknown method or an unreachable server. */
const notHandled = [permissionDenied, 12, 14];

describe('access rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-matrix-'));
  let env: DevEnv;
  beforeAll(async () => {
    env = await startDevEnv({ label: 'access', tls: true, dashboard: true, search: true });
  });
  afterAll(async () => {
    await env?.stop();
    rmSync(folder, { recursive: true });
  });

  const running = (name: string) => {
    const service = env.services.find((each) => each.name === name);
    if (!service?.grpcAddress) throw new Error(`${name} does not run`);
    return { address: service.grpcAddress, adminUrl: service.adminUrl };
  };
  const samplesOf = async (name: string): Promise<Map<string, number>> => {
    const text = await (await fetch(`${running(name).adminUrl}/metrics`)).text();
    return new Map(text.split('\n').map((line) => [line.replace(/ [^ ]*$/, ''), Number(line.split(' ').at(-1))]));
  };
  const refusedOf = (samples: Map<string, number>, path: string, peer: string) =>
    [...samples].find(([key]) => key.startsWith('grpc_server_refused_total{') && hasLabels(key, path, peer))?.[1] ?? 0;
  const handledOf = (samples: Map<string, number>, path: string) =>
    [...samples]
      .filter(([key]) => key.startsWith('grpc_server_duration_seconds_count{') && key.includes(`method="${path}"`))
      .reduce((sum, [, count]) => sum + count, 0);
  const hasLabels = (key: string, path: string, peer: string) =>
    key.includes(`method="${path}"`) && key.includes(`peer="${peer}"`);

  /** Sends an empty request. Only the access decision counts, not the handler's response. */
  async function outcomeOf(client: GrpcClient<UnaryDefinition>, definition: UnaryDefinition, method: string) {
    try {
      await client[method]?.(definition[method]?.requestDeserialize(Buffer.alloc(0)));
      return { code: ok, details: '' };
    } catch (error) {
      const { code, details } = (error as Error).cause as { code: number; details: string };
      return { code, details };
    }
  }

  it('the access matrix covers every service and every method of the contracts', () => {
    const definitions = Object.entries(proto).filter(([name]) => name.endsWith('ServiceService'));
    expect(services.map(({ definition }) => definition).length).toBe(definitions.length);
    for (const [, definition] of definitions) expect(services.map((each) => each.definition)).toContain(definition);
    for (const { definition, expected } of services) expect(Object.keys(expected)).toEqual(Object.keys(definition));
  });

  describe.each(services)('$name', ({ name, definition, expected }) => {
    const methods = Object.keys(definition);

    it.each(peerNames)('%s is served its permitted methods, and refused the others without details', async (peer) => {
      const { address } = running(name);
      const security = env.tls.as(peer).towards(name);
      const client = createGrpcClient({ definition, address, security });
      try {
        const before = await samplesOf(name);
        const outcomes = new Map<string, Awaited<ReturnType<typeof outcomeOf>>>();
        for (const method of methods) outcomes.set(method, await outcomeOf(client, definition, method));
        const after = await samplesOf(name);
        for (const [method, { code, details }] of outcomes) {
          const path = definition[method]?.path ?? '';
          const allowed = expected[method]?.split(' ').includes(peer);
          const cell = `${peer} → ${path}`;
          expect(refusedOf(after, path, peer) - refusedOf(before, path, peer), cell).toBe(allowed ? 0 : 1);
          if (allowed) {
            expect(notHandled, cell).not.toContain(code);
            expect(handledOf(after, path), cell).toBeGreaterThan(handledOf(before, path));
          } else {
            expect({ code, details }, cell).toEqual({ code: permissionDenied, details: refusal });
          }
        }
      } finally {
        client.close();
      }
    });

    it('a service returns its health to every peer', async () => {
      for (const peer of peerNames) {
        const security = env.tls.as(peer).towards(name);
        const client = createGrpcClient({ definition: health, address: running(name).address, security });
        expect(await outcomeOf(client, health, 'check'), peer).toMatchObject({ code: ok });
        client.close();
      }
    });

    it('a service refuses connections without TLS, without a certificate, or with a foreign or expired certificate', async () => {
      const { address } = running(name);
      for (const [who, security] of Object.entries(await strangers(name))) {
        const client = createGrpcClient({ definition, address, security });
        for (const method of methods) {
          expect(await outcomeOf(client, definition, method), `${who} → ${method}`).toMatchObject({ code: 14 });
        }
        client.close();
      }
    });
  });

  /** Clients with untrusted certificates for the name gateway. They trust the servers, so that the server refuses them. */
  async function strangers(name: PeerName): Promise<Record<string, ChannelSecurity | undefined>> {
    const at = (days: number) => new Date(Date.now() + days * dayMs);
    const time = { notBefore: at(-2), notAfter: at(1) };
    const foreign = await createAuthority('foreign', time);
    const ours = await env.tls.authority();
    const security = async (by: typeof foreign, notAfter: Date, nowMs: number) => {
      const pem = await by.issue('gateway', { uris: [identityUri('gateway')], notBefore: at(-2), notAfter });
      const file = (variable: string, content: string) => {
        const path = join(folder, `${variable}.${Math.random()}`);
        writeFileSync(path, content);
        return { variable, path };
      };
      const files = {
        ca: file('CA', ours.cert + foreign.cert),
        cert: file('CERT', pem.cert),
        key: file('KEY', pem.key),
      };
      const opened = openGrpcSecurity({ files, nowMs: () => nowMs });
      opened.close();
      return opened.towards(name);
    };
    return {
      'in the clear': undefined,
      'without a certificate': {
        credentials: ChannelCredentials.createSsl(Buffer.from(ours.cert), null, null, {
          checkServerIdentity: () => undefined,
        }),
        serverName: name,
      },
      foreign: await security(foreign, at(1), Date.now()),
      expired: await security(ours, at(-1), at(-1.5).getTime()),
    };
  }
});
