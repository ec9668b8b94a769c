import type { Clock } from '@shopscope/clock';
import type { LeaseAsk, LeaseGrant } from '@shopscope/proto';
import type { SpendingPace } from './spending-pace.ts';

/** The state of a lease in a call to metering. */
export type LeaseState = Omit<LeaseAsk, 'workspaceId' | 'included' | 'unit'>;

type Time = Pick<Clock, 'now' | 'monotonicMs'>;

/** A charge that a lease pays for. Its usage event makes it count. */
export interface LeasedCharge {
  leaseId: string;
  chargeId: string;
  periodStartMs: number;
  /** The units that are taken from the allowance. Unspent units of leases are not included. */
  taken: number;
  /** Gives the units back to the lease. May be called only if the usage event was never published. */
  release(): void;
}

/** The units of the first call may be spent within this time. Metering names a longer time while much of the allowance is left. */
const defaultUsableMs = 2_000;
/** A lease is replaced at this age, so that metering returns units whose events were lost. */
const maxAgeMs = 60_000;
/** Metering closes a lease 42 s after its end. A lease without a call for this time is replaced. */
const maxRestMs = 30_000;
/** Metering grants at most this many unspent units. */
const maxUnspent = 4_096;
/** A lease that has spent nothing for this time is not renewed. */
const idleMs = 3_000;

/** When a call was sent. */
interface Sent {
  monotonicMs: number;
  wallMs: number;
}

/**
 * This process's side of a lease: units of one allowance, lent by metering. All are of one billing unit. Amounts are totals since the
 * lease began.
 *
 * - Once a call is sent, at most the units that it asks for may be spent. Only the answer to the latest call raises this limit.
 * - Units may be spent for some seconds after the latest answered call was sent, by monotonic and by wall time, and never after the end of
 *   the period. A process that was suspended therefore spends nothing of a lease that ended meanwhile. Spending continues during a call.
 * - The answer names these seconds: 16 while much of the allowance is left, otherwise 2.
 */
export class Lease {
  #calls = 0;
  #limit = 0;
  #spent = 0;
  #charges = 0;
  /** The number of charges whose units were not given back. */
  #paid = 0;
  #wanted = 0;
  #sent: Sent | undefined;
  #answered: Sent | undefined;
  #reported = 0;
  #reportedPaid = 0;
  /** How long the units of the latest answered call may be spent. A call asks for the units that are expected in this time, too. */
  #usableMs = defaultUsableMs;
  #openedMs = Number.POSITIVE_INFINITY;
  /** When the latest unit was spent. */
  #spentMs = Number.NEGATIVE_INFINITY;
  #periodStartMs = 0;
  #periodEndsMs = Number.POSITIVE_INFINITY;
  #takenElsewhere = 0;

  readonly id: string;
  readonly #pace: SpendingPace;

  /** `pace` belongs to the workspace and the unit. It outlives the lease. */
  constructor(id: string, pace: SpendingPace) {
    this.id = id;
    this.#pace = pace;
  }

  /** Whether metering has granted units of this lease. */
  get isKnown(): boolean {
    return this.#periodStartMs > 0;
  }

  /** Whether a new lease has to replace this one. */
  isOver(clock: Time): boolean {
    const nowMs = clock.monotonicMs();
    return nowMs - this.#openedMs >= maxAgeMs || this.#restMs(clock) >= maxRestMs || nowMs >= this.#periodEndsMs;
  }

  /** Units that may be spent while the lease is usable. */
  get unspent(): number {
    return Math.max(0, this.#limit - this.#spent);
  }

  get holdsUnits(): boolean {
    return this.unspent > 0;
  }

  /**
   * Whether the units of this lease will be spent within this time. False while little of the allowance is left, because idle units must
   * return soon then. False when no unit was spent lately.
   */
  isRunningOut(withinMs: number, clock: Time): boolean {
    const nowMs = clock.monotonicMs();
    if (!this.#answered || this.#usableMs <= defaultUsableMs || nowMs - this.#spentMs > idleMs) return false;
    const usableUntilMs = this.#answered.monotonicMs + this.#usableMs;
    return usableUntilMs - nowMs < withinMs || this.unspent < this.#pace.expected(withinMs);
  }

  /** The time since the latest call, in ms. 0 before the first call. */
  #restMs(clock: Time): number {
    const nowMs = clock.monotonicMs();
    return nowMs - (this.#sent?.monotonicMs ?? nowMs);
  }

  /** The next call, when requests wait. It asks for their units and for those of the expected requests. */
  ask(units: number, clock: Time): LeaseState {
    this.#addToPace(clock);
    this.#wanted = this.#spent + Math.min(units + this.#pace.expected(this.#usableMs), maxUnspent);
    return this.#call(false, clock);
  }

  /** The next call, when no request waits. It returns the unspent units. `final`: the lease ends. */
  returnUnits(clock: Time, { final = false } = {}): LeaseState {
    this.#addToPace(clock);
    this.#wanted = this.#spent;
    return this.#call(final, clock);
  }

  /** Adds the units that were spent since the latest call. */
  #addToPace(clock: Time): void {
    const charges = Math.max(0, this.#paid - this.#reportedPaid);
    this.#pace.add(Math.max(0, this.#spent - this.#reported), charges, clock.monotonicMs());
  }

  #call(final: boolean, clock: Time): LeaseState {
    this.#calls += 1;
    this.#limit = Math.min(this.#limit, this.#wanted);
    this.#reported = this.#spent;
    this.#reportedPaid = this.#paid;
    this.#sent = { monotonicMs: clock.monotonicMs(), wallMs: clock.now() };
    this.#openedMs = Math.min(this.#openedMs, this.#sent.monotonicMs);
    return {
      leaseId: this.id,
      callNumber: this.#calls,
      sentAtMs: Math.round(this.#sent.wallMs),
      wanted: this.#wanted,
      spent: this.#spent,
      final,
      periodStartMs: this.#periodStartMs,
    };
  }

  /** Has to be called when the answer to the latest call has granted units. */
  granted({ granted, periodStartMs, periodRestMs, taken, lentElsewhere, usableMs }: LeaseGrant): void {
    if (!this.#sent) return;
    this.#usableMs = usableMs;
    this.#limit = Math.min(granted, this.#wanted);
    this.#answered = this.#sent;
    this.#periodStartMs = periodStartMs;
    this.#periodEndsMs = this.#sent.monotonicMs + periodRestMs;
    this.#takenElsewhere = taken - lentElsewhere - granted;
  }

  /** Returns a charge of `units`, or undefined when fewer units of the lease may be spent now. */
  spend(units: number, clock: Time): LeasedCharge | undefined {
    if (this.unspent < units || !this.isUsable(clock)) return undefined;
    this.#spent += units;
    this.#charges += 1;
    this.#paid += 1;
    this.#spentMs = clock.monotonicMs();
    return {
      leaseId: this.id,
      chargeId: `${this.id}-${this.#charges}`,
      periodStartMs: this.#periodStartMs,
      taken: this.#takenElsewhere + this.#spent,
      release: () => {
        this.#spent -= units;
        this.#paid -= 1;
      },
    };
  }

  /** Whether units may be spent now. */
  isUsable(clock: Time): boolean {
    if (!this.#answered) return false;
    const nowMs = clock.monotonicMs();
    const byWallMs = clock.now() - this.#answered.wallMs;
    const isRecent = nowMs - this.#answered.monotonicMs < this.#usableMs && Math.abs(byWallMs) < this.#usableMs;
    return isRecent && nowMs < this.#periodEndsMs;
  }
}
