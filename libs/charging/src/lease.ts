import type { Clock } from '@shopscope/clock';
import type { LeaseAsk, LeaseGrant } from '@shopscope/proto';
import type { SpendingPace } from './spending-pace.ts';

/** What a lease says of itself in a call about it. */
export type LeaseState = Omit<LeaseAsk, 'workspaceId' | 'included' | 'unit'>;

type Time = Pick<Clock, 'now' | 'monotonicMs'>;

/** A charge that a lease pays for. Its usage event makes it count. */
export interface LeasedCharge {
  leaseId: string;
  chargeId: string;
  periodStartMs: number;
  /** What is taken of the unit's allowance, without the units that leases hold and have not spent. */
  taken: number;
  /** The units go back to the lease. Only for a charge whose event was never handed on. */
  release(): void;
}

/** Units of the first call are expected to be spent within this time. Metering tells a longer one while much is left. */
const defaultUsableMs = 2_000;
/** A lease is replaced at this age, so that metering returns units whose events were lost. */
const maxAgeMs = 60_000;
/** Metering closes a lease 40 s after its end. A lease that rested this long is replaced instead. */
const maxRestMs = 30_000;
/** Metering grants at most this many unspent units. */
const maxUnspent = 4_096;
/** A lease that has spent nothing for this long is not kept going. */
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
 * - From the sending of a call on, the limit is at most what the call wants. Only the answer to the latest call raises it.
 * - Spending ends some seconds after the sending of the latest answered call, by monotonic and by wall time, and with the period. So a
 *   process that stood still spends nothing of a lease that ended meanwhile. While a call is under way, spending goes on.
 * - The answer tells how many seconds: 16 while much is left of the allowance, else 2.
 */
export class Lease {
  #calls = 0;
  #limit = 0;
  #spent = 0;
  #charges = 0;
  /** Charges whose units were not given back. */
  #paid = 0;
  #wanted = 0;
  #sent: Sent | undefined;
  #answered: Sent | undefined;
  #reported = 0;
  #reportedPaid = 0;
  /** How long the units of the latest answered call may be spent. A call also wants the units that are expected within it. */
  #usableMs = defaultUsableMs;
  #openedMs = Number.POSITIVE_INFINITY;
  /** When the latest unit was spent. */
  #spentMs = Number.NEGATIVE_INFINITY;
  #periodStartMs = 0;
  #periodEndsMs = Number.POSITIVE_INFINITY;
  #takenElsewhere = 0;

  readonly id: string;
  readonly #pace: SpendingPace;

  /** `pace` is that of the workspace and the unit, and outlives the lease. */
  constructor(id: string, pace: SpendingPace) {
    this.id = id;
    this.#pace = pace;
  }

  /** Metering has granted units of it. */
  get isKnown(): boolean {
    return this.#periodStartMs > 0;
  }

  /** True when a new lease has to take its place. */
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
   * True when its units will not last for this time. Never while little is left of the allowance: idle units have to return soon then. Nor
   * when no unit was spent lately.
   */
  isRunningOut(withinMs: number, clock: Time): boolean {
    const nowMs = clock.monotonicMs();
    if (!this.#answered || this.#usableMs <= defaultUsableMs || nowMs - this.#spentMs > idleMs) return false;
    const usableUntilMs = this.#answered.monotonicMs + this.#usableMs;
    return usableUntilMs - nowMs < withinMs || this.unspent < this.#pace.expected(withinMs);
  }

  /** Time since the latest call, in ms; 0 before the first. */
  #restMs(clock: Time): number {
    const nowMs = clock.monotonicMs();
    return nowMs - (this.#sent?.monotonicMs ?? nowMs);
  }

  /** The next call: units for requests that wait, and for those that are expected. */
  ask(units: number, clock: Time): LeaseState {
    this.#addToPace(clock);
    this.#wanted = this.#spent + Math.min(units + this.#pace.expected(this.#usableMs), maxUnspent);
    return this.#call(false, clock);
  }

  /** The next call: nobody waits, and unspent units return to the allowance. `final`: this process spends nothing more. */
  returnUnits(clock: Time, { final = false } = {}): LeaseState {
    this.#addToPace(clock);
    this.#wanted = this.#spent;
    return this.#call(final, clock);
  }

  /** The units that were spent since the latest call. */
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

  /** The answer to the latest call granted units. */
  granted({ granted, periodStartMs, periodRestMs, taken, lentElsewhere, usableMs }: LeaseGrant): void {
    if (!this.#sent) return;
    this.#usableMs = usableMs;
    this.#limit = Math.min(granted, this.#wanted);
    this.#answered = this.#sent;
    this.#periodStartMs = periodStartMs;
    this.#periodEndsMs = this.#sent.monotonicMs + periodRestMs;
    this.#takenElsewhere = taken - lentElsewhere - granted;
  }

  /** A charge of some units, or undefined when the lease holds fewer that may be spent now. */
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

  /** Units may be spent now. */
  isUsable(clock: Time): boolean {
    if (!this.#answered) return false;
    const nowMs = clock.monotonicMs();
    const byWallMs = clock.now() - this.#answered.wallMs;
    const isRecent = nowMs - this.#answered.monotonicMs < this.#usableMs && Math.abs(byWallMs) < this.#usableMs;
    return isRecent && nowMs < this.#periodEndsMs;
  }
}
