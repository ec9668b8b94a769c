import { setTimeout as delay } from 'node:timers/promises';
import type { StackNode } from '@shopscope/local-stack';

/**
 * Keeps a set of processes running.
 *
 * - A member ends by itself -> it is restarted after a pause, with one line of output. The pause doubles from 0.5 s to
 *   15 s, and starts again at 0.5 s after a minute without an end.
 * - Stop -> members are stopped from the last to the first, and no process is left.
 */
export interface Member {
  name: string;
  readonly pid: number | null;
  /** Resolves when the process is ready. Called again after each end. */
  start(): Promise<void>;
  /** Resolves with a description when the process ends. */
  exited(): Promise<string>;
  stop(): Promise<void>;
}

export type Supervisor = ReturnType<typeof createSupervisor>;

export interface SupervisorOptions {
  report(line: string): void;
  onChange(): void;
  /** Tests inject the time. */
  sleep?(ms: number): Promise<unknown>;
  nowMs?(): number;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;
const healthyMs = 60_000;

export function createSupervisor(options: SupervisorOptions) {
  const { report, onChange, sleep = delay, nowMs = () => performance.now() } = options;
  const members: Member[] = [];
  const starts = new Map<Member, Promise<void>>();
  let stopping = false;

  const start = (member: Member): Promise<void> => {
    if (stopping) return Promise.reject(new Error('the supervisor was stopped'));
    const started = member.start().finally(() => starts.delete(member));
    starts.set(member, started);
    return started;
  };

  const watch = async (member: Member) => {
    let pauseMs = firstPauseMs;
    while (!stopping) {
      const sinceMs = nowMs();
      const how = await member.exited();
      if (stopping) return;
      if (nowMs() - sinceMs > healthyMs) pauseMs = firstPauseMs;
      report(`${member.name} ${how}; starting it again in ${pauseMs / 1_000} s`);
      await sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      if (stopping) return;
      try {
        await start(member);
        report(`${member.name} is back (pid ${member.pid})`);
        onChange();
      } catch (error) {
        if (stopping) return;
        report(`${member.name} could not be started again: ${(error as Error).message}`);
      }
    }
  };

  return {
    /** Starts members together and supervises them. Rejects when one cannot be started, and after a stop. */
    async add(added: readonly Member[]): Promise<void> {
      members.push(...added);
      const started = await Promise.allSettled(added.map(start));
      const failed = started.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      for (const member of added) void watch(member);
    },
    /** Also ends members whose start is in progress. */
    async stop(): Promise<void> {
      stopping = true;
      for (const member of members.toReversed()) {
        await member.stop().catch(() => {});
        // A start in progress may have created the process after the stop ended the others.
        const underWay = starts.get(member);
        await underWay?.catch(() => {});
        if (underWay) await member.stop().catch(() => {});
      }
    },
  };
}

/**
 * Wraps a node of a data server as a member of the supervisor. The stack has already started the node, so the first `start` does
 * nothing. Each later `start` restarts the node after it has ended.
 */
export function supervisedNode(node: StackNode): Member {
  let isFirstStart = true;
  return {
    name: node.name,
    get pid() {
      return node.pid;
    },
    async start() {
      if (!isFirstStart) await node.start();
      isFirstStart = false;
    },
    exited: node.exited,
    stop: node.stop,
  };
}
