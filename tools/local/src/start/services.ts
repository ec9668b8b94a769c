import { delimiter, join } from 'node:path';
import type { Stack } from '@shopscope/local-stack';
import { certificatesDirectory, tlsVariables } from '../certificates/certificates.ts';
import { portsOf, type ServiceName, serviceNames } from './ports.ts';
import { type ServiceProcess, serviceProcess } from './service-process.ts';
import type { StartSettings } from './settings.ts';
import type { LocalState } from './state.ts';
import type { Member } from './supervisor.ts';

/** A running instance of a service, in the form of ready.json. */
export interface Instance {
  service: ServiceName | 'demo-stores';
  member: Member;
  /** Address: HTTP for gateway and dashboard, gRPC for the other services, none for the scanner. */
  url: string | null;
  /** gRPC address of a service that serves HTTP too. */
  grpcUrl?: string;
  adminUrl: string | null;
  env: Record<string, string>;
}

const host = '127.0.0.1';
const sourceCondition = '--conditions=@shopscope/source';
const grpcServices = [
  'keys',
  'profiles',
  'metering',
  'scan-scheduler',
  'search',
  'subscriptions',
  'webhooks',
  'dashboard',
] as const;
const withMovedTime: readonly ServiceName[] = ['keys', 'metering', 'subscriptions'];
const httpServices: readonly ServiceName[] = ['gateway', 'dashboard'];

