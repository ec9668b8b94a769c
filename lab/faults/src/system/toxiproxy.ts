import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, freePort, LocalStackError, startChild } from '@shopscope/local-stack';
import { poll } from '../wait.ts';

/**
 * Toxiproxy forwards the connections between two processes, and can cut, freeze, slow or reset them. Go downloads it from the Go module proxy
 * and verifies it with Go's checksum database. It is kept in the cache folder with the other downloaded programs.
 */
const module = 'github.com/Shopify/toxiproxy/v2/cmd/server';
const version = 'v2.12.0';
const installTimeoutMs = 300_000;

export type Toxiproxy = Awaited<ReturnType<typeof startToxiproxy>>;
export type Link = ReturnType<typeof linkOf>;

export async function startToxiproxy(options: { stateDir: string; cacheDir: string }) {
  const command = await program(options.cacheDir);
  const port = await freePort();
  const child: Child = startChild({
    name: 'toxiproxy',
    command,
    args: ['-host', '127.0.0.1', '-port', String(port)],
    stateDir: options.stateDir,
  });
  const api = async (method: string, path: string, body?: unknown): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw new Error(`toxiproxy ${method} ${path}: ${response.status} ${await response.text()}`);
  };
  const isUp = await poll(() => api('GET', '/version').then(() => true), { timeoutMs: 10_000 });
  if (!isUp) throw new LocalStackError('toxiproxy did not respond within 10 s');
  return {
    async link(name: string, linkPort: number, upstreamPort: number): Promise<Link> {
      const proxy = { name, listen: `127.0.0.1:${linkPort}`, upstream: `127.0.0.1:${upstreamPort}` };
      await api('POST', '/proxies', { ...proxy, enabled: true });
      return linkOf(name, linkPort, api);
    },
    stop: () => child.stop(),
  };
}

type Api = (method: string, path: string, body?: unknown) => Promise<void>;

/** Creates a link: a named connection between two processes. Requests of the caller go `up`, and responses go `down`. */
function linkOf(name: string, port: number, api: Api) {
  const path = `/proxies/${encodeURIComponent(name)}`;
  const toxics = new Set<string>();
  const add = async (type: string, stream: 'upstream' | 'downstream', attributes: Record<string, number>) => {
    const toxic = `${type}-${stream}`;
    await api('POST', `${path}/toxics`, { name: toxic, type, stream, attributes });
    toxics.add(toxic);
  };
  return {
    name,
    port,
    /** Closes every connection and refuses new ones, until `heal` is called. */
    cut: () => api('POST', path, { enabled: false }),
    /** Drops all traffic while connections stay open, until `heal` is called. */
    async freeze(direction: 'up' | 'down' | 'both' = 'both'): Promise<void> {
      if (direction !== 'down') await add('timeout', 'upstream', { timeout: 0 });
      if (direction !== 'up') await add('timeout', 'downstream', { timeout: 0 });
    },
    /** Delays all traffic by `latency` ms. */
    slow: (direction: 'up' | 'down', latency: number) =>
      add('latency', direction === 'up' ? 'upstream' : 'downstream', { latency }),
    /** Resets each connection `timeout` ms after its traffic has begun, until `heal` is called. */
    reset: (timeout: number) => add('reset_peer', 'downstream', { timeout }),
    async heal(): Promise<void> {
      for (const toxic of [...toxics]) {
        await api('DELETE', `${path}/toxics/${toxic}`);
        toxics.delete(toxic);
      }
      await api('POST', path, { enabled: true });
    },
  };
}

async function program(cacheDir: string): Promise<string> {
  const path = join(cacheDir, `toxiproxy-${version}`);
  if (existsSync(path)) return path;
  const bin = join(cacheDir, `part-toxiproxy-${process.pid}`);
  mkdirSync(bin, { recursive: true });
  const { code, output } = await goInstall(bin);
  if (code !== 0) {
    throw new LocalStackError(`toxiproxy is fetched with Go (https://go.dev/doc/install), which failed: ${output}`);
  }
  renameSync(join(bin, 'server'), path);
  return path;
}

function goInstall(bin: string): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn('go', ['install', `${module}@${version}`], {
      env: { ...process.env, GOBIN: bin },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: installTimeoutMs,
    });
    let output = '';
    child.stderr.on('data', (chunk) => (output = (output + chunk).slice(-500)));
    child.once('error', ({ message }) => done({ code: 1, output: message }));
    child.once('exit', (code) => done({ code, output: output.trim() }));
  });
}
