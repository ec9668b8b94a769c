import { hourMs, minuteMs } from '@shopscope/clock';
import {
  compareTurns,
  emptyQueue,
  lateStart,
  newStart,
  priorities,
  type QueueStarts,
} from '../../src/domain/fair-order.ts';
import { maxAttempts } from '../../src/domain/job.ts';
import { turnValidMs } from '../../src/domain/pacing.ts';
import { backoffMs, type SchedulePolicy } from '../../src/domain/schedule.ts';
import { createIdHeap } from './heap.ts';
import { createLoad, type LoadOptions, type VisitResult } from './load.ts';
import { createMeasures, type Report } from './measures.ts';
import { createTargets, type TargetOptions, type TargetReport } from './targets.ts';

/**
 * Scanning in virtual time. The order of leases and the back-off are the code of the domain layer. Stores, scanners and the
 * database are simulated.
 *
 * - Bound: memory grows with the domains, the workspaces and the scans that wait at the same time.
 */
export interface SimulationOptions extends LoadOptions {
  hours: number;
  /** The number of scans that all scanners together carry out at the same time. */
  slots: number;
  /** Some scanners are missing for some hours, so that workspaces wait for each other. */
  shortage: { fromHour: number; toHour: number; slots: number };
  /** If false, scans are leased in the order of their arrival, for comparison. */
  isFair: boolean;
  /** If absent, visits are not paced by address. */
  pacing?: Omit<TargetOptions, 'domains'>;
}

export interface SimulationResult extends Report {
  requests: number;
  leases: number;
  /** The number of jobs that joined a scan of another workspace. */
  joined: number;
  failedScans: number;
  mostWaiting: number;
  mostVisitsOfDomain: number;
  shortestPauseMs: number;
  targets: TargetReport | null;
}

export const policy: SchedulePolicy = {
  visitIntervalMs: 30_000,
  retryBackoffMs: 2_000,
  interruptionGraceMs: 1_800_000,
};
const windowMs = 10 * minuteMs;

interface SimulatedScan {
  domain: number;
  queue: number;
  priority: number;
  start: number;
  dueAt: number;
  state: 'later' | 'ready' | 'parked' | 'leased';
  /** When the parked scan got its turn. Null if the scan was not parked. */
  unparkedMs: number | null;
  attempts: number;
  /** Jobs that have not been leased yet. Each has two items: its workspace and the time of its request. */
  jobs: number[];
  workspaces: number[];
  endsAtMs: number;
}

