import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { compileCache, freePort } from '@shopscope/local-stack';
import { nightlyUnless } from '@shopscope/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type ServiceName, services } from '../src/kafka/table.ts';
import type { Secured } from './secured.ts';

const nightly = { tags: ['nightly'] };
const patience = { timeout: 120_000, interval: 100 };
const root = resolve(import.meta.dirname, '../../..');
const children: ChildProcess[] = [];

/** A service as a child process, with its whole output. */
function run(service: ServiceName, env: Record<string, string>, ...args: string[]) {
  const main = resolve(root, 'services', service, 'src/main.ts');
  const child = spawn(process.execPath, ['--conditions=@shopscope/source', main, ...args], {
    cwd: root,
    env: { ...compileCache, ...env },
  });
  children.push(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said.text += chunk));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const stop = () => {
    child.kill('SIGTERM');
    // A process that waits for its database would not end.
    const insist = setTimeout(() => child.kill('SIGKILL'), 5_000);
    void exited.then(() => clearTimeout(insist));
  };
  return { said, exited, stop };
}

const others = {
  HOST: '127.0.0.1',
  GRPC_PORT: '0',
  HTTP_PORT: '0',
  INTERNAL_PORT: '0',
  SHOPSCOPE_ENV: 'test',
  LOG_LEVEL: 'trace',
  KEYS_ADDRESS: '127.0.0.1:1',
  PROFILES_ADDRESS: '127.0.0.1:1',
  METERING_ADDRESS: '127.0.0.1:1',
  SCAN_SCHEDULER_ADDRESS: '127.0.0.1:1',
  SEARCH_ADDRESS: '127.0.0.1:1',
  SUBSCRIPTIONS_ADDRESS: '127.0.0.1:1',
  WEBHOOKS_ADDRESS: '127.0.0.1:1',
  OPENSEARCH_URL: 'http://search:S3CRET-opensearch-0123456789@127.0.0.1:1',
  GATEWAY_ADDRESS: '127.0.0.1:1',
  PUBLIC_API_URL: 'http://api.shopscope.test',
  PUBLIC_SITE_URL: 'http://shopscope.test',
  // An id that no other test uses: other tests use the same database with another pepper 1.
  KEY_PEPPERS: 'secrets:S3CRET-pepper-0123456789-0123456789',
  CURSOR_SECRET: 'S3CRET-cursor-0123456789-0123456789',
  DASHBOARD_URL: 'http://dashboard.shopscope.test',
  SESSION_SECRET: 'S3CRET-session-0123456789-0123456789',
  WEBHOOK_STORAGE_SECRETS: '1:S3CRET-webhook-0123456789-0123456789',
  MAIL_URL: 'smtp://shopscope:S3CRET-mail-0123456789@127.0.0.1:1',
  DRAIN_DELAY_MS: '0',
};
const refusedByKafka = /SASL SCRAM SHA512 authentication failed/;
const refusedByMongodb = /Authentication failed/;
const refusedByRedis = /WRONGPASS/;

/** Every secret of this test begins with this. It must not appear in any output, at any log level, under any failure. */
const mark = 'S3CRET';

export function describeSecrets(secured: () => Secured): void {
  /** With credentials in the URLs, as in many deployments. */
  const environment = (service: ServiceName, over: { kafka?: string; data?: string }): Record<string, string> => {
    const { MONGODB_USERNAME, MONGODB_PASSWORD, REDIS_USERNAME, REDIS_PASSWORD, ...env } = {
      ...others,
      ...secured().environmentOf(service),
    } as Record<string, string>;
    const login = `//${service}:${over.data ?? secured().passwordOf(service)}@`;
    for (const name of ['MONGODB_URL', 'REDIS_URL']) if (env[name]) env[name] = env[name].replace('//', login);
    return { ...env, ...(over.kafka && { KAFKA_SASL_PASSWORD: over.kafka }) };
  };
  /** Runs the service until its output has the expected text. Resolves with its output, metrics and readiness. */
  const outputOf = async (service: ServiceName, env: Record<string, string>, ...expected: RegExp[]) => {
    const port = await freePort();
    const { said, exited, stop } = run(service, { ...env, ADMIN_PORT: String(port) });
    await vi.waitFor(() => {
      for (const each of expected) expect(said.text).toMatch(each);
    }, patience);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const readiness = await (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
    stop();
    await exited;
    expect(metrics).toContain(`service="${service}"`);
    return said.text + metrics + readiness;
  };

  // Each test is a process of its own that mostly waits.
  describe.concurrent('secrets in the output', () => {
    afterAll(() => {
      for (const child of children) child.kill('SIGKILL');
    });

    // All services read their configuration, log in and log with the same code. By day, the one with the most secrets stands for them.
    const most = 'dashboard';
    for (const service of services) {
      const options = nightlyUnless(service === most);
      it(`no secret is in the output of ${service} when it refuses its configuration`, options, async () => {
        const faulty = {
          MONGODB_URL: `mongo://${service}:${mark}@db`,
          REDIS_URL: `redis//:${mark}@redis`,
          KAFKA_SASL_PASSWORD: `${mark}-password`,
          KAFKA_SASL_MECHANISM: `${mark}-mechanism`,
          KAFKA_TLS_KEY: `${mark}-key`,
          ADMIN_PORT: mark,
        };
        const { said, exited } = run(service, { ...environment(service, {}), ...faulty }, '--validate');
        expect(await exited).toBe(78);
        expect(said.text).toMatch(/KAFKA_SASL_MECHANISM: must be one of[\s\S]*KAFKA_TLS_CERT: is required/);
        expect(said.text).not.toContain(mark);
      });

      it(`no secret is in the output of ${service} when Kafka refuses its credentials`, options, async () => {
        const env = environment(service, { kafka: `${mark}-wrong` });
        expect(await outputOf(service, env, refusedByKafka)).not.toContain(mark);
      });
    }

    it.each([
      ['keys', refusedByMongodb],
      ['gateway', refusedByRedis],
    ] as const)(
      'no secret is in the output of %s when its database refuses its credentials',
      nightly,
      async (service, refusal) => {
        const env = environment(service, { data: `${mark}-wrong` });
        expect(await outputOf(service, env, refusal)).not.toContain(mark);
      },
    );

    it.each(['keys', 'gateway'] as const)(
      'no secret is in the output of %s when no server responds',
      nightly,
      async (service) => {
        const env = environment(service, {});
        for (const name of ['MONGODB_URL', 'REDIS_URL'])
          if (env[name]) env[name] = env[name].replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1');
        expect(await outputOf(service, env, /ECONNREFUSED/)).not.toContain(mark);
      },
    );
  });
}
