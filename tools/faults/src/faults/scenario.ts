import type { Databases } from '../checker/databases.ts';
import type { InterruptedScan } from '../checker/resumption.ts';
import type { Standing, Timeline } from '../checker/timeline.ts';
import type { Clients } from '../clients/clients.ts';
import type { Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Random } from '../random.ts';
import type { FaultSystem } from '../system/system.ts';

/** Load goes on for so long after a fault, ms. */
export const usualAfterMs = 20_000;

/**
 * Makes good again; resolves once the system has every part back, with the instant from which it can be well: when the harm
 * was taken away, or when the process in the place of a killed one was started.
 */
export type Heal = () => Promise<number>;

/** One fault, or one way of it, as a row of the table. */
export interface Scenario {
  name: string;
  /** The row of the table that it belongs to. */
  row: string;
  expected: string;
  /** How long the fault lasts, ms; a seed chooses between the two. */
  holdMs: readonly [number, number];
  /** Load goes on for so long after it, ms; {@link usualAfterMs} unless set. */
  afterMs?: number;
  perSecond?: number;
  /** Runs two of every service, without links. */
  isRolling?: boolean;
  isRedisLost?: boolean;
  /** Revokes by itself, at its own moment; in all others the key is revoked right before the fault. */
  revokesItself?: boolean;
  /** The way by which keys tells gateways of a revocation is harmed: only the cache bounds it. */
  isPushHarmed?: boolean;
  /** Interruptions may use up a scan's attempts: a job may fail although its store is well. */
  mayExhaustAttempts?: boolean;
  /** Lasts for minutes, whatever `holdMs` says. */
  isLong?: boolean;
  /** Figures that have to be above 0, or the fault met nothing and `expected` is not shown. */
  exercises?: readonly string[];
  /** `check` measures time, so it says nothing when the bench is held up. */
  isTimed?: boolean;
  inject(stage: Stage): Promise<Heal>;
  /** While the fault lasts. */
  meanwhile?(stage: Stage, untilMs: number): Promise<void>;
  /** What this fault may and may not do, beside what holds for all. */
  check?(operations: readonly Operation[], timeline: Timeline): string[];
}

export interface Stage {
  system: FaultSystem;
  customers: Customers;
  clients: Clients;
  random: Random;
  /** Revokes the revoked customer's key and notes when that was asked and acknowledged. */
  revoke(): Promise<void>;
  readonly revokeAskedMs: number;
  /** What stands on record now. */
  databases: Databases;
  /** Scans that the fault met under way. */
  interrupted: InterruptedScan[];
  /** Says that the part is being harmed now; what comes before is preparation. */
  struck(): void;
  /** Gateways that stand still are noted here. */
  standing: Standing[];
  /** Records a broken promise. */
  problem(text: string): void;
  /** Records a number for the table; the highest, when there are several. */
  figure(name: string, value: number): void;
}
