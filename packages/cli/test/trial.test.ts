import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importStores } from '@shopscope/admin/import-stores';
import { createClient } from '@shopscope/client';
import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { createGrpcClient } from '@shopscope/grpc';
import { ObservationCompleted, ObservationOutcome, ProfilesServiceService } from '@shopscope/proto';
import { parse } from 'csv-parse';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * A list through a proxy that fails, with the command killed halfway. Two of three domains are in an imported corpus.
 * By day, the tests of the command have killed runs and full disks, and those of libs/enrich have the faults.
 * The trial at full size: `SHOPSCOPE_TRIAL_DOMAINS=100000 npm test -- packages/cli/test/trial.test.ts`. It prints its figures.
 */
const domains = Number(process.env.SHOPSCOPE_TRIAL_DOMAINS ?? 3_000);
const maxRssKb = 150 * 1024;
const program = new URL('../bin/shopscope.js', import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), 'cli-trial-'));
const input = join(directory, 'domains.txt');
const output = join(directory, 'stores.csv');
const isKnown = (n: number) => n % 3 !== 2;
const known = Array.from({ length: domains }, (_, n) => n).filter(isKnown).length;
const domainOf = (n: number) => `trial-${n}.example`;

let env: DevEnv;
beforeAll(async () => {
  env = await startDevEnv({ label: 'trial' });
  writeFileSync(input, Array.from({ length: domains }, (_, n) => `${domainOf(n)}\n`).join(''));
  const address = env.services.find(({ name }) => name === 'profiles')?.grpcAddress as string;
  const profiles = createGrpcClient({ definition: ProfilesServiceService, address });
  await importStores({ profiles, stores: corpus(), environment: 'test' });
  profiles.close();
}, 1_200_000);
afterAll(async () => {
  await env?.stop();
  rmSync(directory, { recursive: true, force: true });
});

function* corpus() {
  for (let n = 0; n < domains; n++) {
    if (!isKnown(n)) continue;
    const completedAtMs = Date.now();
    const observation = ObservationCompleted.fromPartial({
      scanId: `scan_trial_${n}`,
      domain: domainOf(n),
      sequence: 1,
      startedAtMs: completedAtMs - 1_000,
      completedAtMs,
      outcome: ObservationOutcome.OBSERVED,
      scope: 'full',
      storefrontHost: domainOf(n),
      statusState: 'active_storefront',
      name: n % 7 === 0 ? '=HYPERLINK("x")' : `Store ${n}`,
      platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
    });
    yield { domain: domainOf(n), observations: [observation] };
  }
}

/** Forwards to the API, and fails every fifth request in one of six ways, in turn. */
async function startFailingProxy(apiUrl: string, onRequest: (count: number) => void) {
  const faults = { before: 0, after: 0, within: 0, rate_limited: 0, unavailable: 0, page: 0 };
  const kinds = Object.keys(faults) as (keyof typeof faults)[];
  let count = 0;
  const refuse = (response: ServerResponse, status: number, code: string) => {
    const error = { code, message: code, request_id: 'req_proxy' };
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' })
      .end(JSON.stringify({ error }));
  };
  const forward = (request: IncomingMessage, response: ServerResponse, kind?: keyof typeof faults) => {
    const { method, headers, url } = request;
    const onward = requestHttp(apiUrl + url, { method, headers }, (answer) => {
      if (kind === 'after') return answer.resume().on('end', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (kind === undefined) return answer.pipe(response);
      answer.once('data', (chunk) => response.write(chunk.subarray(0, 100), () => response.destroy()));
      answer.resume();
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
  const server = createServer((request, response) => {
    count += 1;
    onRequest(count);
    const kind = count % 5 === 0 ? kinds[(count / 5) % kinds.length] : undefined;
    if (kind) faults[kind] += 1;
    if (kind === undefined || kind === 'after' || kind === 'within') return forward(request, response, kind);
    request.resume().on('end', () => {
      if (kind === 'before') response.destroy();
      else if (kind === 'rate_limited') refuse(response, 429, kind);
      else if (kind === 'unavailable') refuse(response, 503, kind);
      else response.writeHead(502).end('<html>');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, faults, requests: () => count, close: () => [server.closeAllConnections(), server.close()] };
}

/** The most memory that the process has had so far, as Linux reports it; 0 elsewhere. */
function peakRssKb({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const title =
  'enrich answers a long list over faults and a SIGKILL once and in order, bills its summary, and needs constant memory';
test(title, { tags: ['nightly'], timeout: 1_800_000 }, async () => {
  const { secret } = await env.createWorkspace({ plan: 'scale' });
  let onRequest = (_count: number): void => undefined;
  const proxy = await startFailingProxy(env.apiUrls[0] as string, (count) => onRequest(count));
  let rssKb = 0;
  const start = () => {
    const args = [program, 'enrich', input, '-o', output, '--yes', '--json'];
    const child = spawn(process.execPath, args, {
      env: { SHOPSCOPE_API_KEY: secret, SHOPSCOPE_BASE_URL: proxy.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (texts.out += chunk));
    child.stderr.on('data', (chunk) => (texts.err += chunk));
    const measuring = setInterval(() => (rssKb = Math.max(rssKb, peakRssKb(child))), 100);
    const ended = once(child, 'close').then(([code]) => {
      clearInterval(measuring);
      return { code, ...texts };
    });
    return { child, ended };
  };
  const startedMs = performance.now();
  const first = start();
  const half = Math.floor(domains / 200);
  onRequest = (count) => {
    if (count === half) first.child.kill('SIGKILL');
  };
  expect((await first.ended).code).toBeNull();
  const { rows: rowsBefore } = JSON.parse(readFileSync(`${output}.state.json`, 'utf8')) as { rows: number };
  expect(rowsBefore).toBeLessThan(domains);
  const second = await start().ended;
  expect(second).toMatchObject({ code: 0, err: '' });
  const seconds = (performance.now() - startedMs) / 1_000;
  proxy.close();

  let row = 0;
  for await (const record of createReadStream(output).pipe(parse({ columns: true }))) {
    const expected = isKnown(row) ? ['matched', domainOf(row)] : ['no_match', ''];
    const { input: asked, shopscope_match: match, shopscope_domain: domain, shopscope_name: name } = record;
    if (asked !== domainOf(row) || match !== expected[0] || domain !== expected[1] || name.startsWith('='))
      expect({ row, record }).toBeUndefined();
    row += 1;
  }
  expect(row).toBe(domains);
  const summary = JSON.parse(second.out);
  expect(summary).toMatchObject({
    rows: domains,
    matches: { matched: known, 'no_match (not_in_corpus)': domains - known },
    units: { lookup_cached: known, lookup_live: 0 },
  });
  await env.settle();
  const { used } = (await createClient({ apiKey: secret, baseUrl: env.apiUrls[0] as string }).getUsage()).period;
  expect(used).toMatchObject(summary.units);
  const figures = { domains, seconds: Math.round(seconds), rowsBefore, rssMb: Math.round(rssKb / 1024) };
  console.log(JSON.stringify({ ...figures, requests: proxy.requests(), faults: proxy.faults, summary, used }));
  expect(rssKb).toBeLessThan(maxRssKb);
});
