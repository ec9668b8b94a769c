import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeTestHosts } from '@shopscope/demo-stores';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientOn } from '../../../../packages/client/src/client.ts';
import { type Client, createClient, type ResponseInfo } from '../../../../packages/client/src/index.ts';
import { platform } from '../../../../packages/client/src/platform.ts';
import { forwarding } from '../../../../packages/client/test/forwarding.ts';
import { type Answer, cut, failure, startScriptedService } from '../../../../packages/client/test/scripted-service.ts';
import { type DevEnv, startDevEnv } from '../../src/index.ts';

/** The client against the running service, directly and behind a proxy that fails. */
describe('the client and the service', () => {
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  const unknown = Array.from({ length: 30 }, (_, n) => `unknown-shop-${n}.example`);
  let env: DevEnv;
  let client: Client;
  let baseUrl: string;

  const clientOf = (key: string) => createClient({ apiKey: key, baseUrl });
  const keyOf = async (options: Parameters<DevEnv['createWorkspace']>[0]) =>
    (await env.createWorkspace({ plan: 'scale', ...options })).secret;
  const usedBy = async (key: string) => {
    await env.settle();
    return (await clientOf(key).getUsage()).period.used;
  };

  beforeAll(async () => {
    const hostsFile = join(directory, 'scan-hosts.json');
    env = await startDevEnv({
      label: 'client',
      search: true,
      envOf: (service): Record<string, string> => (service === 'scanner' ? { SHOPSCOPE_SCAN_HOSTS: hostsFile } : {}),
    });
    // Nothing listens at port 1, so scans of the unknown stores end soon.
    const closed = Object.fromEntries(unknown.map((domain) => [domain, { address: '127.0.0.1', port: 1, tls: false }]));
    await writeTestHosts(hostsFile, { ...env.demoStores.testHosts, ...closed });
    baseUrl = env.apiUrls[0] as string;
    client = clientOf(await keyOf({}));
  });
  afterAll(async () => {
    await env?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('the client reads account, usage, index, health and the contract', async () => {
    const account = await client.getAccount();
    expect(account.plan.slug).toBe('scale');
    await expect(client.getUsage()).resolves.toMatchObject({ period: { used: { lookup_cached: 0 } } });
    await expect(client.getIndex()).resolves.toHaveProperty('endpoints');
    await expect(client.getHost()).resolves.toHaveProperty('rest');
    await expect(client.getHealth()).resolves.toMatchObject({ status: 'ok' });
    await expect(client.getOpenapi()).resolves.toHaveProperty('openapi', '3.1.0');
  });

  test('the client reads all technologies, page by page', async () => {
    const slugs = new Set<string>();
    for await (const { slug } of client.listTechnologies({ limit: 200 })) slugs.add(slug);
    expect(slugs.size).toBeGreaterThan(200);
    expect((await client.listTechnologies({ kind: 'platform', limit: 1 })).data).toHaveLength(1);
  });

  test('the client reports the code and the request id of an error of the service', async () => {
    const requestId = 'client-test-1';
    await expect(client.getStore('nowhere.example', { requestId })).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
      requestId,
    });
    await expect(clientOf('svc_live_wrong').getUsage()).rejects.toMatchObject({ code: 'unauthorized' });
    const reader = clientOf(await keyOf({ preset: 'read_only' }));
    await expect(reader.enrichStores({ domains: ['a.example'], refresh: true })).rejects.toMatchObject({
      code: 'forbidden_scope',
    });
    await expect(client.listTechnologies({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('a call of the client that is repeated with its key is replayed and bills nothing', async () => {
    const key = await keyOf({});
    const seen: ResponseInfo[] = [];
    const options = { idempotencyKey: 'list-7-batch-0', onResponse: (response: ResponseInfo) => seen.push(response) };
    const request = { domains: [unknown[0] as string], refresh: true };
    const first = await clientOf(key).enrichStores(request, options);
    await expect(clientOf(key).enrichStores(request, options)).resolves.toEqual(first);
    expect(seen.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(await usedBy(key)).toMatchObject({ lookup_live: 1 });
  });

  test('the client gets one answer for every domain behind a proxy that fails, and is billed as the responses say', async () => {
    const key = await keyOf({});
    const { forward, forwardAndCut, forwardAndCutWithinBody } = forwarding(baseUrl);
    const faults = [
      cut,
      forwardAndCut,
      forwardAndCutWithinBody,
      failure(503, 'unavailable', { 'Retry-After': '0' }),
      (_: unknown, response: ServerResponse) => response.writeHead(502).end('<html>'),
    ];
    let requests = 0;
    const faulty = new Set<Answer>();
    const answers: Answer[] = [
      (received, response) => {
        requests += 1;
        const fault = requests % 2 === 0 ? faults[(requests / 2) % faults.length] : undefined;
        if (fault) faulty.add(fault);
        return (fault ?? forward)(received, response);
      },
    ];
    await using proxy = await startScriptedService(answers, { apiKey: key, maxRetries: 8 });
    const billed = { lookup_cached: 0, lookup_live: 0 };
    const batchSize = 3;
    const results = await Array.fromAsync(
      proxy.client.enrichAll(unknown, {
        refresh: true,
        batchSize,
        onProgress: (progress) => Object.assign(billed, progress.billed),
      }),
    );
    expect(results.map(({ input }) => input)).toEqual(unknown);
    expect(results.every(({ scan_requested }) => scan_requested)).toBe(true);
    expect(billed.lookup_live).toBe(unknown.length);
    expect(await usedBy(key)).toMatchObject(billed);
    expect(faulty.size).toBe(faults.length);
    expect(proxy.received.length).toBeGreaterThan(unknown.length / batchSize);
  });

  test('the client waits for scans, and looks up what they observed', async () => {
    const key = await keyOf({});
    const domains = ['fjordlicht.example', unknown[1] as string];
    const results = await Array.fromAsync(clientOf(key).enrichAll(domains, { refresh: true, wait: true }));
    expect(results.map(({ input, match }) => [input, match])).toEqual([
      [domains[0], 'matched'],
      [domains[1], 'no_match'],
    ]);
    expect(results.map(({ job }) => [job?.state, job?.error?.code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'connection_refused'],
    ]);
    expect(await usedBy(key)).toMatchObject({ lookup_live: 2, lookup_cached: 1 });
  });

  test('the client requests a scan, finds it among the jobs, waits for it, and reads its history and signals', async () => {
    const key = await keyOf({});
    const own = clientOf(key);
    const domain = 'tiny-acre-honey.example';
    const asked = await own.requestScan(domain);
    const jobs = await Array.fromAsync(own.listJobs({ type: 'scan' }));
    expect(jobs.map(({ id }) => id)).toEqual([asked.id]);
    await expect(own.waitForJob(asked.id)).resolves.toMatchObject({ state: 'succeeded', domain });
    await expect(own.getJobResults(asked.id)).resolves.toMatchObject({ data: [{ domain, state: 'succeeded' }] });
    await expect(own.cancelJob(asked.id)).resolves.toMatchObject({ state: 'succeeded' });
    expect(await usedBy(key)).toMatchObject({ refresh_requested: 1 });
    // A store's first observation makes no signal.
    await expect(own.getStoreHistory(domain)).resolves.toMatchObject({ domain, data: [] });
    for await (const signal of own.searchSignals({ limit: 200 })) expect(signal.domain).toBeTruthy();
  });

  test('the examples in the README of the client run', async () => {
    const readme = readFileSync(new URL('../../../../packages/client/README.md', import.meta.url), 'utf8');
    const lines = [...readme.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, code = '']) => code.split('\n'));
    const [imports, statements] = [true, false].map((isImport) =>
      lines.filter((line) => line.startsWith('import ') === isImport).join('\n'),
    ) as [string, string];
    const source = new URL('../../../../packages/client/src/index.ts', import.meta.url).href;
    writeFileSync(join(directory, 'domains.txt'), 'matched.test\nunknown.test\n');
    writeFileSync(
      join(directory, 'readme.mts'),
      `${imports.replaceAll("'@shopscope/client'", JSON.stringify(source))}\n${statements}`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['readme.mts'], {
      cwd: directory,
      env: {
        SHOPSCOPE_API_KEY: await keyOf({ environment: 'test' }),
        SHOPSCOPE_BASE_URL: baseUrl,
        SHOPSCOPE_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
    });
    expect(stdout).toContain('evt_1 scan.completed');
    expect(stdout).toMatch(/^Matched .* \d+$/m);
    expect(stdout).toContain('matched.test matched');
    expect(stdout).toContain('unknown.test no_match');
  });

  test('the client waits after a 429 for at most the time to the next minute', async () => {
    const key = await keyOf({ plan: 'free' });
    const pauses: number[] = [];
    const stopped = new Error('the first pause');
    const impatient = createClientOn(
      {
        ...platform,
        async sleep(ms) {
          pauses.push(ms);
          throw stopped;
        },
      },
      // This client has not seen the rate-limit headers of the other clients.
      { apiKey: key, baseUrl },
    );
    const calls = Array.from({ length: 60 }, () =>
      createClientOn({ ...platform, sleep: reject }, { apiKey: key, baseUrl }).getUsage(),
    );
    const failures = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
    expect(failures.length).toBeGreaterThan(0);
    await expect(impatient.getUsage()).rejects.toBe(stopped);
    expect(pauses[0]).toBeGreaterThan(0);
    expect(pauses[0]).toBeLessThanOrEqual(60_500);
  });

  const reject = async () => {
    throw new Error('no pause in this test');
  };
});
