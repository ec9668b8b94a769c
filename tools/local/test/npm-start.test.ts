import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createVisitor } from '@shopscope/browser/visitor';
import { dayMs } from '@shopscope/clock';
import { isPortFree } from '@shopscope/local-stack';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkApi } from '../../checks/src/api/check-api.ts';
import { readApiCheckSettings } from '../../checks/src/api/settings.ts';
import { type CheckedSystem, suspendScanner } from '../../checks/src/api/system.ts';

/** `npm start` as a user runs it: the real command and real processes, which are killed, stopped and started again. */
const root = resolve(import.meta.dirname, '../../..');
const localDir = mkdtempSync(join(tmpdir(), 'npm-start-'));
const readyFile = join(localDir, 'ready.json');
const startTimeoutMs = 240_000;
/** Far above the time of the requests, also with the installation of their program. */
const checkTimeoutMs = 1_200_000;

interface ReadyServer {
  nodes: { pid: number | null; port: number }[];
}
interface Ready {
  api: { base_url: string };
  keys: { full: string; read_only: string; test: string };
  workspace_id: string;
  dashboard: Record<'admin' | 'member', { email: string; password: string }> & { base_url: string };
  demo_domains: string[];
  demo_stores: { pid: number; url: string };
  services: Record<string, { pid: number; url: string | null; admin_url: string }[]>;
  stack: {
    mongodb: ReadyServer & { url: string };
    kafka: ReadyServer & { brokers: string };
    redis: ReadyServer & { url: string };
  };
}
interface StoreBody {
  platform: { slug: string };
  observation: { last_completed_scan_at: string };
  technologies: { install_state: string }[];
  recent_signals: {
    type: string;
    from: string | null;
    to: string | null;
    effective_at: string;
    confirmed_at: string;
  }[];
}
const nightly = { tags: ['nightly'] };
const readReady = (): Ready => JSON.parse(readFileSync(readyFile, 'utf8'));
const pidsOf = ({ services, stack }: Ready) => [
  ...Object.values(services).flatMap((instances) => instances.map(({ pid }) => pid)),
  ...Object.values(stack).flatMap(({ nodes }) => nodes.flatMap(({ pid }) => (pid === null ? [] : [pid]))),
];
const isAlive = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

