import { hourMs } from '@shopscope/clock';

/** The figures of a simulation, in memory that does not depend on the number of scans. */
export interface Measures {
  /** The wait of one job from its request to the start of the visit. */
  waited(workspace: number, ms: number): void;
  /** The number of due scans in the queue of a workspace changed. */
  dueChanged(workspace: number, by: 1 | -1, nowMs: number): void;
  leased(workspace: number, nowMs: number): void;
  /** Ends a window of the fairness index. */
  endWindow(): void;
  report(nowMs: number): Report;
}

export interface SizeClass {
  /** Requests of a workspace in a day. */
  name: string;
  workspaces: number;
  jobs: number;
  medianMs: number;
  p99Ms: number;
  maxMs: number;
  /** Longest time without a lease while due scans of the workspace waited. */
  longestGapMs: number;
}

export interface Report {
  classes: SizeClass[];
  /** Jain's index of the leases of workspaces that had due scans during a whole window; 1 is equal. */
  jain: { mean: number; lowest: number; windows: number; mostWorkspaces: number };
  starved: number;
}

const classLimits = [100, 1_000, 10_000, 100_000, Number.POSITIVE_INFINITY];
const classNames = ['below 100', '100 to 1,000', '1,000 to 10,000', '10,000 to 100,000', 'over 100,000'];
/** A workspace starves when it gets no lease for this time while its scans are due. */
const starvedMs = hourMs;
/** Two neighbouring buckets of waiting times differ by 5 %. */
const bucketsPerE = 20;
const bucketCount = 420;
const bucketOf = (ms: number) => Math.min(bucketCount - 1, Math.ceil(Math.log(1 + ms) * bucketsPerE));
const topOf = (bucket: number) => Math.expm1(bucket / bucketsPerE);

export function createMeasures(workspaces: number, perDay: (workspace: number) => number): Measures {
  const classOf = Uint8Array.from({ length: workspaces }, (_, n) =>
    classLimits.findIndex((limit) => perDay(n) < limit),
  );
  const waits = classLimits.map(() => new Float64Array(bucketCount));
  const longestWaitMs = new Float64Array(classLimits.length);
  const due = new Int32Array(workspaces);
  const waitsSinceMs = new Float64Array(workspaces);
  const longestGapMs = new Float64Array(workspaces);
  const wasAlwaysDue = new Uint8Array(workspaces);
  const leases = new Uint32Array(workspaces);
  const jains: number[] = [];
  let mostWorkspaces = 0;

  const endGap = (workspace: number, nowMs: number) => {
    const gapMs = nowMs - (waitsSinceMs[workspace] as number);
    if (gapMs > (longestGapMs[workspace] as number)) longestGapMs[workspace] = gapMs;
    waitsSinceMs[workspace] = nowMs;
  };
  const membersOf = (sizeClass: number) => [...classOf.keys()].filter((n) => classOf[n] === sizeClass);

  return {
    waited(workspace, ms) {
      const sizeClass = classOf[workspace] as number;
      const histogram = waits[sizeClass] as Float64Array;
      const bucket = bucketOf(ms);
      histogram[bucket] = (histogram[bucket] as number) + 1;
      if (ms > (longestWaitMs[sizeClass] as number)) longestWaitMs[sizeClass] = ms;
    },
    dueChanged(workspace, by, nowMs) {
      const before = due[workspace] as number;
      due[workspace] = before + by;
      if (before === 0) waitsSinceMs[workspace] = nowMs;
      if (before + by === 0) wasAlwaysDue[workspace] = 0;
    },
    leased(workspace, nowMs) {
      leases[workspace] = (leases[workspace] as number) + 1;
      endGap(workspace, nowMs);
    },
    endWindow() {
      const counts = [...leases].filter((_, n) => wasAlwaysDue[n] === 1);
      if (counts.length > 1) jains.push(jainIndex(counts));
      mostWorkspaces = Math.max(mostWorkspaces, counts.length);
      leases.fill(0);
      for (let n = 0; n < workspaces; n++) wasAlwaysDue[n] = (due[n] as number) > 0 ? 1 : 0;
    },
    report(nowMs) {
      for (let n = 0; n < workspaces; n++) if ((due[n] as number) > 0) endGap(n, nowMs);
      const classes = classNames.map((name, n) => {
        const members = membersOf(n);
        const histogram = waits[n] as Float64Array;
        return {
          name,
          workspaces: members.length,
          jobs: histogram.reduce((sum, count) => sum + count, 0),
          medianMs: quantile(histogram, 0.5),
          p99Ms: quantile(histogram, 0.99),
          maxMs: longestWaitMs[n] as number,
          longestGapMs: Math.max(0, ...members.map((member) => longestGapMs[member] as number)),
        };
      });
      const mean = jains.reduce((sum, jain) => sum + jain, 0) / Math.max(1, jains.length);
      return {
        classes,
        jain: { mean, lowest: Math.min(...jains), windows: jains.length, mostWorkspaces },
        starved: longestGapMs.reduce((count, gapMs) => count + (gapMs >= starvedMs ? 1 : 0), 0),
      };
    },
  };
}

/** 1 when all have the same, 1/n when one has everything. */
export function jainIndex(counts: readonly number[]): number {
  const sum = counts.reduce((total, count) => total + count, 0);
  const squares = counts.reduce((total, count) => total + count * count, 0);
  return squares === 0 ? 1 : (sum * sum) / (counts.length * squares);
}

function quantile(histogram: Float64Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of histogram.entries()) {
    seen += count;
    if (total > 0 && seen >= share * total) return topOf(bucket);
  }
  return 0;
}
