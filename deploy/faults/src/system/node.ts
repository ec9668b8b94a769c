import type { Member } from '@shopscope/local';
import { poll } from '../wait.ts';

/** A process of the system under a name such as `metering-2` or `mongodb`, to do harm to. It is started again when it ends. */
export interface Node {
  readonly name: string;
  readonly pid: number;
  /** Resolves once another process has taken the place of `pid` and works. */
  untilReplaced(pid: number): Promise<void>;
  kill(): void;
  /** Stands still, as under a debugger, in a paused container or on a starved machine. */
  stop(): void;
  continue(): void;
  /** Asks it to end; resolves with how it did. */
  terminate(): Promise<string>;
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
      const isBack = async () => (member.pid !== null && member.pid !== pid && isWorking(member.pid)) || undefined;
      if (!(await poll(isBack, { timeoutMs: replaceTimeoutMs, everyMs: 20 }))) {
        throw new Error(`${name} did not come back within ${replaceTimeoutMs / 1_000} s`);
      }
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
