import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = resolve(import.meta.dirname, '../../../..');
const pollMs = 250;
const readyTimeoutMs = 300_000;

/** The settings of metering in production. All addresses are loopback, which needs neither TLS nor credentials. */
export const meteringEnvironment = (env: NodeJS.ProcessEnv) => ({
  SHOPSCOPE_ENV: 'production',
  HOST: '127.0.0.1',
  ADMIN_PORT: '29091',
  GRPC_PORT: '29092',
  MONGODB_URL: env.SHOPSCOPE_MONGODB_URL ?? '',
  MONGODB_DATABASE: 'index_build_metering',
  KAFKA_BROKERS: env.SHOPSCOPE_KAFKA_BROKERS ?? '',
  KAFKA_TOPIC_PREFIX: 'index-build.',
  KAFKA_REPLICATION_FACTOR: '1',
  DRAIN_DELAY_MS: '0',
});

/** Its log is standard output. */
export const spawnMetering = (env: Record<string, string>, ...args: string[]) =>
  spawn(process.execPath, ['--conditions=@shopscope/source', resolve(root, 'services/metering/src/main.ts'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

export async function untilReady(adminPort: string): Promise<void> {
  const endMs = performance.now() + readyTimeoutMs;
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > endMs) throw new Error(`metering was not ready within ${readyTimeoutMs / 1_000} s`);
    await delay(pollMs);
  }
}