export function simulate(options: SimulationOptions): SimulationResult {
  const { domains, workspaces, isFair } = options;
  const load = createLoad(options);
  const measures = createMeasures(workspaces, load.perDay);
  const targets = options.pacing ? createTargets({ ...options.pacing, domains }) : null;
  const queues: QueueStarts[] = Array.from({ length: workspaces }, () => ({ ...emptyQueue }));
  const liveScan = new Int32Array(domains).fill(-1);
  const notBefore = new Uint32Array(domains);
  const lastVisit = new Uint32Array(domains);
  const visits = new Uint16Array(domains);
  const scans: SimulatedScan[] = [];
  const unused: number[] = [];
  const arrivesAtMs = new Float64Array(workspaces);
  const result = {
    requests: 0,
    leases: 0,
    joined: 0,
    failedScans: 0,
    mostWaiting: 0,
    mostVisitsOfDomain: 0,
    shortestPauseMs: Number.POSITIVE_INFINITY,
  };
  let virtualTime = 0;
  let nowMs = 0;

  const scanOf = (id: number) => scans[id] as SimulatedScan;
  const queueOf = (workspace: number) => queues[workspace] as QueueStarts;
  const arrivals = createIdHeap((a, b) => (arrivesAtMs[a] as number) < (arrivesAtMs[b] as number));
  const visiting = createIdHeap((a, b) => scanOf(a).endsAtMs < scanOf(b).endsAtMs);
  const later = createIdHeap((a, b) => scanOf(a).dueAt < scanOf(b).dueAt);
  const ready = createIdHeap((a, b) => compareTurns(scanOf(a), scanOf(b)) < 0);

  const takeStart = (workspace: number): number => {
    if (!isFair) return 0;
    const start = newStart(queueOf(workspace), virtualTime);
    queueOf(workspace).next = start + 1;
    return start;
  };

  const makeReady = (id: number) => {
    const scan = scanOf(id);
    scan.state = 'ready';
    ready.push(id);
    measures.dueChanged(scan.queue, 1, nowMs);
    result.mostWaiting = Math.max(result.mostWaiting, ready.size);
  };

  const becomeDue = (id: number) => {
    const scan = scanOf(id);
    const late = lateStart(scan.start, queueOf(scan.queue), virtualTime);
    if (isFair) scan.start = late.start;
    queueOf(scan.queue).nextLate = late.nextLate;
    makeReady(id);
  };

  const insertScan = (workspace: number, domain: number) => {
    const id = unused.pop() ?? scans.push({} as SimulatedScan) - 1;
    const dueAt = Math.max(nowMs, notBefore[domain] as number);
    const state = 'later' as const;
    const { requested: priority } = priorities;
    const place = { queue: workspace, priority, start: takeStart(workspace), dueAt };
    scans[id] = {
      domain,
      ...place,
      state,
      attempts: 0,
      unparkedMs: null,
      jobs: [workspace, nowMs],
      workspaces: [workspace],
      endsAtMs: 0,
    };
    liveScan[domain] = id;
    if (dueAt > nowMs) later.push(id);
    else makeReady(id);
  };

  const joinScan = (workspace: number, id: number) => {
    const scan = scanOf(id);
    if (scan.workspaces.includes(workspace)) return;
    result.joined++;
    scan.workspaces.push(workspace);
    if (scan.state === 'leased') return measures.waited(workspace, 0);
    scan.jobs.push(workspace, nowMs);
    if (!isFair || newStart(queueOf(workspace), virtualTime) >= scan.start) return;
    if (scan.state === 'ready') measures.dueChanged(scan.queue, -1, nowMs);
    scan.queue = workspace;
    scan.start = takeStart(workspace);
    if (scan.state !== 'ready') return;
    measures.dueChanged(workspace, 1, nowMs);
    ready.raise(id);
  };

  const request = (workspace: number) => {
    result.requests++;
    const domain = load.domain();
    const live = liveScan[domain] as number;
    if (live >= 0) joinScan(workspace, live);
    else insertScan(workspace, domain);
  };

  const results = new Map<number, VisitResult>();
  const lease = () => {
    const id = ready.pop();
    const scan = scanOf(id);
    const { domain } = scan;
    if (targets) {
      const target = targets.targetOf(domain);
      const hasTurn = scan.unparkedMs !== null && nowMs - scan.unparkedMs <= turnValidMs;
      if (!hasTurn && !targets.tryTurn(target, nowMs, scan.unparkedMs !== null)) {
        scan.state = 'parked';
        measures.dueChanged(scan.queue, -1, nowMs);
        return targets.park(target, scan.queue, id);
      }
      targets.visited(target, nowMs);
      scan.unparkedMs = null;
    }
    virtualTime = Math.max(virtualTime, scan.start);
    measures.leased(scan.queue, nowMs);
    measures.dueChanged(scan.queue, -1, nowMs);
    for (let n = 0; n < scan.jobs.length; n += 2)
      measures.waited(scan.jobs[n] as number, nowMs - (scan.jobs[n + 1] as number));
    result.leases++;
    visits[domain] = (visits[domain] as number) + 1;
    result.mostVisitsOfDomain = Math.max(result.mostVisitsOfDomain, visits[domain] as number);
    const pauseMs = nowMs - (lastVisit[domain] as number);
    if ((visits[domain] as number) > 1) result.shortestPauseMs = Math.min(result.shortestPauseMs, pauseMs);
    lastVisit[domain] = nowMs;
    notBefore[domain] = nowMs + policy.visitIntervalMs;
    const { durationMs, result: outcome } = load.visit(domain);
    results.set(id, outcome);
    scans[id] = { ...scan, state: 'leased', attempts: scan.attempts + 1, jobs: [], endsAtMs: nowMs + durationMs };
    visiting.push(id);
  };

  const endVisit = (id: number) => {
    const scan = scanOf(id);
    const outcome = results.get(id);
    results.delete(id);
    if (outcome !== 'lease_lost') notBefore[scan.domain] = nowMs + policy.visitIntervalMs;
    if (outcome === 'observed' || scan.attempts >= maxAttempts) {
      if (outcome !== 'observed') result.failedScans++;
      liveScan[scan.domain] = -1;
      unused.push(id);
      return;
    }
    scan.state = 'later';
    scan.dueAt = Math.max(nowMs + backoffMs(policy, scan.attempts), notBefore[scan.domain] as number);
    later.push(id);
  };

  const slotsAt = (ms: number) => {
    const { fromHour, toHour, slots } = options.shortage;
    return ms >= fromHour * hourMs && ms < toHour * hourMs ? slots : options.slots;
  };
  for (let workspace = 0; workspace < workspaces; workspace++) {
    arrivesAtMs[workspace] = load.pauseMs(workspace);
    arrivals.push(workspace);
  }
  const endMs = options.hours * hourMs;
  let windowEndsMs = windowMs;
  for (;;) {
    nowMs = Math.min(
      arrivesAtMs[arrivals.first()] as number,
      later.size > 0 ? scanOf(later.first()).dueAt : Number.POSITIVE_INFINITY,
      visiting.size > 0 ? scanOf(visiting.first()).endsAtMs : Number.POSITIVE_INFINITY,
      Math.max(nowMs, targets?.nextTurnMs() ?? Number.POSITIVE_INFINITY),
      windowEndsMs,
    );
    if (nowMs >= endMs) break;
    if (nowMs === windowEndsMs) {
      measures.endWindow();
      windowEndsMs += windowMs;
    }
    while (visiting.size > 0 && scanOf(visiting.first()).endsAtMs <= nowMs) endVisit(visiting.pop());
    while (later.size > 0 && scanOf(later.first()).dueAt <= nowMs) becomeDue(later.pop());
    while (targets && targets.nextTurnMs() <= nowMs) {
      const id = targets.unpark(nowMs);
      scanOf(id).unparkedMs = nowMs;
      becomeDue(id);
    }
    while ((arrivesAtMs[arrivals.first()] as number) <= nowMs) {
      const workspace = arrivals.pop();
      for (let left = load.listLength(workspace); left > 0; left--) request(workspace);
      arrivesAtMs[workspace] = nowMs + 1 + load.pauseMs(workspace);
      arrivals.push(workspace);
    }
    while (ready.size > 0 && visiting.size < slotsAt(nowMs)) lease();
  }
  return { ...result, ...measures.report(endMs), targets: targets?.report() ?? null };
}