describe('npm start', () => {
  const { SHOPSCOPE_MONGODB_URL: _, SHOPSCOPE_KAFKA_BROKERS: __, SHOPSCOPE_REDIS_URL: ___, ...rest } = process.env;
  const env: NodeJS.ProcessEnv = { ...rest, SHOPSCOPE_LOCAL_DIR: localDir };
  env.SHOPSCOPE_CACHE_DIR = resolve(root, process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
  env.SHOPSCOPE_SCAN_HOSTS = join(localDir, 'own-hosts.json');
  const ownStore = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<meta property="og:site_name" content="A store of my own"><h1>Open</h1><p>Lamps and candles'),
  );
  let running: ChildProcess | undefined;
  let printed = '';
  let ready: Ready;
  let checked: CheckedSystem | undefined;

  const command = (...args: string[]) => ['tools/local/bootstrap.mjs', ...args];
  const start = async (...args: string[]) => {
    printed = '';
    const child = spawn(process.execPath, command('start', ...args), { cwd: root, env });
    running = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    await waitUntil('ready.json', () => existsSync(readyFile) || child.exitCode !== null, {
      timeoutMs: startTimeoutMs,
    });
    if (!existsSync(readyFile)) throw new Error(`npm start ended:\n${printed}`);
    ready = readReady();
  };
  const stop = async () => {
    const child = running;
    if (!child || child.exitCode !== null) return child?.exitCode;
    const exited = new Promise<number | null>((done) => child.once('exit', done));
    child.kill('SIGINT');
    await checked?.killScannerWhen(() => !existsSync(readyFile));
    return exited;
  };
  const offered = async () => {
    await waitUntil('the welcome', () => printed.includes('Stop: Ctrl-C'));
    return printed.split('\n').filter((line) => line.startsWith('  curl '));
  };
  const paste = (line = ''): Promise<string> =>
    new Promise((done) => execFile('sh', ['-c', line], (_error, stdout) => done(stdout)));
  const runToEnd = (...args: string[]): Promise<{ code: number; output: string }> =>
    new Promise((done) =>
      execFile(process.execPath, command(...args), { cwd: root, env }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      ),
    );
  const api = (path: string, { key = ready.keys.full, body }: { key?: string; body?: unknown } = {}) =>
    fetch(`${ready.api.base_url}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });

  const signalEvents = async () => {
    const response = await api('/v1/events?order=desc&limit=200&types=signal.confirmed');
    return ((await response.json()) as { data: { id: string; created_at: string; data: { confirmed_at: string } }[] })
      .data;
  };

  const signIn = async (person: { email: string; password: string }) => {
    const { base_url: origin } = ready.dashboard;
    const body = new URLSearchParams(person);
    const form: RequestInit = { method: 'POST', body, headers: { origin }, redirect: 'manual' };
    const { status, headers } = await fetch(`${origin}/sign-in`, form);
    return { status, location: headers.get('location') };
  };

  /** Scans a store whose platform moved once more: the store is as its scenario left it, so nothing new is found. */
  const expectNoReversal = async () => {
    const domain = 'tiny-acre-honey.example';
    const { corpusKey } = JSON.parse(readFileSync(join(localDir, 'state.json'), 'utf8'));
    const read = async () => ((await (await api(`/v1/stores/${domain}`)).json()) as { store: StoreBody }).store;
    const before = await read();
    await api('/v1/stores/enrich', { key: corpusKey.secret, body: { domains: [domain], refresh: true } });
    const scannedAt = ({ observation }: StoreBody) => observation.last_completed_scan_at;
    await waitUntil('a new scan', async () => scannedAt(await read()) !== scannedAt(before));
    const after = await read();
    expect([after.platform.slug, after.recent_signals]).toEqual(['shopify', before.recent_signals]);
  };

  beforeAll(async () => {
    let base = 0;
    do base = 20_000 + 300 * Math.floor(Math.random() * 30);
    while (!(await isPortFree(base)) || !(await isPortFree(base + 20)));
    env.SHOPSCOPE_PORT_BASE = String(base);
    await new Promise<void>((done) => ownStore.listen(0, '127.0.0.1', done));
    const { port } = ownStore.address() as AddressInfo;
    writeFileSync(env.SHOPSCOPE_SCAN_HOSTS ?? '', JSON.stringify({ 'own.example': { address: '127.0.0.1', port } }));
    await start();
  }, startTimeoutMs);
  afterAll(async () => {
    await stop();
    ownStore.close();
    rmSync(localDir, { recursive: true, force: true });
  }, 60_000);

  it('npm start writes for other programs where everything is', () => {
    const process = { pid: expect.any(Number), admin_url: expect.stringMatching(/^http:/) };
    const grpc = [{ ...process, url: expect.stringMatching(/^grpc:/) }];
    const node = { pid: expect.any(Number), port: expect.any(Number) };
    expect(ready).toEqual({
      api: { base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
      keys: {
        full: expect.stringMatching(/^svc_live_/),
        read_only: expect.stringMatching(/^svc_live_/),
        test: expect.stringMatching(/^svc_test_/),
      },
      workspace_id: expect.stringMatching(/^ws_/),
      dashboard: {
        base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        admin: { email: 'admin@demo.example', password: expect.any(String) },
        member: { email: 'member@demo.example', password: expect.any(String) },
      },
      demo_domains: expect.any(Array),
      services: {
        keys: grpc,
        profiles: grpc,
        metering: grpc,
        'scan-scheduler': grpc,
        search: grpc,
        subscriptions: grpc,
        webhooks: grpc,
        scanner: [{ ...process, url: null }],
        gateway: [{ ...process, url: ready.api.base_url }],
        dashboard: [{ ...process, url: ready.dashboard.base_url, grpc_url: expect.stringMatching(/^grpc:/) }],
      },
      demo_stores: { pid: expect.any(Number), url: expect.stringMatching(/^http:/) },
      stack: {
        mongodb: { url: expect.stringMatching(/^mongodb:/), pid: expect.any(Number), nodes: [node] },
        kafka: { brokers: expect.any(String), pid: expect.any(Number), nodes: [node] },
        redis: { url: expect.stringMatching(/^redis:/), pid: expect.any(Number), nodes: [node] },
        opensearch: { url: expect.stringMatching(/^http:/), pid: expect.any(Number), nodes: [node] },
      },
    });
    expect(pidsOf(ready).every(isAlive)).toBe(true);
  });

  it('npm start fills the corpus by scanning: at least two dozen stores, on at least eight platforms', async () => {
    const response = await api('/v1/stores/enrich', { body: { domains: ready.demo_domains } });
    const { results } = (await response.json()) as {
      results: { match: string; store: { platform: { slug: string } } }[];
    };
    expect(results.filter(({ match }) => match === 'matched').length).toBeGreaterThanOrEqual(24);
    expect(new Set(results.map(({ store }) => store.platform.slug)).size).toBeGreaterThanOrEqual(8);
  });

  it('npm start gives the demo workspace a key of the test tenant, which answers without a scan', async () => {
    const response = await api('/v1/stores/matched.test', { key: ready.keys.test });
    expect([response.status, response.headers.get('x-shopscope-environment')]).toEqual([200, 'test']);
  });

  it('npm start gives the demo workspace plan scale, and a key that may only read', async () => {
    const account = (await (await api('/v1/account')).json()) as { plan: { slug: string }; workspace: { id: string } };
    expect([account.plan.slug, account.workspace.id]).toEqual(['scale', ready.workspace_id]);
    const refresh = { domains: ready.demo_domains.slice(0, 1), refresh: true };
    expect((await api('/v1/stores/enrich', { key: ready.keys.read_only, body: refresh })).status).toBe(403);
  });

  it('npm start has keys that are older than their first use, in a workspace that is as old', nightly, async () => {
    const admin = async (workspace: string, ...args: string[]) =>
      JSON.parse((await runToEnd('admin', ...args, '--workspace', workspace, '--json')).output);
    const used = async () => {
      const { data } = (await admin(ready.workspace_id, 'key', 'list')) as {
        data: { created_at: string; last_used_at: string | null }[];
      };
      return data.filter(({ last_used_at: at }) => at !== null);
    };
    await waitUntil('the use of four keys', async () => (await used()).length >= 4);
    const { created_at: createdAt } = await admin(ready.workspace_id, 'workspace', 'show');
    // The usage begins at the start of the 14th day, with today.
    const firstUseMs = Date.now() - (Date.now() % dayMs) - 13 * dayMs;
    for (const key of await used()) {
      expect(Date.parse(key.created_at)).toBeLessThan(firstUseMs);
      expect(Date.parse(key.created_at)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    }
    // The time of keys was put back before the corpus workspace was created.
    const { corpusKey } = JSON.parse(readFileSync(join(localDir, 'state.json'), 'utf8'));
    const corpus = await admin(corpusKey.workspaceId, 'workspace', 'show');
    expect(Date.parse(corpus.created_at)).toBeGreaterThan(firstUseMs);
  });

  it('npm start has a watchlist with the events of three weeks, by time, and none of them is older than the watchlist', async () => {
    const { data } = (await (await api('/v1/watchlists')).json()) as {
      data: { created_at: string; store_count: number; rescan_interval_days: number }[];
    };
    expect(data).toMatchObject([{ rescan_interval_days: 7 }]);
    expect(data[0]?.store_count).toBeGreaterThanOrEqual(10);
    const events = await signalEvents();
    const times = events.map(({ created_at: at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times.at(-1)).toBeGreaterThan(Date.parse(data[0]?.created_at ?? ''));
    expect(new Set(times.map((at) => Math.floor(at / (7 * dayMs)))).size).toBeGreaterThanOrEqual(3);
    expect((times[0] ?? 0) - (times.at(-1) ?? 0)).toBeGreaterThan(14 * dayMs);
    // The signals of today may come by the fan-out, after their confirmation.
    const past = events.filter(({ created_at: at }) => Date.parse(at) < Date.now() - dayMs);
    expect(past.map(({ created_at: at }) => at)).toEqual(past.map(({ data: signal }) => signal.confirmed_at));
  });

  it('npm start has an admin and a member of the demo workspace, who sign in to the dashboard', async () => {
    for (const role of ['admin', 'member'] as const) {
      const { email, password } = ready.dashboard[role];
      expect(printed).toContain(`${email}  password: ${password}`);
      const { status, location } = await signIn({ email, password });
      expect([role, status, location]).toEqual([role, 302, '/workspaces']);
    }
    expect((await signIn({ ...ready.dashboard.admin, password: 'another password' })).status).toBe(401);
  });

  it('npm start has demo stores with a past that shows every type of signal and every install state', async () => {
    const response = await api('/v1/stores/enrich', { body: { domains: ready.demo_domains } });
    const { results } = (await response.json()) as { results: { store: StoreBody }[] };
    const shown = results.map(({ store }) => store);
    const signals = shown.flatMap(({ recent_signals: recent }) => recent);
    expect(new Set(signals.map(({ type }) => type))).toEqual(
      new Set([
        'technology_added',
        'technology_removed',
        'install_state_changed',
        'platform_changed',
        'status_changed',
      ]),
    );
    const installStates = shown.flatMap(({ technologies }) => technologies.map((each) => each.install_state));
    expect(new Set(installStates)).toEqual(new Set(['active', 'configured', 'inactive']));
    expect(signals).toContainEqual(
      expect.objectContaining({ type: 'install_state_changed', from: 'configured', to: 'active' }),
    );
    // What one scan cannot prove took effect at the first of two and was confirmed at the second.
    for (const { type, effective_at, confirmed_at } of signals.filter(({ type }) => type === 'technology_removed')) {
      expect([type, Date.parse(effective_at) < Date.parse(confirmed_at)]).toEqual([type, true]);
    }
  });

  it('npm start says how many demo stores the corpus holds, and of every other one why it is not there', async () => {
    const { stores } = (await (await fetch(`${ready.demo_stores.url}/__control`)).json()) as { stores: unknown[] };
    await waitUntil('the welcome', () => printed.includes('Stop: Ctrl-C'));
    expect(printed).toContain(`\n${ready.demo_domains.length} of ${stores.length} demo stores are in the corpus.\n`);
    expect(printed).toContain('demo-0001.example to demo-2000.example are generated');
    const unseen = /(\d+) were never scanned, for you to request: (.*)/.exec(printed);
    expect(unseen?.[2]?.split(', ')).toHaveLength(Number(unseen?.[1]));
    const failed = [...printed.matchAll(/^ {2}(\S+) is not in it: (.*)$/gm)].map(([, domain, reason]) => [
      domain,
      reason,
    ]);
    expect(failed).toEqual([
      ['gone-fishing-lures.example', 'The store did not accept a connection.'],
      ['private-cellar.example', "The store's robots.txt does not allow the visit."],
    ]);
    expect(ready.demo_domains.length + Number(unseen?.[1]) + failed.length).toBe(stores.length);
  });

  it('npm start has generated stores, of which each facet shows several values, also of removals and moves', async () => {
    type Count = { total: { value: number }; facets: { field: string; values: unknown[] }[] };
    const count = async (where: object, facets: string[]): Promise<Count> =>
      (await api('/v1/stores/count', { body: { where, facets } })).json() as Promise<Count>;
    const any = ['active_storefront', 'password_protected', 'closed', 'redirected'];
    const generated = { status: { any } };
    // The next edition is due after 15 minutes if the present one has nine tenths of the stores.
    await waitUntil('an edition that has them', async () => (await count(generated, [])).total?.value >= 1_800);
    const analytics = { ...generated, technologies: [{ any: ['google-analytics'] }] };
    const ofAll = 'platform country industry status technology category first_observed_month'.split(' ');
    const apps = ['lucky-orange', 'omnisend', 'tidio', 'privy', 'stamped'];
    const counts = [
      await count(analytics, ofAll),
      await count({ dropped: [{ any: apps }] }, ['dropped_month']),
      await count({ moved: { from_platform: ['magento'] } }, ['platform']),
    ];
    for (const { field, values } of counts.flatMap(({ facets }) => facets)) {
      expect([field, values.length > 1]).toEqual([field, true]);
    }
    expect(counts.map(({ total }) => total.value >= 20)).toEqual([true, true, true]);
  });

  it('npm start says of a generated store that it is generated, in the API, on the public page and in the dashboard', async () => {
    const path = '/stores/demo-0001.example';
    const { store } = (await (await api(`/v1${path}`)).json()) as {
      store: { name: string; observation: { coverage_note: string } };
    };
    expect(store.name).toBe('Generated store 0001');
    expect(store.observation.coverage_note).toContain('This store is generated for the demo');
    const visitor = createVisitor(ready.dashboard.base_url);
    expect(await (await visitor.get(path)).text()).toContain('Generated store 0001');
    await visitor.submit('/sign-in', ready.dashboard.member);
    const form = { domain: 'demo-0001.example', token: 'a-token-of-a-form' };
    const lookup = await visitor.submit(`/workspaces/${ready.workspace_id}/stores`, form);
    const page = await (await visitor.get(lookup.headers.get('location') ?? '')).text();
    expect(page).toContain('This store is generated for the demo');
  });

  it('npm start greets with lines that work when pasted: a store, a history, a search, and the scan of a new store with its look-up', async () => {
    const lines = await offered();
    expect(lines).toHaveLength(5);
    expect(await paste(lines[0])).toContain('"match":"matched"');
    const history: { data: StoreBody['recent_signals'] } = JSON.parse(await paste(lines[1]));
    const times = history.data.map(({ effective_at: at }) => Date.parse(at));
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...times) - Math.min(...times), 'weeks of history').toBeGreaterThan(4 * 7 * dayMs);
    const search: { data: { type: string; domain: string }[] } = JSON.parse(await paste(lines[2]));
    expect(search.data).toHaveLength(5);
    expect(new Set(search.data.map(({ domain }) => domain)).size).toBeGreaterThan(1);
    expect(await paste(lines[3])).toContain('"scan_requested":true');
    await waitUntil('the scan', async () => (await paste(lines[4])).includes('"match":"matched"'));
  });

  it('npm start scans a store of the file in SHOPSCOPE_SCAN_HOSTS, beside the demo stores', async () => {
    const body = { domains: ['own.example'], refresh: true };
    expect((await api('/v1/stores/enrich', { body })).status).toBe(200);
    await waitUntil('the scan', async () => (await api('/v1/stores/own.example')).status === 200);
    expect(await (await api('/v1/stores/own.example')).json()).toMatchObject({ store: { name: 'A store of my own' } });
  });

  it('npm start restarts what has ended, and keeps ready.json current', async () => {
    const before = readReady();
    const killed = [before.services.gateway?.[0]?.pid, before.stack.redis.nodes[0]?.pid] as number[];
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    const pidsNow = () => [readReady().services.gateway?.[0]?.pid, readReady().stack.redis.nodes[0]?.pid] as number[];
    await waitUntil('new pids', () => pidsNow().every((pid) => !killed.includes(pid)));
    await waitUntil('an answer', async () => (await api('/v1/account').catch(() => undefined))?.status === 200);
    expect(pidsNow().every(isAlive)).toBe(true);
    expect(printed).toMatch(/^gateway was ended by SIGKILL; starting it again in 0\.5 s$/m);
    expect(printed).toMatch(/^redis was ended by SIGKILL; starting it again in 0\.5 s$/m);
  }, 60_000);

  it('npm start runs once per local directory, and is not reset while it runs', async () => {
    const [second, reset] = await Promise.all([runToEnd('start'), runToEnd('reset')]);
    expect(second.code).toBe(1);
    expect(second.output).toMatch(/^Shopscope is already running from .* \(pid \d+\); stop it with Ctrl-C/m);
    expect(reset).toMatchObject({ code: 1, output: expect.stringMatching(/^Shopscope is running \(pid \d+\)/) });
  });

  it('npm start leaves no process and no ready.json on Ctrl-C, and keeps data and keys for the next start', {
    ...nightly,
    timeout: startTimeoutMs,
  }, async () => {
    const first = readReady();
    const events = await signalEvents();
    expect(await stop()).toBe(0);
    expect(pidsOf(first).filter(isAlive)).toEqual([]);
    expect(existsSync(readyFile)).toBe(false);

    await start('--replicas', 'gateway=2,metering=2,dashboard=2');
    expect(ready.keys).toEqual(first.keys);
    expect(ready.dashboard).toEqual(first.dashboard);
    expect(await signalEvents()).toEqual(events);
    expect(printed).not.toContain('generated stores …');
    // The store that the first greeting offered for a scan has come to them.
    const requested = ready.demo_domains.filter((domain) => !first.demo_domains.includes(domain));
    expect(requested).toHaveLength(1);
    expect(ready.demo_domains).toEqual([...first.demo_domains, ...requested].sort());
    const lines = await offered();
    expect(lines.join()).not.toContain(requested[0]);
    expect(await paste(lines[0])).toContain('"match":"matched"');
    expect(await paste(lines[3])).toContain('"scan_requested":true');
    await expectNoReversal();
    const instances = ['gateway', 'metering', 'dashboard'].map((name) => ready.services[name]?.length);
    expect(instances).toEqual([2, 2, 2]);
    expect((await signIn(ready.dashboard.admin)).status).toBe(302);
    for (const { url } of ready.services.gateway ?? []) {
      const response = await fetch(`${url}/v1/stores/${ready.demo_domains[0]}`, {
        headers: { authorization: `Bearer ${ready.keys.full}` },
      });
      expect(response.status).toBe(200);
    }
  });

  // The last requests, because the scanner is suspended from here on, and the queue has domains that nobody may scan.
  it(
    'the API of npm start answers generated requests and documents as openapi.json and the GraphQL schema say',
    async () => {
      checked = suspendScanner(JSON.parse(readFileSync(readyFile, 'utf8')));
      const settings = readApiCheckSettings(env, ['--short']);
      expect(await checkApi(checked, { ...settings, stateDir: localDir })).toEqual([]);
    },
    checkTimeoutMs,
  );

  it('npm start leaves no process, and forgets everything on reset', async () => {
    const last = readReady();
    expect(await stop()).toBe(0);
    expect(pidsOf(last).filter(isAlive)).toEqual([]);
    expect((await runToEnd('reset')).code).toBe(0);
    expect(['data', 'state.json', 'logs'].filter((name) => existsSync(join(localDir, name)))).toEqual([]);
  });
});
