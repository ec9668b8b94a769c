import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalStackError } from '@shopscope/local-stack';

/** Allows one running system per local directory. */
const pathOf = (stateDir: string) => join(stateDir, 'running.pid');

export function runningPid(stateDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(pathOf(stateDir), 'utf8'));
    process.kill(pid, 0);
    const commandLine = process.platform === 'linux' ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : 'start/main';
    return commandLine.includes('start/main') ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function takeLock(stateDir: string): () => void {
  const pid = runningPid(stateDir);
  if (pid)
    throw new LocalStackError(
      `Shopscope is already running from ${stateDir} (pid ${pid}); stop it with Ctrl-C there, or set SHOPSCOPE_LOCAL_DIR and SHOPSCOPE_PORT_BASE for a second one.`,
    );
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(pathOf(stateDir), String(process.pid));
  return () => rmSync(pathOf(stateDir), { force: true });
}
