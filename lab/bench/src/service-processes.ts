import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './system.ts';

/** A process of a service that runs in addition to those of the system. */
export interface ServiceProcess {
  pid: number;
  stop(): Promise<void>;
}

/** Offsets from `portBase`. The ports of the system have offsets below 300. */
const portOffsets = { metering: 400, gateways: 410, scans: 440, subscriptions: 460, profiles: 490, webhooks: 495 };
const startTimeoutMs = 60_000;
const readyPollMs = 50;

/** Starts a service, whose log goes to a file as with `npm start`. Resolves when the service is ready. */
async function startService(
  { root, settings, system }: Bench,
  service: string,
  { INSTANCE_ID = `bench-${service}`, ...env }: Record<string, string | number>,
): Promise<ServiceProcess> {
  const logs = join(settings.stateDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const log = openSync(join(logs, `${INSTANCE_ID}.log`), 'w');
  const variables = {
    HOST: '127.0.0.1',
    SHOPSCOPE_ENV: 'development',
    LOG_LEVEL: 'warn',
    INSTANCE_ID,
    KAFKA_BROKERS: system.brokers.join(','),
    MONGODB_URL: system.mongoUrl,
    ...env,
  };
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'services', service, 'dist/main.js')], {
    stdio: ['ignore', log, 'inherit'],
    env: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)])),
  });
  closeSync(log);
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const endMs = performance.now() + startTimeoutMs;
  const isReady = () =>
    fetch(`http://127.0.0.1:${env.ADMIN_PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > endMs) {
      await stop();
      throw new Error(`the process ${INSTANCE_ID} did not start: exit code ${child.exitCode}`);
    }
    await new Promise((done) => setTimeout(done, readyPollMs));
  }
  return { pid: child.pid ?? 0, stop };
}

export type GatewayProcess = Awaited<ReturnType<typeof startGateway>>;

/** Starts an additional gateway, which calls the services of the system. `number` separates the ports of several gateways. */
export async function startGateway(
  bench: Bench,
  { number, logLevel, requestLog = true }: { number: number; logLevel: string; requestLog?: boolean },
) {
  const { settings, system } = bench;
  const port = settings.portBase + portOffsets.gateways + 2 * number;
  const running = await startService(bench, 'gateway', {
    LOG_LEVEL: logLevel,
    REQUEST_LOG: String(requestLog),
    INSTANCE_ID: `bench-gateway-${number}`,
    HTTP_PORT: port,
    ADMIN_PORT: port + 1,
    // Nobody calls the internal listener, so it gets any free port.
    INTERNAL_PORT: 0,
    REDIS_URL: system.redisUrl,
    ...system.addresses,
    PUBLIC_API_URL: system.apiUrl,
    PUBLIC_SITE_URL: system.apiUrl,
    CURSOR_SECRET: 'a development secret, for cursors of the bench',
    DRAIN_DELAY_MS: 0,
  });
  return { url: `http://127.0.0.1:${port}`, ...running };
}

/** Starts an additional metering with a database, topics and a consumer group of its own. It consumes usage events from its start on. */
export async function startMetering(bench: Bench, resources: { database: string; topicPrefix: string }) {
  const port = bench.settings.portBase + portOffsets.metering;
  const running = await startService(bench, 'metering', {
    GRPC_PORT: port,
    ADMIN_PORT: port + 1,
    MONGODB_DATABASE: resources.database,
    KAFKA_TOPIC_PREFIX: resources.topicPrefix,
    // The bench makes all reservations before it publishes the usage events. This time keeps the reservations open until then.
    RESERVATION_TTL_MS: 300_000,
  });
  return { address: `127.0.0.1:${port}`, ...running };
}

