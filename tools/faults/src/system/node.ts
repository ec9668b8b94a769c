import type { Member } from '@shopscope/local';
import { poll } from '../wait.ts';

/** A process of the system under a name such as `metering-2` or `mongodb`, to do harm to. It is started again when it ends. */
export interface Node {
  readonly name: string;
  readonly pid: number;
  /** Resolves once another process has taken the place of `pid` and works, with when that one was started and worked. */
  untilReplaced(pid: number): Promise<Replaced>;
  kill(): void;
  /** Stands still, as under a debugger, in a paused container or on a starved machine. */
  stop(): void;
  continue(): void;
  /** Asks it to end; resolves with how it did. */
  terminate(): Promise<string>;
}

export interface Replaced {
  startedMs: number;
  workingMs: number;
}

const replaceTimeoutMs = 120_000;

export function createNode(name: string, member: Member, isWorking: (pid: number) => boolean): Node {
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
        const isBack = seen.pid !== pid && isWorking(seen.pid);
        return isBack ? { startedMs: seen.startedMs, workingMs: nowMs } : undefined;
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
