import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAuthority } from '@shopscope/certificates';
import { dayMs } from '@shopscope/clock';
import { migrations } from '@shopscope/dev-env';
import { createKafka, type Kafka, type KafkaOptions } from '@shopscope/kafka';
import { migrate, readMigrationSettings } from '@shopscope/lifecycle';
import type { Stack } from '@shopscope/local-stack';
import { silentTelemetry } from '@shopscope/testing';
import { principals, startSecuredServers } from '../src/index.ts';

/** MongoDB, Kafka and Redis with TLS and the users of the tables, for all tests of this folder. ACLs are added later. */
export interface Secured {
  stack: Stack;
  ca: string;
  /** An authority that signed none of the servers' certificates. */
  strangerCa: string;
  /** The settings with which a service logs in under its own name. */
  environmentOf(service: string): Record<string, string>;
  /** The password of a principal, the same in all servers. */
  passwordOf(principal: string): string;
  /** A Kafka client of libs/kafka that logs in as this principal. */
  kafka(principal: string, over?: Partial<KafkaOptions>): Kafka;
  stop(): Promise<void>;
}

/** The native servers need Linux x64 and a JDK. Without them these tests are skipped with a warning. */
export function canRunSecured(): boolean {
  try {
    execFileSync('java', ['--version'], { timeout: 30_000, stdio: 'ignore' });
    if (process.platform === 'linux' && process.arch === 'x64') return true;
  } catch {
    // No JDK is installed.
  }
  console.warn('skipped: the secured servers need Linux x64 and a JDK of version 17 or newer');
  return false;
}

export async function startSecured(): Promise<Secured> {
  const stateDir = mkdtempSync(join(tmpdir(), 'secured-'));
  const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + dayMs) };
  const stranger = await createAuthority('another authority', validity);
  const passwords = new Map(principals.map((name) => [name, secret(name)]));
  const passwordOf = (principal: string) => passwords.get(principal) ?? '';
  const { stack, ca, environmentOf, migrationOf } = await startSecuredServers({
    stateDir,
    cacheDir: resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache'),
    passwordOf,
    kafkaHeapMaxMb: 256,
  });
  // As in production: services may not change the schema.
  for (const [service, migration] of Object.entries(migrations)) {
    const settings = readMigrationSettings(migration, { SHOPSCOPE_ENV: 'test', ...migrationOf(service) });
    await migrate(migration, settings, { service, logger: silentTelemetry().logger });
  }

  return {
    stack,
    ca,
    strangerCa: stranger.cert,
    environmentOf,
    passwordOf,
    kafka: (principal, over = {}) =>
      createKafka({
        brokers: [stack.kafka.url],
        clientId: principal,
        topicPrefix: '',
        replicationFactor: 1,
        ...silentTelemetry(principal),
        tls: { ca },
        sasl: { mechanism: 'scram-sha-512', username: principal, password: passwordOf(principal) },
        ...over,
      }),
    async stop() {
      await stack.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** Easy to find in any output. */
const secret = (name: string) => `S3CRET-${name}-${randomBytes(8).toString('hex')}`;
