import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isPortFree } from '@shopscope/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** `npm start` as a person meets it: the real command, real processes, killed, stopped and started again. */
const root = resolve(import.meta.dirname, '../../..');
const localDir = mkdtempSync(join(tmpdir(), 'npm-start-'));
const readyFile = join(localDir, 'ready.json');
const startTimeoutMs = 240_000;

interface Ready {
  api: { base_url: string };
  keys: { full: string; read_only: string };
  workspace_id: string;
  demo_domains: string[];
  services: Record<string, { pid: number; url: string | null; admin_url: string }[]>;
  stack: {
    mongodb: { url: string; pid: number | null };
    kafka: { brokers: string; pid: number | null };
    redis: { url: string; pid: number | null };
  };
}
const readReady = (): Ready => JSON.parse(readFileSync(readyFile, 'utf8'));
const pidsOf = ({ services, stack }: Ready) => [
  ...Object.values(services).flatMap((instances) => instances.map(({ pid }) => pid)),
  ...Object.values(stack).flatMap(({ pid }) => (pid === null ? [] : [pid])),
];
const isAlive = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

async function until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`not in ${timeoutMs} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

describe('npm start', () => {
  const { SHOPSCOPE_MONGODB_URL: _, SHOPSCOPE_KAFKA_BROKERS: __, SHOPSCOPE_REDIS_URL: ___, ...rest } = process.env;
  const env: NodeJS.ProcessEnv = { ...rest, SHOPSCOPE_LOCAL_DIR: localDir };
  env.SHOPSCOPE_CACHE_DIR = resolve(root, process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
  let running: ChildProcess | undefined;
  let printed = '';
  let ready: Ready;

  const command = (...args: string[]) => ['deploy/local/bootstrap.mjs', ...args];
  const start = async (...args: string[]) => {
    printed = '';
    const child = spawn(process.execPath, command('start', ...args), { cwd: root, env });
    running = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    await until('ready.json', () => existsSync(readyFile) || child.exitCode !== null, startTimeoutMs);
    if (!existsSync(readyFile)) throw new Error(`npm start ended:\n${printed}`);
    ready = readReady();
  };
  const stop = async () => {
    const child = running;
    if (!child || child.exitCode !== null) return child?.exitCode;
    child.kill('SIGINT');
    return new Promise<number | null>((done) => child.once('exit', done));
  };
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

  beforeAll(async () => {
    let base = 0;
    do base = 20_000 + 300 * Math.floor(Math.random() * 30);
    while (!(await isPortFree(base)) || !(await isPortFree(base + 20)));
    env.SHOPSCOPE_PORT_BASE = String(base);
    await start();
  }, startTimeoutMs);
  afterAll(async () => {
    await stop();
    rmSync(localDir, { recursive: true, force: true });
  }, 60_000);

  it('tells other programs where everything is', () => {
    const process = { pid: expect.any(Number), admin_url: expect.stringMatching(/^http:/) };
    const grpc = [{ ...process, url: expect.stringMatching(/^grpc:/) }];
    expect(ready).toEqual({
      api: { base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
      keys: { full: expect.stringMatching(/^svc_live_/), read_only: expect.stringMatching(/^svc_live_/) },
      workspace_id: expect.stringMatching(/^ws_/),
      demo_domains: expect.any(Array),
      services: {
        keys: grpc,
        profiles: grpc,
        metering: grpc,
        'scan-scheduler': grpc,
        scanner: [{ ...process, url: null }],
        gateway: [{ ...process, url: ready.api.base_url }],
      },
      demo_stores: { pid: expect.any(Number), url: expect.stringMatching(/^http:/) },
      stack: {
        mongodb: { url: expect.stringMatching(/^mongodb:/), pid: expect.any(Number) },
        kafka: { brokers: expect.any(String), pid: expect.any(Number) },
        redis: { url: expect.stringMatching(/^redis:/), pid: expect.any(Number) },
      },
    });
    expect(pidsOf(ready).every(isAlive)).toBe(true);
  });

  it('fills the corpus by scanning: two dozen stores and more, on eight platforms and more', async () => {
    const response = await api('/v1/stores/enrich', { body: { domains: ready.demo_domains } });
    const { results } = (await response.json()) as {
      results: { match: string; store: { platform: { slug: string } } }[];
    };
    expect(results.filter(({ match }) => match === 'matched').length).toBeGreaterThanOrEqual(24);
    expect(new Set(results.map(({ store }) => store.platform.slug)).size).toBeGreaterThanOrEqual(8);
  });

  it('gives the demo workspace plan scale, and a key that may only read', async () => {
    const account = (await (await api('/v1/account')).json()) as { plan: { slug: string }; workspace: { id: string } };
    expect([account.plan.slug, account.workspace.id]).toEqual(['scale', ready.workspace_id]);
    const refresh = { domains: ready.demo_domains.slice(0, 1), refresh: true };
    expect((await api('/v1/stores/enrich', { key: ready.keys.read_only, body: refresh })).status).toBe(403);
  });

  it('greets with three lines that work when pasted: a store, a scan of one never seen, and that one', async () => {
    await until('the welcome', () => printed.includes('Stop: Ctrl-C'), 5_000);
    const lines = printed.split('\n').filter((line) => line.startsWith('  curl '));
    expect(lines).toHaveLength(3);
    const paste = (line = ''): Promise<string> =>
      new Promise((done) => execFile('sh', ['-c', line], (_error, stdout) => done(stdout)));
    expect(await paste(lines[0])).toContain('"match":"matched"');
    expect(await paste(lines[1])).toContain('"scan_requested":true');
    await until('the scan', async () => (await paste(lines[2])).includes('"match":"matched"'), 20_000);
  });

  it('starts what dies again and keeps ready.json current', async () => {
    const before = readReady();
    const killed = [before.services.gateway?.[0]?.pid, before.stack.redis.pid] as number[];
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    const pidsNow = () => [readReady().services.gateway?.[0]?.pid, readReady().stack.redis.pid] as number[];
    await until('new pids', () => pidsNow().every((pid) => !killed.includes(pid)), 30_000);
    await until('an answer', async () => (await api('/v1/account').catch(() => undefined))?.status === 200, 20_000);
    expect(pidsNow().every(isAlive)).toBe(true);
    expect(printed).toMatch(/^gateway was ended by SIGKILL; starting it again in 0\.5 s$/m);
    expect(printed).toMatch(/^redis was ended by SIGKILL; starting it again in 0\.5 s$/m);
  }, 60_000);

  it('runs once per local directory, and is not reset while it runs', async () => {
    const second = await runToEnd('start');
    expect(second.code).toBe(1);
    expect(second.output).toMatch(/^Shopscope is already running from .* \(pid \d+\); stop it with Ctrl-C/m);
    const reset = await runToEnd('reset');
    expect(reset).toMatchObject({ code: 1, output: expect.stringMatching(/^Shopscope is running \(pid \d+\)/) });
  });

  it(
    'leaves no process and no ready.json on Ctrl-C, and keeps data and keys for the next start',
    async () => {
      const first = readReady();
      expect(await stop()).toBe(0);
      expect(pidsOf(first).filter(isAlive)).toEqual([]);
      expect(existsSync(readyFile)).toBe(false);

      await start('--replicas', 'gateway=2,metering=2');
      expect(ready.keys).toEqual(first.keys);
      expect(ready.demo_domains).toEqual(first.demo_domains);
      expect([ready.services.gateway?.length, ready.services.metering?.length]).toEqual([2, 2]);
      for (const { url } of ready.services.gateway ?? []) {
        const response = await fetch(`${url}/v1/stores/${ready.demo_domains[0]}`, {
          headers: { authorization: `Bearer ${ready.keys.full}` },
        });
        expect(response.status).toBe(200);
      }
      expect(await stop()).toBe(0);
      expect(pidsOf(ready).filter(isAlive)).toEqual([]);
    },
    startTimeoutMs,
  );

  it('forgets everything on reset', async () => {
    expect((await runToEnd('reset')).code).toBe(0);
    expect(['data', 'state.json', 'logs'].filter((name) => existsSync(join(localDir, name)))).toEqual([]);
  });
});
