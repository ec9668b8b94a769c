import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { domainOf, loadCorpus } from './corpus.ts';
import { type LoadResult, load, median } from './load.ts';
import { benchSettings } from './settings.ts';
import { startSystem } from './system.ts';
import { benchKey } from './workspace.ts';

/**
 * First load: GET of one store and enrich of 100, each beside a bare Express server that sends the same bytes, in
 * alternating rounds of one run. Absolute numbers belong to the machine and the minute; the ratio is the result.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);
const root = resolve(import.meta.dirname, '../../..');
const settings = benchSettings(process.env);

say('Starting the system …');
const system = await startSystem(settings, root);
try {
  const secret = await benchKey(system.keysAddress);
  say(`Loading ${settings.stores} stores …`);
  await loadCorpus(system, secret, settings.stores);

  const authorization = { authorization: `Bearer ${secret}` };
  const domains = Array.from({ length: settings.stores }, (_, n) => domainOf(n));
  const lookUps = domains.map((domain) => ({ method: 'GET' as const, path: `/v1/stores/${domain}` }));
  const batches = Array.from({ length: 50 }, (_, n) => ({
    method: 'POST' as const,
    path: '/v1/stores/enrich',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify({
      domains: Array.from({ length: 100 }, (_, i) => domainOf((n * 97 + i * 19) % settings.stores)),
    }),
  }));

  const bare = await startBareServer(await answersOf(lookUps[0]?.path ?? '', batches[0]?.body ?? ''));
  const pair = async (name: string, connections: number, requests: typeof lookUps | typeof batches) => {
    const options = { connections, seconds: settings.seconds, requests, headers: authorization };
    const ours: LoadResult[] = [];
    const theirs: LoadResult[] = [];
    await load({ ...options, seconds: 2, url: system.apiUrl, pids: {} });
    for (let round = 1; round <= settings.rounds; round++) {
      say(`${name}, round ${round} of ${settings.rounds} …`);
      theirs.push(await load({ ...options, url: bare.url, pids: { express: bare.pid } }));
      ours.push(await load({ ...options, url: system.apiUrl, pids: system.pids }));
    }
    return { name, ours, theirs };
  };
  const pairs = [
    await pair('GET store', settings.connections, lookUps),
    await pair('enrich 100', settings.enrichConnections, batches),
  ];
  bare.stop();
  say(table(pairs));
} finally {
  await system.stop();
}

interface Pair {
  name: string;
  ours: LoadResult[];
  theirs: LoadResult[];
}

async function answersOf(storePath: string, enrichBody: string): Promise<{ store: string; enrich: string }> {
  const folder = join(settings.stateDir, 'answers');
  mkdirSync(folder, { recursive: true });
  const authorization = { authorization: `Bearer ${await benchKey(system.keysAddress)}` };
  const keep = async (name: string, response: Response) => {
    if (response.status !== 200) throw new Error(`${name}: ${await response.text()}`);
    writeFileSync(join(folder, name), Buffer.from(await response.arrayBuffer()));
    return join(folder, name);
  };
  return {
    store: await keep('store.json', await fetch(system.apiUrl + storePath, { headers: authorization })),
    enrich: await keep(
      'enrich.json',
      await fetch(`${system.apiUrl}/v1/stores/enrich`, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: enrichBody,
      }),
    ),
  };
}

async function startBareServer(files: {
  store: string;
  enrich: string;
}): Promise<{ url: string; pid: number; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), files.store, files.enrich], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((done) => child.stdout.once('data', (chunk) => done(String(chunk).trim())));
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.kill() };
}

function table(pairs: readonly Pair[]): string {
  const rows = pairs.flatMap(({ name, ours, theirs }) => {
    const ratio = median(ours.map((result, n) => result.requestsPerSecond / (theirs[n]?.requestsPerSecond ?? 1)));
    return [row(`${name}, bare Express`, theirs, ''), row(`${name}, Shopscope`, ours, ratio.toFixed(3))];
  });
  const cpu = pairs.map(({ name, ours }) => {
    const processes = Object.keys(ours[0]?.cpuUs ?? {})
      .map((process) => [process, median(ours.map((result) => result.cpuUs[process] ?? 0))] as const)
      .filter(([, us]) => us >= 1);
    return `${name}: ${processes.map(([process, us]) => `${process} ${us.toFixed(0)}`).join(', ')}`;
  });
  const head = '| row | req/s | p50 ms | p99 ms | failures | × bare |\n|---|---|---|---|---|---|';
  return `\n${head}\n${rows.join('\n')}\n\nCPU µs per request:\n  ${cpu.join('\n  ')}\n`;
}

function row(name: string, results: readonly LoadResult[], ratio: string): string {
  const cells = [
    name,
    median(results.map((result) => result.requestsPerSecond)).toFixed(0),
    median(results.map((result) => result.p50Ms)).toFixed(1),
    median(results.map((result) => result.p99Ms)).toFixed(1),
    String(results.reduce((sum, result) => sum + result.failures, 0)),
    ratio,
  ];
  return `| ${cells.join(' | ')} |`;
}
