import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** A metering service of its own beside the system's, with its own database, topics and consumer group. */
export interface MeteringProcess {
  address: string;
  pid: number;
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
/** Above every port of the system's services. */
const portsAbove = 400;

/** Resolves when it is ready; it consumes usage events from then on. */
export async function startMetering(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  own: { database: string; topicPrefix: string },
): Promise<MeteringProcess> {
  const [grpcPort, adminPort] = [settings.portBase + portsAbove, settings.portBase + portsAbove + 1];
  const options = ['--enable-source-maps'];
  const child = spawn(process.execPath, [...options, join(root, 'services/metering/dist/main.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      HOST: '127.0.0.1',
      SHOPSCOPE_ENV: 'development',
      LOG_LEVEL: 'warn',
      INSTANCE_ID: 'bench-metering',
      GRPC_PORT: String(grpcPort),
      ADMIN_PORT: String(adminPort),
      MONGODB_URL: system.mongoUrl,
      MONGODB_DATABASE: own.database,
      KAFKA_BROKERS: system.brokers.join(','),
      KAFKA_TOPIC_PREFIX: own.topicPrefix,
      // Reservations are made long before their events here.
      RESERVATION_TTL_MS: '300000',
    },
  });
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
      throw new Error('the metering process did not start');
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return { address: `127.0.0.1:${grpcPort}`, pid: child.pid ?? 0, stop };
}
