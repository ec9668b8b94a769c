import type { Member } from '@shopscope/local';
import { poll } from '../wait.ts';

export type Node = ReturnType<typeof createNode>;

export interface Replaced {
  startedMs: number;
  readyMs: number;
}

const replaceTimeoutMs = 120_000;

/** Creates the handle of a process that faults can target, for example `metering-2` or `mongodb`. The process is restarted when it ends. */
export function createNode(name: string, member: Member, isReady: (pid: number) => boolean) {
  const pidNow = () => {
    if (member.pid === null) throw new Error(`${name} does not run`);
    return member.pid;
  };
  const signal = (signal: NodeJS.Signals) => void process.kill(pidNow(), signal);
  return {
    name,
    get pid(): number {
      return pidNow();
    },
    /** Resolves when another process has replaced the one with `pid` and is ready, to the instants of its start and of its readiness. */
    async untilReplaced(pid: number): Promise<Replaced> {
      let seen = { pid, startedMs: 0 };
      const back = async (): Promise<Replaced | undefined> => {
        const nowMs = performance.now();
        const now = member.pid;
        if (now !== null && now !== seen.pid) seen = { pid: now, startedMs: nowMs };
        const isBack = seen.pid !== pid && isReady(seen.pid);
        return isBack ? { startedMs: seen.startedMs, readyMs: nowMs } : undefined;
      };
      const replaced = await poll(back, { timeoutMs: replaceTimeoutMs, everyMs: 20 });
      if (!replaced) throw new Error(`${name} did not come back within ${replaceTimeoutMs / 1_000} s`);
      return replaced;
    },
    kill: () => signal('SIGKILL'),
    /** Suspends the process, as a debugger or a paused container does. */
    stop: () => signal('SIGSTOP'),
    continue: () => signal('SIGCONT'),
    /** Sends SIGTERM. Resolves to a text that says how the process has exited. */
    async terminate(): Promise<string> {
      const ended = member.exited();
      signal('SIGTERM');
      return ended;
    },
  };
}