function targetOf(settings: StartSettings, service: ServiceName): string {
  const addresses = times(settings.replicas[service], (replica) => {
    const { serve, grpc = serve } = portsOf(settings, service, replica);
    return `${host}:${grpc}`;
  });
  return addresses.length === 1 ? (addresses[0] as string) : `ipv4:${addresses.join(',')}`;
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

export interface InstanceOptions {
  root: string;
  /** Runs the sources instead of the build. */
  fromSources?: boolean;
  env?(service: ServiceName, replica: number): Record<string, string>;
}

/** Every instance of every service, in starting order: called services before their callers. Search runs only with OpenSearch. */
export function serviceInstances(
  settings: StartSettings,
  stack: Pick<Stack, 'mongodb' | 'kafka' | 'redis' | 'opensearch'>,
  state: LocalState,
  options: InstanceOptions,
): Instance[] {
  const { root, fromSources = false } = options;
  const base = `http://${host}:${settings.ports.gateway}`;
  const common: Record<string, string> = {
    HOST: host,
    // As in the images. React and Express do more work in development.
    NODE_ENV: 'production',
    SHOPSCOPE_ENV: 'development',
    LOG_LEVEL: settings.logLevel,
    MONGODB_URL: stack.mongodb.url,
    KAFKA_BROKERS: stack.kafka.url,
    ...(settings.nodes > 1 && { KAFKA_REPLICATION_FACTOR: String(settings.nodes) }),
    REDIS_URL: stack.redis.url,
    PUBLIC_API_URL: base,
    PUBLIC_SITE_URL: dashboardUrl(settings),
    BOT_INFO_URL: `${dashboardUrl(settings)}/bot`,
    ...(settings.keyPeppers ? { KEY_PEPPERS: settings.keyPeppers } : { KEY_PEPPER: state.pepper }),
    CURSOR_SECRET: state.cursorSecret,
    WEBHOOK_STORAGE_SECRETS: `1:${state.webhookSecret}`,
    // Receivers of a development system are on this machine.
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
    REPLICAS: String(settings.replicas.gateway),
    // All programs of one machine have the same address.
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
    // The demo stores have no public addresses.
    SHOPSCOPE_SCAN_HOSTS: [...settings.ownTestHostsFiles, demoHostsFile(settings)].join(delimiter),
    // The demo stores are on this machine.
    SCAN_HOST_DELAY_MS: '20',
    // No load balancer has to learn of a stop first.
    DRAIN_DELAY_MS: '0',
  };
  for (const service of grpcServices) common[addressVariable(service)] = targetOf(settings, service);
  common.GATEWAY_ADDRESS = `${host}:${portsOf(settings, 'gateway', 0).internal}`;

  const running = serviceNames.filter((service) => service !== 'search' || stack.opensearch);
  return running.flatMap((service) =>
    times(settings.replicas[service], (replica): Instance => {
      const name = replica === 0 ? service : `${service}-${replica + 1}`;
      const { serve, admin, grpc, internal } = portsOf(settings, service, replica);
      const isHttp = httpServices.includes(service);
      const serves = service !== 'scanner';
      const process: ServiceProcess = {
        name,
        entry: join(root, 'services', service, fromSources ? 'src/main.ts' : 'dist/main.js'),
        nodeOptions: fromSources ? [sourceCondition] : [],
        stateDir: settings.stateDir,
        ports: [...(serves ? [serve] : []), ...[grpc, internal].filter((port) => port !== undefined), admin],
        readyUrl: `http://${host}:${admin}/readyz`,
        env: {
          ...common,
          ...(settings.tls ? tlsVariables(certificatesDirectory(settings.stateDir), service) : {}),
          INSTANCE_ID: name,
          ADMIN_PORT: String(admin),
          ...(isHttp ? { HTTP_PORT: String(serve) } : { GRPC_PORT: String(serve) }),
          ...(grpc !== undefined && { GRPC_PORT: String(grpc) }),
          ...(internal !== undefined && { INTERNAL_PORT: String(internal) }),
          ...(service === 'dashboard' && dashboardVariables(settings, state)),
          ...(service === 'search' && searchVariables(settings, stack.opensearch?.url)),
          ...(service === 'gateway' &&
            settings.idempotencyRedisUrl && { IDEMPOTENCY_REDIS_URL: settings.idempotencyRedisUrl }),
          ...(service === 'profiles' && {
            // The counts follow the first scans of the demo stores within seconds.
            CORPUS_COUNT_INTERVAL_MS: '10000',
          }),
          ...(withMovedTime.includes(service) && {
            // The demo workspace has keys, usage and a watchlist of past days.
            DEVELOPMENT_CLOCK: 'true',
          }),
          ...options.env?.(service, replica),
        },
      };
      return {
        service,
        member: serviceProcess(process),
        url: serves ? `${isHttp ? 'http' : 'grpc'}://${host}:${serve}` : null,
        ...(grpc !== undefined && { grpcUrl: `grpc://${host}:${grpc}` }),
        adminUrl: `http://${host}:${admin}`,
        env: process.env,
      };
    }),
  );
}

const searchVariables = ({ nodes }: StartSettings, url = ''): Record<string, string> => ({
  OPENSEARCH_URL: url,
  // A single node has no place for a copy.
  INDEX_REPLICAS: nodes === 1 ? '0' : '1',
  // Searches find the demo stores within seconds of their first scan.
  EDITION_LOOK_MS: '1000',
});

/** Public address of the dashboard. Forms are accepted from this origin only, so it is that of the first instance. */
export const dashboardUrl = (settings: StartSettings) => `http://${host}:${settings.ports.dashboard}`;

const exampleStores = ['tiny-acre-honey.example', 'casa-miravento.example', 'atelier-sucre.example'];

function dashboardVariables(settings: StartSettings, state: LocalState): Record<string, string> {
  return {
    DASHBOARD_URL: dashboardUrl(settings),
    SESSION_SECRET: state.sessionSecret,
    // A proxy on this machine, such as one for TLS.
    TRUSTED_PROXIES: host,
    // The front page offers demo stores.
    EXAMPLE_STORES: exampleStores.join(','),
    // Mail stays in the database and is shown at /development/mail.
    DEVELOPMENT_MAIL: 'true',
  };
}

export function demoStoresInstance(settings: StartSettings, { root, fromSources = false }: InstanceOptions): Instance {
  const url = `http://${host}:${settings.ports.demoStores}`;
  const env = {
    HOST: host,
    PORT: String(settings.ports.demoStores),
    SCAN_HOSTS_FILE: demoHostsFile(settings),
    CHANGES_FILE: join(settings.stateDir, 'demo-stores.json'),
  };
  return {
    service: 'demo-stores',
    url,
    adminUrl: null,
    env,
    member: serviceProcess({
      name: 'demo-stores',
      entry: join(root, 'tools/demo-stores', fromSources ? 'src/main.ts' : 'dist/main.js'),
      nodeOptions: fromSources ? [sourceCondition] : [],
      stateDir: settings.stateDir,
      ports: [settings.ports.demoStores],
      readyUrl: `${url}/__control`,
      env,
    }),
  };
}

export const adminUrlsOf = (settings: StartSettings, service: ServiceName): string[] =>
  times(settings.replicas[service], (replica) => `http://${host}:${portsOf(settings, service, replica).admin}`);

export const addressOf = (settings: StartSettings, service: (typeof grpcServices)[number]) =>
  targetOf(settings, service);

const demoHostsFile = (settings: StartSettings) => join(settings.stateDir, 'scan-hosts.json');
const addressVariable = (service: string) => `${service.toUpperCase().replace('-', '_')}_ADDRESS`;
