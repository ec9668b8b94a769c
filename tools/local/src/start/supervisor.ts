import type { Report } from './report.ts';

/**
 * Keeps a set of processes alive. A member that ends by itself is started again after a pause that doubles from half a
 * second to fifteen, and shrinks back once it has lived for a minute; each time is one line for the person at the
 * keyboard. Stopping goes from the last member to the first and leaves nothing behind.
 */
export interface Member {
  name: string;
  readonly pid: number | null;
  /** Resolves when it works; called again after each end. */
  start(): Promise<void>;
  /** Resolves with a description when the running process ends. */
  exited(): Promise<string>;
  stop(): Promise<void>;
}

export interface Supervisor {
  /** Starts these together and watches them from then on. Rejects when one cannot be started, or after a stop. */
  add(members: readonly Member[]): Promise<void>;
  /** Also ends what was being started at this moment. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  report: Report;
  /** After every change of a pid. */
  onChange(): void;
  /** Time, injected by tests. */
  sleep?(ms: number): Promise<void>;
  nowMs?(): number;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;
const healthyMs = 60_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { report, onChange, sleep = pause, nowMs = () => performance.now() } = options;
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
    async add(added) {
      members.push(...added);
      const started = await Promise.allSettled(added.map(start));
      const failed = started.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      for (const member of added) void watch(member);
    },
    async stop() {
      stopping = true;
      for (const member of members.toReversed()) {
        await member.stop().catch(() => {});
        // A start that was under way may have brought the process after the stop looked for it.
        const underWay = starts.get(member);
        await underWay?.catch(() => {});
        if (underWay) await member.stop().catch(() => {});
      }
    },
  };
}
