import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A child process with a log file and a pid file.
 *
 * - Killed parent -> the next start finds and ends the child by its pid file.
 * - Stop -> SIGTERM, then SIGKILL after a grace period.
 */
export interface Child {
  readonly pid: number;
  /** Resolves with a description when the process has ended. */
  readonly exited: Promise<string>;
  stop(graceMs?: number): Promise<void>;
}

export interface ChildOptions {
  name: string;
  command: string;
  args: readonly string[];
  stateDir: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** This process's folder of compiled code. Node adds a folder per version to the one that the variable names. */
const compiled = getCompileCacheDir();

/**
 * The variable of Node's compile cache, if this process has one. A child with an environment of its own needs it too:
 * otherwise each process of a run compiles the same sources, which takes half of its start.
 */
export const compileCache: { NODE_COMPILE_CACHE?: string } = compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {};

const maxLogBytes = 20 * 1024 * 1024;

export function startChild(options: ChildOptions): Child {
  const { name, command, args, stateDir } = options;
  const logPath = join(stateDir, 'logs', `${name}.log`);
  const pidPath = pidFile(stateDir, name);
  mkdirSync(dirname(logPath), { recursive: true });
  mkdirSync(dirname(pidPath), { recursive: true });
  rotate(logPath);
  const log = openSync(logPath, 'a');
  // A separate process group: Ctrl-C reaches only the supervisor, which stops its children in order.
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', log, log],
    detached: true,
    ...(options.env && { env: { ...compileCache, ...options.env } }),
    ...(options.cwd && { cwd: options.cwd }),
  });
  closeSync(log);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`));
  });
  void exited.then(() => rmSync(pidPath, { force: true }));
  if (child.pid) writeFileSync(pidPath, JSON.stringify({ pid: child.pid, command, args }));
  return {
    pid: child.pid ?? -1,
    exited,
    async stop(graceMs = 15_000) {
      if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Ends the process that an earlier parent left behind under this name, if the pid still belongs to it. */
export async function endLeftover(stateDir: string, name: string, graceMs = 15_000): Promise<boolean> {
  const recorded = recordOf(stateDir, name);
  rmSync(pidFile(stateDir, name), { force: true });
  if (!recorded || !isSameProcess(recorded)) return false;
  process.kill(recorded.pid, 'SIGTERM');
  const endMs = performance.now() + graceMs;
  while (isSameProcess(recorded)) {
    if (performance.now() > endMs) process.kill(recorded.pid, 'SIGKILL');
    await delay(50);
  }
  return true;
}

/** Ends all processes that an earlier parent with this state directory left behind. */
export async function endLeftovers(stateDir: string): Promise<void> {
  await Promise.all(recordedNames(stateDir).map((name) => endLeftover(stateDir, name)));
}

/** Sends SIGKILL to every recorded process. For users who do not wait for an orderly stop. */
export function killRecorded(stateDir: string): void {
  for (const name of recordedNames(stateDir)) {
    const recorded = recordOf(stateDir, name);
    rmSync(pidFile(stateDir, name), { force: true });
    if (recorded && isSameProcess(recorded)) process.kill(recorded.pid, 'SIGKILL');
  }
}

function recordedNames(stateDir: string): string[] {
  try {
    const files = readdirSync(join(stateDir, 'pids')).filter((file) => file.endsWith('.json'));
    return files.map((file) => file.slice(0, -'.json'.length));
  } catch {
    return [];
  }
}

interface Recorded {
  pid: number;
  args: string[];
}

function recordOf(stateDir: string, name: string): Recorded | undefined {
  try {
    return JSON.parse(readFileSync(pidFile(stateDir, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Pids are reused, so the command line must match the recorded one. */
function isSameProcess({ pid, args }: Recorded): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return commandLine.length > 1 && args.every((arg) => commandLine.includes(arg));
  } catch {
    return false;
  }
}

function rotate(path: string): void {
  try {
    if (statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`);
  } catch {
    // The log does not exist yet.
  }
}

const pidFile = (stateDir: string, name: string) => join(stateDir, 'pids', `${name}.json`);
