import type { Timeline } from '../checker/timeline.ts';
import type { Clients } from '../clients/clients.ts';
import type { Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Random } from '../random.ts';
import type { FaultSystem } from '../system/system.ts';
import type { Heal } from './harm.ts';

/** One fault, or one way of it, as a row of the table. */
export interface Scenario {
  name: string;
  /** The row of the table that it belongs to. */
  row: string;
  expected: string;
  /** How long the fault lasts, ms; a seed chooses between the two. */
  holdMs: readonly [number, number];
  /** Load goes on for so long after it, ms. */
  afterMs?: number;
  perSecond?: number;
  /** Runs two of every service, without links. */
  isRolling?: boolean;
  needsLinks?: boolean;
  isRedisLost?: boolean;
  /** Gateways that stand still in it, counted from 0. */
  frozenGateways?: readonly number[];
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
  /** Revokes the revoked customer's key and notes when that was acknowledged. */
  revoke(): Promise<void>;
  /** Records a broken promise. */
  problem(text: string): void;
  /** Records a number for the table. */
  figure(name: string, value: number): void;
}
