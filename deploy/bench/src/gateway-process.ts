import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** A gateway of its own beside the system's, in front of the same services. */
export interface GatewayProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
/** Above every port of the system's services and of the metering process. */
const portsAbove = 410;

/** Its log goes to a file, as with `npm start`. Resolves when it is ready. `number` keeps the ports of several apart. */
export async function startGateway(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  { number, logLevel }: { number: number; logLevel: string },
): Promise<GatewayProcess> {
  const httpPort = settings.portBase + portsAbove + 2 * number;
  const adminPort = httpPort + 1;
  const folder = join(settings.stateDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const log = openSync(join(folder, `bench-gateway-${logLevel}.log`), 'w');
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'services/gateway/dist/main.js')], {
    stdio: ['ignore', log, 'inherit'],
    env: {
      HOST: '127.0.0.1',
      SHOPSCOPE_ENV: 'development',
      LOG_LEVEL: logLevel,
      INSTANCE_ID: `bench-gateway-${number}`,
      HTTP_PORT: String(httpPort),
      ADMIN_PORT: String(adminPort),
      KAFKA_BROKERS: system.brokers.join(','),
      REDIS_URL: system.redisUrl,
      ...system.addresses,
      PUBLIC_API_URL: system.apiUrl,
      PUBLIC_SITE_URL: system.apiUrl,
      CURSOR_SECRET: 'no cursor of the bench is ever shown to anybody',
      DRAIN_DELAY_MS: '0',
    },
  });
  closeSync(log);
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const endMs = performance.now() + startTimeoutMs;
  const isReady = () =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > endMs) {
      await stop();
      throw new Error(`the gateway process with LOG_LEVEL ${logLevel} did not start`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return { url: `http://127.0.0.1:${httpPort}`, pid: child.pid ?? 0, stop };
}
