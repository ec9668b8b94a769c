/**
 * A model of the lease queue without database and concurrency, written from the rules, not from the code. The test runs
 * random commands on the model and on the real operations.
 */
export interface ModelJob {
  workspace: string;
  charge: string;
  domain: string;
  state: 'requested' | 'queued' | 'running' | 'succeeded' | 'failed';
  attempts: number;
  claimedAtMs: number;
  holdsPlace: boolean;
  scan: ModelScan | null;
  /** The lowest sequence of an observation that completes after the join. */
  needsSequence: number;
}

export interface ModelScan {
  domain: string;
  state: 'queued' | 'leased' | 'observed' | 'over';
  attempts: number;
  sequence: number;
  dueAtMs: number;
  /** Number of the latest lease; null when the lease was lost. */
  lease: number | null;
  leaseEndsAtMs: number;
  observedAtMs: number;
  /** When the scheduler saw that profiles has read the observation; profiles reads at once in this model. */
  readAtMs: number | null;
}

export interface ModelPolicy {
  leaseMs: number;
  mergeWaitMs: number;
  claimWaitMs: number;
  visitIntervalMs: number;
  retryBackoffMs: number;
}

const maxAttempts = 3;
const isLive = (job: ModelJob) => job.state === 'requested' || job.state === 'queued' || job.state === 'running';

export class LeaseQueueModel {
  nowMs: number;
  readonly policy: ModelPolicy;
  readonly jobs = new Map<string, ModelJob>();
  readonly scans: ModelScan[] = [];
  readonly sequences = new Map<string, number>();
  readonly politeAtMs = new Map<string, number>();

  constructor(nowMs: number, policy: ModelPolicy) {
    this.nowMs = nowMs;
    this.policy = policy;
  }

  holder(workspace: string, domain: string): ModelJob | undefined {
    return [...this.jobs.values()].find(
      (job) => job.workspace === workspace && job.domain === domain && job.holdsPlace && isLive(job),
    );
  }

  liveScan(domain: string): ModelScan | undefined {
    return this.scans.find((scan) => scan.domain === domain && scan.state !== 'over');
  }

  claim(id: string, workspace: string, charge: string, domain: string): 'claimed' | 'joined' | 'pending' {
    const own = this.jobs.get(id);
    if (own) {
      if (own.state === 'requested') own.claimedAtMs = this.nowMs;
      return 'claimed';
    }
    const holder = this.holder(workspace, domain);
    if (holder) return holder.state === 'requested' ? 'pending' : 'joined';
    this.jobs.set(id, this.newJob(workspace, charge, domain));
    return 'claimed';
  }

  release(charge: string): void {
    for (const [id, job] of this.jobs) if (job.charge === charge && job.state === 'requested') this.jobs.delete(id);
  }

  request(id: string, workspace: string, charge: string, domain: string): void {
    let job = this.jobs.get(id);
    if (job && job.state !== 'requested') return;
    if (!job) {
      job = { ...this.newJob(workspace, charge, domain), holdsPlace: this.holder(workspace, domain) === undefined };
      this.jobs.set(id, job);
    }
    const scan = this.liveScan(domain) ?? this.newScan(domain, 0, this.nowMs);
    job.scan = scan;
    job.state = scan.state === 'leased' ? 'running' : 'queued';
    job.attempts = scan.state === 'leased' ? 1 : 0;
    job.needsSequence = scan.state === 'leased' ? scan.sequence : scan.sequence + 1;
  }

  /** The scans that may be leased next: due, with the lowest start, and of these the longest due; empty when none is due. */
  due(startOf: (scan: ModelScan) => number): ModelScan[] {
    const due = this.scans.filter((scan) => scan.state === 'queued' && scan.dueAtMs <= this.nowMs);
    const lowest = Math.min(...due.map(startOf));
    if (Number.isNaN(lowest)) throw new Error('a due scan has no place');
    const next = due.filter((scan) => startOf(scan) === lowest);
    const first = Math.min(...next.map(({ dueAtMs }) => dueAtMs));
    return next.filter(({ dueAtMs }) => dueAtMs === first);
  }

  lease(scan: ModelScan, lease: number): void {
    const sequence = (this.sequences.get(scan.domain) ?? 0) + 1;
    this.sequences.set(scan.domain, sequence);
    this.bePolite(scan.domain);
    Object.assign(scan, { state: 'leased', lease, sequence, attempts: scan.attempts + 1 });
    scan.leaseEndsAtMs = this.nowMs + this.policy.leaseMs;
    for (const job of this.jobsOf(scan)) Object.assign(job, { state: 'running', attempts: job.attempts + 1 });
  }

