import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, MovableClock, systemClock } from '@shopscope/clock';
import type { Environment, PeerName } from '@shopscope/config';
import { loadConfig as loadDashboardConfig, startDashboard } from '@shopscope/dashboard';
import { startDemoStores } from '@shopscope/demo-stores';
import { loadConfig as loadGatewayConfig, startGateway } from '@shopscope/gateway';
import { createGrpcClient, type UnaryDefinition } from '@shopscope/grpc';
import { loadConfig as loadKeysConfig, startKeys } from '@shopscope/keys';
import type { RunningService } from '@shopscope/lifecycle';
import { freePort } from '@shopscope/local-stack';
import { loadConfig as loadMeteringConfig, startMetering } from '@shopscope/metering';
import { loadConfig as loadProfilesConfig, startProfiles } from '@shopscope/profiles';
import {
  DashboardServiceService,
  KeysServiceService,
  MeteringServiceService,
  ScanSchedulerServiceService,
  SearchServiceService,
  SubscriptionsServiceService,
  WebhooksServiceService,
} from '@shopscope/proto';
import { loadConfig as loadScanSchedulerConfig, startScanScheduler } from '@shopscope/scan-scheduler';
import { loadConfig as loadScannerConfig, startScanner } from '@shopscope/scanner';
import { loadConfig as loadSearchConfig, startSearch } from '@shopscope/search';
import { loadConfig as loadSubscriptionsConfig, startSubscriptions } from '@shopscope/subscriptions';
import { createLogger, type Logger } from '@shopscope/telemetry';
import { openSearchEnvironment, serviceEnvironment, testNamespace } from '@shopscope/testing';
import { loadConfig as loadWebhooksConfig, startWebhooks } from '@shopscope/webhooks';
import { settle } from './settle.ts';
import { createEnvironmentTls } from './tls.ts';

export interface DevEnvOptions {
  label?: string;
  /** Gateways to start, sharing everything behind them. */
  gateways?: number;
  /** Several metering instances behind round-robin. */
  meterings?: number;
  /** Whether the dashboard runs too. It needs the built web application (`npm run generate`). */
  dashboard?: boolean;
  /** Whether search runs too. It needs OpenSearch, which starts when the first file of a run asks for it. */
  search?: boolean;
  logLevel?: string;
  /** Receives every line that a service logs, in the place of standard output. */
  onLogLine?(line: Record<string, unknown>): void;
  tls?: boolean;
  env?: Record<string, string>;
  /** Extra environment of one service, e.g. its credentials; stronger than all other. */
  envOf?(service: string): Record<string, string>;
}

export type DevEnv = Awaited<ReturnType<typeof startDevEnv>>;

const needed = (service: RunningService): string => {
  if (!service.grpcAddress) throw new Error(`${service.name} has no gRPC address`);
  return service.grpcAddress;
};

const targetOf = (services: readonly RunningService[]): string =>
  services.length === 1 ? needed(services[0] as RunningService) : `ipv4:${services.map(needed).join(',')}`;

/** Nothing listens there: without search, its callers are told that it is not available. */
const nowhere = '127.0.0.1:1';

/**
 * All services in one process on free ports, against the real MongoDB, Kafka and Redis that the SHOPSCOPE_* URLs name,
 * with demo stores to scan. Databases, topics and keys are this environment's own and go with it.
 */
