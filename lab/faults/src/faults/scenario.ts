import type { Databases } from '../checker/databases.ts';
import type { ScanInProgress } from '../checker/resumption.ts';
import type { McpMessage, NeighbourWindow, Suspension, Timeline } from '../checker/timeline.ts';
import type { Clients } from '../clients/clients.ts';
import type { Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Random } from '../random.ts';
import type { SystemForm } from '../system/form.ts';
import type { FaultSystem } from '../system/system.ts';

/** The duration of the load after a fault, in ms. */
export const defaultLoadAfterMs = 20_000;

/**
 * Ends the fault and waits until every part runs. Resolves to the instant from which the recovery counts: the end of the fault, or the start
 * of the process that replaces a killed one.
 */
export type Heal = () => Promise<number>;

/** One fault of the table. Several scenarios may share a row. */
export interface Scenario {
  name: string;
  /** The row of the table to which the scenario belongs. */
  row: string;
  /** The promise that only this fault has. */
  expected: string;
  /** The shortest and the longest duration of the fault, in ms. The seed chooses a value between them. */
  durationMs: readonly [number, number];
  /** The duration of the load after the fault, in ms. The default is {@link defaultLoadAfterMs}. */
  loadAfterMs?: number;
  perSecond?: number;
  /** The form of the system. The default is `single`. */
  form?: SystemForm;
  losesRedisState?: boolean;
  /** Whether the scenario revokes the key itself. In all other scenarios the key is revoked directly before the fault. */
  revokesDuringFault?: boolean;
  /** Whether the fault affects the events by which keys reports revocations to gateways. Only the key cache then bounds a revocation. */
  breaksRevocationPush?: boolean;
  /** Whether repeated faults may use up the attempts of a scan. A job may then fail although its store can be scanned. */
  mayExhaustAttempts?: boolean;
  /** Whether the fault lasts for minutes, independently of `durationMs`. */
  isLong?: boolean;
  /** The figures that must be above 0. Otherwise the fault interrupted nothing, and `expected` is not measured. */
  requiredFigures?: readonly string[];
  /** Whether `check` asserts times. It is then left out if the bench's own event loop was delayed. */
  assertsTiming?: boolean;
  inject(context: FaultContext): Promise<Heal>;
  /** Runs while the fault is active. */
  duringFault?(context: FaultContext, untilMs: number): Promise<void>;
  /** The assertions for this fault, in addition to those for all faults. */
  check?(operations: readonly Operation[], timeline: Timeline): string[];
}

export interface FaultContext {
  system: FaultSystem;
  customers: Customers;
  clients: Clients;
  random: Random;
  /** Revokes the key of the customer `revoked`, and records the instants of the request and of its response. */
  revoke(): Promise<void>;
  readonly revokeRequestedMs: number;
  /** Reads the databases of the services. */
  databases: Databases;
  /** The scans that were in progress at the fault. */
  scansInProgress: ScanInProgress[];
  /** Records that the fault starts at this instant. Earlier steps of the injection prepare it. */
  recordFaultStart(): void;
  /** The times in which a gateway was suspended. */
  suspensions: Suspension[];
  /** The times in which the greedy neighbour sent, and in which it was silent. */
  neighbourWindows: NeighbourWindow[];
  /** The messages that a modest workspace sent over MCP in these times. */
  mcpMessages: McpMessage[];
  /** Differences between what the dashboard reported as billed, the ledger and usage. */
  billingProblems: string[];
  /** Records that the fault did not end as expected. */
  recordProblem(text: string): void;
  /** Records a figure. Of several values with one name, the highest counts. */
  recordFigure(name: string, value: number): void;
}
