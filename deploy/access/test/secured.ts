import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAuthority } from '@shopscope/dev-certificates';
import { createKafka, type Kafka, type KafkaOptions } from '@shopscope/kafka';
import { type Login, type Stack, startSecuredStack } from '@shopscope/local-stack';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { MongoClient } from 'mongodb';
import { replayer } from '../src/kafka/table.ts';
import { mongodbUsers } from '../src/mongodb.ts';
import { redisAcl } from '../src/redis.ts';
import { services } from '../src/services.ts';

/** The three servers with TLS, users, ACLs to come, and the tables' MongoDB and Redis users: one for all tests here. */
export interface Secured {
  stack: Stack;
  ca: string;
  /** An authority that signed nothing here. */
  strangerCa: string;
  superUser: Login;
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
  const authority = await createAuthority('test authority', validity);
  const stranger = await createAuthority('another authority', validity);
  const server = await authority.issue('server', { uris: [], hosts: ['localhost', '127.0.0.1'], ...validity });
  const passwords = new Map([...services, replayer, 'super'].map((name) => [name, secret(name)]));
  const passwordOf = (principal: string) => passwords.get(principal) ?? '';
  const superUser = { username: 'super', password: passwordOf('super') };

  const stack = await startSecuredStack({
    stateDir,
    cacheDir: resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache'),
    ca: authority.cert,
    ...server,
    superUser,
    kafkaUsers: [...services, replayer].map((username) => ({ username, password: passwordOf(username) })),
    redisAcl: [redisAcl({ keyPrefix: 'shopscope:', password: `>${passwordOf('gateway')}` })],
    kafkaHeapMaxMb: 256,
  });
  const client = await MongoClient.connect(stack.mongodb.url, { ca: authority.cert, auth: superUser });
  for (const { user, roles } of mongodbUsers) {
    await client.db('admin').command({ createUser: user, pwd: passwordOf(user), roles });
  }
  await client.close();

  return {
    stack,
    ca: authority.cert,
    strangerCa: stranger.cert,
    superUser,
    passwordOf,
    kafka: (principal, over = {}) =>
      createKafka({
        brokers: [stack.kafka.url],
        clientId: principal,
        topicPrefix: '',
        replicationFactor: 1,
        logger: createLogger({ service: principal, instance: 'test', level: 'silent' }),
        registry: createRegistry({ service: principal }),
        tls: { ca: authority.cert },
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