export async function startDevEnv(options: DevEnvOptions = {}) {
  const namespace = testNamespace(options.label ?? 'env');
  const directory = mkdtempSync(join(tmpdir(), 'shopscope-env-'));
  const testHostsFile = join(directory, 'scan-hosts.json');
  const tls = await createEnvironmentTls(directory, options.tls ?? false);
  const demoStores = await startDemoStores({ host: '127.0.0.1', port: 0, testHostsFile });

  const dashboardPort = await freePort();
  const dashboardUrl = `http://127.0.0.1:${dashboardPort}`;
  const common: Record<string, string> = {
    LOG_LEVEL: options.logLevel ?? 'silent',
    PUBLIC_API_URL: 'http://api.shopscope.test',
    PUBLIC_SITE_URL: options.dashboard ? dashboardUrl : 'http://shopscope.test',
    KEY_PEPPER: 'development-pepper-of-the-test-environment',
    CURSOR_SECRET: 'development-cursor-secret-of-the-test-environment',
    WEBHOOK_STORAGE_SECRETS: '1:development-webhook-secret-of-the-test-environment',
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
    // A requested scan wakes the waiting scanners. The poll only finds scans that become due by time.
    LEASE_POLL_MS: '1000',
    // All programs of one machine have the same address.
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
    ...options.env,
  };
  const envOf = (service: PeerName, extra: Record<string, string> = {}) => ({
    ...serviceEnvironment(namespace, service),
    ...common,
    ...tls.variables(service),
    ...extra,
    ...options.envOf?.(service),
  });
  const { onLogLine } = options;
  const scanClock = new MovableClock(systemClock);
  const clocks: Partial<Record<PeerName, Clock>> = {
    'scan-scheduler': scanClock,
    scanner: scanClock,
    profiles: scanClock,
    search: scanClock,
  };
  const overridesOf = ({ INSTANCE_ID, LOG_LEVEL }: { INSTANCE_ID: string; LOG_LEVEL: string }, service: PeerName) => {
    const clock = clocks[service] ?? systemClock;
    if (!onLogLine) return { clock };
    const destination = { write: (line: string) => onLogLine(JSON.parse(line)) };
    return { clock, logger: createLogger({ service, instance: INSTANCE_ID, level: LOG_LEVEL, destination }) };
  };
  const launch = <Config extends { INSTANCE_ID: string; LOG_LEVEL: string }>(
    service: PeerName,
    load: (env: Environment) => Config,
    start: (config: Config, overrides: { clock: Clock; logger?: Logger }) => Promise<RunningService>,
    env: Record<string, string> = {},
  ) => {
    const config = load(envOf(service, env));
    return start(config, overridesOf(config, service));
  };
  const times = async (count: number, start: (n: number) => Promise<RunningService>) =>
    Promise.all(Array.from({ length: count }, (_, n) => start(n)));

  const [keys, profiles, meterings, scheduler] = await Promise.all([
    launch('keys', loadKeysConfig, startKeys),
    launch('profiles', loadProfilesConfig, startProfiles),
    times(options.meterings ?? 1, (n) =>
      launch('metering', loadMeteringConfig, startMetering, { INSTANCE_ID: `metering-${n}-${namespace.id}` }),
    ),
    launch('scan-scheduler', loadScanSchedulerConfig, startScanScheduler),
  ]);
  const called = {
    KEYS_ADDRESS: needed(keys),
    PROFILES_ADDRESS: needed(profiles),
    METERING_ADDRESS: targetOf(meterings),
    SCAN_SCHEDULER_ADDRESS: needed(scheduler),
  };
  const searches = await times(options.search ? 1 : 0, async () =>
    launch('search', loadSearchConfig, startSearch, {
      ...called,
      ...(await openSearchEnvironment(namespace)),
      INDEX_REPLICAS: '0',
      EDITION_LOOK_MS: '250',
      FILL_LOOK_MS: '250',
    }),
  );
  const withSearch = { ...called, SEARCH_ADDRESS: searches[0] ? needed(searches[0]) : nowhere };
  const subscriptions = await launch('subscriptions', loadSubscriptionsConfig, startSubscriptions, withSearch);
  const withSubscriptions = { ...withSearch, SUBSCRIPTIONS_ADDRESS: needed(subscriptions) };
  const webhooks = await launch('webhooks', loadWebhooksConfig, startWebhooks, withSubscriptions);
  const addresses = { ...withSubscriptions, WEBHOOKS_ADDRESS: needed(webhooks) };
  const hosts = { SHOPSCOPE_SCAN_HOSTS: testHostsFile, SCAN_HOST_DELAY_MS: '0' };
  const scanner = await launch('scanner', loadScannerConfig, startScanner, { ...addresses, ...hosts });
  const gateways = await times(options.gateways ?? 1, (n) =>
    launch('gateway', loadGatewayConfig, startGateway, { ...addresses, INSTANCE_ID: `gateway-${n}-${namespace.id}` }),
  );
  const dashboards = await times(options.dashboard ? 1 : 0, () =>
    launch('dashboard', loadDashboardConfig, startDashboard, {
      ...addresses,
      GATEWAY_ADDRESS: gateways[0]?.internalAddress ?? '',
      HTTP_PORT: String(dashboardPort),
      DASHBOARD_URL: dashboardUrl,
      SESSION_SECRET: 'development-session-secret-of-the-test-environment',
      DEVELOPMENT_MAIL: 'true',
    }),
  );
  // A caller stops before the services that it calls. The services of a group stop at the same time, because each of them mostly waits. In a
  // group, only the gateway and subscriptions call another service, and only for requests and jobs.
  const stopGroups = [
    [...dashboards, scanner],
    [...gateways, webhooks],
    [subscriptions, ...searches],
    [scheduler, profiles, ...meterings, keys],
  ];
  const services = stopGroups.flat();

  const clientOf = <D extends UnaryDefinition>(definition: D, address: string, peer: PeerName, service: PeerName) =>
    createGrpcClient({ definition, address, security: tls.as(peer).towards(service) });
  const clients = {
    keys: clientOf(KeysServiceService, addresses.KEYS_ADDRESS, 'operator', 'keys'),
    metering: clientOf(MeteringServiceService, addresses.METERING_ADDRESS, 'gateway', 'metering'),
    scans: clientOf(ScanSchedulerServiceService, addresses.SCAN_SCHEDULER_ADDRESS, 'gateway', 'scan-scheduler'),
    search: clientOf(SearchServiceService, addresses.SEARCH_ADDRESS, 'gateway', 'search'),
    subscriptions: clientOf(SubscriptionsServiceService, addresses.SUBSCRIPTIONS_ADDRESS, 'gateway', 'subscriptions'),
    webhooks: clientOf(WebhooksServiceService, addresses.WEBHOOKS_ADDRESS, 'gateway', 'webhooks'),
  };

  const [runningDashboard] = dashboards;
  const dashboard = runningDashboard && {
    url: dashboardUrl,
    client: clientOf(DashboardServiceService, needed(runningDashboard), 'operator', 'dashboard'),
  };

  return {
    /** The dashboard's address, and its calls for operators. Only with the option `dashboard`. */
    dashboard,
    /** Base URL of each gateway; the first is what most tests use. */
    apiUrls: gateways.map((gateway) => gateway.httpUrl ?? ''),
    demoStores,
    ...clients,
    services,
    data: namespace,
    /** How peers speak to the services, whose addresses are in `services`; `variables` are for processes. */
    tls,
    /**
     * Moves the wall time of scan-scheduler, scanner, profiles and search forward, so that the next scans are later ones, and a new edition is
     * due after 15 minutes. The other services keep theirs, so the billing period stays.
     */
    passTime: (ms: number) => scanClock.setOffset(scanClock.offsetMs + ms),
    /** Resolves when nothing is on its way any more. */
    settle: (timeoutMs = 60_000) => settle(services, timeoutMs),
    /** A workspace with a key. `plan` is a slug; keys come by preset. A key with the environment `test` is one of the test tenant. */
    async createWorkspace({ plan = 'scale', preset = 'full', name = 'Test workspace', environment = 'live' } = {}) {
      const by = { actor: 'operator:test', actorAddress: '' };
      const { workspace } = await clients.keys.createWorkspace({ name, planSlug: plan, ...by });
      const workspaceId = workspace?.id ?? '';
      const request = { workspaceId, label: preset, preset, scopes: [], environment, expiresAtMs: undefined, ...by };
      const { key, secret } = await clients.keys.createKey({ ...request, requestToken: '' });
      return { workspaceId, secret, keyId: key?.id ?? '' };
    },
    async stop() {
      for (const client of [...Object.values(clients), dashboard?.client]) client?.close();
      for (const group of stopGroups) await Promise.all(group.map((service) => service.stop()));
      tls.close();
      await demoStores.stop();
      await namespace.cleanup();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
