import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, removeDockerVolumes, type Stack, startStack } from '@shopscope/local-stack';
import { type ComposeFile, type ComposeService, environmentOf } from './compose.ts';
import { listeningPorts } from './listening-ports.ts';
import { commandOf } from './probe.ts';
import type { Image } from './replay.ts';

export interface SystemOptions {
  root: string;
  compose: ComposeFile;
  images: ReadonlyMap<string, Image>;
  say(line: string): void;
  abort: AbortSignal;
}

const healthyTimeoutMs = 60_000;
const oneShotTimeoutMs = 120_000;
/** Containers that run once per `up`, in order. */
const oneShots = ['setup', 'demo-corpus'];
const stopTimeoutMs = 35_000;

/**
 * Runs the containers of compose.yaml as processes on loopback, from the folders of the images.
 *
 * - Entry points, environments, start order and health checks are those of compose.yaml. Data servers are real.
 * - Container names in the environment become loopback addresses.
 * - It fails unless the containers that run once succeed, the key of setup works and each service stops on SIGTERM.
 */
export async function runSystem(options: SystemOptions): Promise<void> {
  const { compose, say, abort } = options;
  const folder = mkdtempSync(join(tmpdir(), 'images-system-'));
  const cacheDir = resolve(options.root, process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
  const children = new Map<string, ChildProcess>();
  let stack: Stack | undefined;
  try {
    const env = { SHOPSCOPE_STACK: process.env.SHOPSCOPE_STACK };
    stack = await startStack({ stateDir: folder, cacheDir, env, report: say, abort, isTemporary: true });
    const names = longRunning(compose);
    const addresses = await addressesOf(names, compose, stack);
    const environments = new Map(
      [...names, ...oneShots].map((name) => [name, onLoopback(name, compose, addresses, join(folder, 'scan-hosts'))]),
    );
    const run = { ...options, children, environments };
    await Promise.all(names.map((name) => startHealthy(name, run)));
    say(`${names.length} services are healthy`);
    const printed = await runOneShots(run);
    await useKey(printed, addresses.get('gateway:8080') ?? '');
    for (const name of names) await stopByTerm(name, run);
    say('each service stopped on SIGTERM with exit code 0');
  } finally {
    for (const child of children.values()) if (child.exitCode === null) child.kill('SIGKILL');
    await stack?.stop();
    await removeDockerVolumes(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Built services that keep running with the default corpus. */
const longRunning = ({ services }: ComposeFile): string[] =>
  Object.keys(services).filter((name) => services[name]?.build && services[name].healthcheck);

/** `name:port` of the Compose network → its loopback address. */
async function addressesOf(names: string[], compose: ComposeFile, stack: Stack): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  const own = (url: string) => `127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(url)?.[1]}`;
  addresses.set('mongodb:27017', own(stack.mongodb.url));
  addresses.set('kafka:9092', own(stack.kafka.url));
  addresses.set('redis:6379', own(stack.redis.url));
  for (const name of names) {
    for (const port of Object.values(listeningPorts(name, environmentOf(compose.services[name] as ComposeService)))) {
      addresses.set(`${name}:${port}`, `127.0.0.1:${await freePort()}`);
    }
  }
  return addresses;
}

function onLoopback(
  name: string,
  compose: ComposeFile,
  addresses: ReadonlyMap<string, string>,
  testHosts: string,
): Record<string, string> {
  const service = compose.services[name] as ComposeService;
  const env = environmentOf(service);
  for (const [variable, value] of Object.entries(env)) {
    env[variable] = Object.hasOwn(compose.services, value)
      ? '127.0.0.1'
      : value
          .replace(/([a-z][a-z-]*):(\d+)/g, (target) => addresses.get(target) ?? target)
          .replace(/^\/scan-hosts\//, `${testHosts}/`);
  }
  if (oneShots.includes(name)) return env;
  for (const [variable, port] of Object.entries(listeningPorts(name, environmentOf(service)))) {
    env[variable] = addresses.get(`${name}:${port}`)?.split(':')[1] ?? '';
  }
  return { ...env, HOST: '127.0.0.1' };
}

interface Run extends SystemOptions {
  children: Map<string, ChildProcess>;
  environments: ReadonlyMap<string, Record<string, string>>;
}

function start(name: string, { compose, images, environments, children }: Run) {
  const service = compose.services[name] as ComposeService;
  const image = images.get(service.build?.args.PACKAGE ?? '');
  if (!image) throw new Error(`${name} has no image`);
  const { program, args, cwd, env } = commandOf(image, service.entrypoint ?? image.entrypoint);
  const child = spawn(program, [...args, ...(service.command ?? [])], {
    cwd,
    env: { ...env, ...environments.get(name) },
  });
  children.set(name, child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  return { child, output: () => output };
}

/** Resolves when the health check of compose.yaml succeeds. */
async function startHealthy(name: string, run: Run): Promise<void> {
  const { child, output } = start(name, run);
  const [kind, program, ...args] = run.compose.services[name]?.healthcheck?.test ?? [];
  if (kind !== 'CMD' || program !== 'node') throw new Error(`the health check of ${name} is not CMD node`);
  const env = run.environments.get(name) ?? {};
  const endMs = performance.now() + healthyTimeoutMs;
  while (!(await succeeds(args, env))) {
    run.abort.throwIfAborted();
    if (child.exitCode !== null) throw new Error(`${name} exited with code ${child.exitCode}:\n${output()}`);
    if (performance.now() > endMs) throw new Error(`${name} is not healthy after ${healthyTimeoutMs} ms:\n${output()}`);
    await delay(500);
  }
}

const succeeds = (args: string[], env: Record<string, string>): Promise<boolean> =>
  new Promise((done) => execFile(process.execPath, args, { env, timeout: 5_000 }, (error) => done(error === null)));

/** Runs all containers that run once, and then all of them again like a second `up`. Resolves to the first output of setup. */
async function runOneShots(run: Run): Promise<string> {
  const once = async (name: string) => {
    const { child, output } = start(name, run);
    const code = await exitOf(child, oneShotTimeoutMs);
    if (code !== 0) throw new Error(`${name} exited with code ${code}:\n${output()}`);
    return output();
  };
  const [printed, filled] = [await once('setup'), await once('demo-corpus')];
  run.say(`${printed}${filled}`.replace(/svc_live_\w+/g, 'svc_live_…').trim());
  if (/svc_live_\w{40}/.test(await once('setup'))) throw new Error('a second setup created another key');
  const again = await once('demo-corpus');
  if (/Scanning/.test(again)) throw new Error('a second demo-corpus scanned again');
  return printed;
}

async function useKey(printed: string, gateway: string): Promise<void> {
  const [secret] = /svc_live_\w{40}/.exec(printed) ?? [];
  if (!secret) throw new Error('the setup printed no key');
  for (const path of ['/v1/account', '/v1/stores/northwind-tea.example']) {
    const { status } = await fetch(`http://${gateway}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    if (status !== 200) throw new Error(`${path} responded with ${status}`);
  }
}

async function stopByTerm(name: string, { children }: Run): Promise<void> {
  const child = children.get(name) as ChildProcess;
  child.kill('SIGTERM');
  const code = await exitOf(child, stopTimeoutMs);
  if (code !== 0) throw new Error(`${name} ended with ${code ?? 'a signal'} after SIGTERM`);
}

/** The exit code of a child, which is killed after a time. */
async function exitOf(child: ChildProcess, timeoutMs: number): Promise<number | null> {
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
  clearTimeout(timer);
  return child.exitCode;
}
