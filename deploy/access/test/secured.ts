import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAuthority } from '@shopscope/certificates';
import { createKafka, type Kafka, type KafkaOptions } from '@shopscope/kafka';
import type { Stack } from '@shopscope/local-stack';
import { silentTelemetry } from '@shopscope/testing';
import { principals, startSecuredServers } from '../src/index.ts';

/** The three servers with TLS, users, ACLs to come, and the tables' MongoDB and Redis users: one for all tests here. */
export interface Secured {
  stack: Stack;
  ca: string;
  /** An authority that signed nothing here. */
  strangerCa: string;
  /** The settings under which a service logs in as itself. */
  environmentOf(service: string): Record<string, string>;
  /** Of every principal of the tables, in every server. */
  passwordOf(principal: string): string;
  /** The library's way to Kafka, as this principal. */
  kafka(principal: string, over?: Partial<KafkaOptions>): Kafka;
  stop(): Promise<void>;
}

/** The native servers run on Linux x64 with a JDK only; elsewhere these tests are skipped, and say so. */
export function canRunSecured(): boolean {
  try {
    execFileSync('java', ['--version'], { timeout: 30_000, stdio: 'ignore' });
    if (process.platform === 'linux' && process.arch === 'x64') return true;
  } catch {
    // There is no JDK.
  }
  console.warn('skipped: the secured servers need Linux x64 and a JDK of version 17 or newer');
  return false;
}

export async function startSecured(): Promise<Secured> {
  const stateDir = mkdtempSync(join(tmpdir(), 'secured-'));
  const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 86_400_000) };
  const stranger = await createAuthority('another authority', validity);
  const passwords = new Map(principals.map((name) => [name, secret(name)]));
  const passwordOf = (principal: string) => passwords.get(principal) ?? '';
  const { stack, ca, environmentOf } = await startSecuredServers({
    stateDir,
    cacheDir: resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache'),
    passwordOf,
    kafkaHeapMaxMb: 256,
  });

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

/** Recognisable wherever it turns up. */
const secret = (name: string) => `S3CRET-${name}-${randomBytes(8).toString('hex')}`;