/** Starts an additional subscriptions. Instances with one database and prefix share the work. `number` separates their ports. */
export async function startSubscriptions(
  bench: Bench,
  resources: { database: string; topicPrefix: string; number: number },
) {
  const port = bench.settings.portBase + portOffsets.subscriptions + 2 * resources.number;
  const running = await startService(bench, 'subscriptions', {
    INSTANCE_ID: `bench-subscriptions-${resources.number}`,
    GRPC_PORT: port,
    ADMIN_PORT: port + 1,
    ...bench.system.addresses,
    MONGODB_DATABASE: resources.database,
    KAFKA_TOPIC_PREFIX: resources.topicPrefix,
  });
  return { address: `127.0.0.1:${port}`, ...running };
}

/** Starts an additional webhooks, which delivers to receivers on this machine. */
export async function startWebhooks(
  bench: Bench,
  resources: { database: string; topicPrefix: string; subscriptions: { address: string } },
) {
  const port = bench.settings.portBase + portOffsets.webhooks;
  const running = await startService(bench, 'webhooks', {
    GRPC_PORT: port,
    ADMIN_PORT: port + 1,
    MONGODB_DATABASE: resources.database,
    KAFKA_TOPIC_PREFIX: resources.topicPrefix,
    SUBSCRIPTIONS_ADDRESS: resources.subscriptions.address,
    PUBLIC_API_URL: bench.system.apiUrl,
    WEBHOOK_STORAGE_SECRETS: '1:a-development-secret-for-webhooks-of-the-bench',
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
  });
  return { address: `127.0.0.1:${port}`, ...running };
}

/** Starts an additional profiles with a database and topics of its own. */
export async function startProfiles(bench: Bench, resources: { database: string; topicPrefix: string }) {
  const port = bench.settings.portBase + portOffsets.profiles;
  const running = await startService(bench, 'profiles', {
    GRPC_PORT: port,
    ADMIN_PORT: port + 1,
    MONGODB_DATABASE: resources.database,
    KAFKA_TOPIC_PREFIX: resources.topicPrefix,
    PUBLIC_SITE_URL: bench.system.dashboard.url,
  });
  return { address: `127.0.0.1:${port}`, ...running };
}

export interface ScanResources {
  topicPrefix: string;
  schedulerDatabase: string;
  profilesDatabase: string;
  /** The path of the file with the addresses of the stores. */
  hostsFile: string;
}

export type ScanProcesses = Awaited<ReturnType<typeof startScanProcesses>>;

/** The number of scans at the same time. The default of a scanner, 4, would leave the processors idle here. */
const scanConcurrency = 32;

/** Starts a scan-scheduler, a profiles and one scanner with databases and topics of their own. */
export async function startScanProcesses(
  bench: Bench,
  { topicPrefix, schedulerDatabase, profilesDatabase, hostsFile }: ScanResources,
) {
  const port = (n: number) => bench.settings.portBase + portOffsets.scans + n;
  const running: ServiceProcess[] = [];
  const stop = async () => {
    for (const service of running.toReversed()) await service.stop();
  };
  const start = async (service: string, env: Record<string, string | number>): Promise<number> => {
    const started = await startService(bench, service, {
      NODE_ENV: 'production',
      KAFKA_TOPIC_PREFIX: topicPrefix,
      ...env,
    });
    running.push(started);
    return started.pid;
  };
  const schedulerAddress = `127.0.0.1:${port(2)}`;
  try {
    const profiles = await start('profiles', {
      GRPC_PORT: port(0),
      ADMIN_PORT: port(1),
      MONGODB_DATABASE: profilesDatabase,
      PUBLIC_SITE_URL: bench.system.apiUrl,
    });
    const scheduler = await start('scan-scheduler', {
      GRPC_PORT: port(2),
      ADMIN_PORT: port(3),
      MONGODB_DATABASE: schedulerDatabase,
    });
    const scannerPid = await start('scanner', {
      ADMIN_PORT: port(4),
      SCAN_SCHEDULER_ADDRESS: schedulerAddress,
      SHOPSCOPE_SCAN_HOSTS: hostsFile,
      SCAN_HOST_DELAY_MS: 0,
      SCAN_CONCURRENCY: scanConcurrency,
    });
    return { scannerPid, schedulerAddress, pids: { profiles, 'scan-scheduler': scheduler }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
