import type { Member } from '@shopscope/local';
import { poll } from '../wait.ts';

/** A process of the system that faults can target, for example `metering-2` or `mongodb`. It is restarted when it ends. */
export interface Node {
  readonly name: string;
  readonly pid: number;
  /** Resolves when another process has replaced `pid` and is ready, with the instants of its start and of its readiness. */
  untilReplaced(pid: number): Promise<Replaced>;
  kill(): void;
  /** Suspends the process (SIGSTOP), as a debugger or a paused container does. */
  stop(): void;
  continue(): void;
  /** Sends SIGTERM. Resolves with how the process exited. */
  terminate(): Promise<string>;
}

export interface Replaced {
  startedMs: number;
  readyMs: number;
}

const replaceTimeoutMs = 120_000;

export function createNode(name: string, member: Member, isReady: (pid: number) => boolean): Node {
  const pidNow = () => {
    if (member.pid === null) throw new Error(`${name} does not run`);
    return member.pid;
  };
  return {
    name,
    get pid() {
      return pidNow();
    },
    async untilReplaced(pid) {
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
    kill: () => void process.kill(pidNow(), 'SIGKILL'),
    stop: () => void process.kill(pidNow(), 'SIGSTOP'),
    continue: () => void process.kill(pidNow(), 'SIGCONT'),
    async terminate() {
      const ended = member.exited();
      process.kill(pidNow(), 'SIGTERM');
      return ended;
    },
  };
}