  renew(scan: ModelScan, lease: number): boolean {
    if (scan.state !== 'leased' || scan.lease !== lease) return false;
    scan.leaseEndsAtMs = this.nowMs + this.policy.leaseMs;
    return true;
  }

  finish(scan: ModelScan, lease: number, result: 'observed' | 'abandoned'): boolean {
    if (scan.lease !== lease) return false;
    if (scan.state !== 'leased') return result === 'observed' && scan.state !== 'queued';
    this.bePolite(scan.domain);
    if (result === 'observed') {
      Object.assign(scan, { state: 'observed', observedAtMs: this.nowMs, readAtMs: null });
    } else this.loseAttempt(scan);
    return true;
  }

  applyMergeOutcome(scan: ModelScan, sequence: number, state: 'succeeded' | 'failed'): void {
    if (scan.state === 'over') return;
    const leaseEndsAtMs = scan.state === 'leased' ? scan.leaseEndsAtMs : 0;
    scan.state = 'over';
    for (const job of this.jobsOf(scan)) if (job.needsSequence <= sequence) job.state = state;
    this.moveOn(scan, Math.max(this.nowMs, leaseEndsAtMs));
  }

  tick(): void {
    for (const scan of [...this.scans]) {
      if (scan.state === 'leased' && scan.leaseEndsAtMs <= this.nowMs) this.loseAttempt(scan);
      if (scan.state !== 'observed') continue;
      const isOverdue = (sinceMs: number) => sinceMs + this.policy.mergeWaitMs <= this.nowMs;
      if (scan.readAtMs !== null && isOverdue(scan.readAtMs)) this.loseAttempt(scan);
      else if (scan.readAtMs === null && isOverdue(scan.observedAtMs)) scan.readAtMs = this.nowMs;
    }
    for (const [id, job] of this.jobs) {
      if (job.state === 'requested' && job.claimedAtMs + this.policy.claimWaitMs <= this.nowMs) this.jobs.delete(id);
    }
  }

  private loseAttempt(scan: ModelScan): void {
    const retryAtMs = this.nowMs + this.policy.retryBackoffMs * 2 ** (scan.attempts - 1);
    scan.lease = null;
    if (scan.attempts < maxAttempts) {
      scan.state = 'queued';
      scan.dueAtMs = Math.max(retryAtMs, this.politeAtMs.get(scan.domain) ?? 0);
      for (const job of this.jobsOf(scan)) job.state = 'queued';
      return;
    }
    scan.state = 'over';
    for (const job of this.jobsOf(scan)) if (job.attempts >= maxAttempts) job.state = 'failed';
    this.moveOn(scan, retryAtMs);
  }

  private moveOn(scan: ModelScan, dueAtMs: number): void {
    const left = this.jobsOf(scan);
    if (left.length === 0) return;
    const next = this.newScan(scan.domain, Math.max(...left.map(({ attempts }) => attempts)), dueAtMs);
    for (const job of left) Object.assign(job, { scan: next, state: 'queued' });
  }

  private jobsOf(scan: ModelScan): ModelJob[] {
    return [...this.jobs.values()].filter((job) => job.scan === scan && isLive(job));
  }

  private bePolite(domain: string): void {
    this.politeAtMs.set(domain, Math.max(this.politeAtMs.get(domain) ?? 0, this.nowMs + this.policy.visitIntervalMs));
  }

  private newJob(workspace: string, charge: string, domain: string): ModelJob {
    const fresh = { attempts: 0, scan: null, needsSequence: 0, holdsPlace: true, claimedAtMs: this.nowMs } as const;
    return { ...fresh, workspace, charge, domain, state: 'requested' };
  }

  private newScan(domain: string, attempts: number, dueAtMs: number): ModelScan {
    const politeAtMs = Math.max(dueAtMs, this.politeAtMs.get(domain) ?? 0);
    const fresh = {
      state: 'queued',
      sequence: 0,
      lease: null,
      leaseEndsAtMs: 0,
      observedAtMs: 0,
      readAtMs: null,
    } as const;
    const scan: ModelScan = { ...fresh, domain, attempts, dueAtMs: politeAtMs };
    this.scans.push(scan);
    return scan;
  }
}
