import type { Databases } from '../checker/databases.ts';
import type { ScanInProgress } from '../checker/resumption.ts';
import type { McpMessage, NeighbourWindow, Suspension, Timeline } from '../checker/timeline.ts';
import type { Clients } from '../clients/clients.ts';
import type { Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Random } from '../random.ts';
import type { FaultSystem } from '../system/system.ts';

/** Duration of the load after a fault, ms. */
export const defaultLoadAfterMs = 20_000;

/**
 * Ends the fault and waits until every part runs. Resolves with the instant from which recovery counts: the end of the fault,
 * or the start of the process that replaces a killed one.
 */
export type Heal = () => Promise<number>;

/** One fault of the table. Several scenarios may share a row. */
export interface Scenario {
  name: string;
  /** The row of the table that it belongs to. */
  row: string;
  expected: string;
  /** Shortest and longest duration of the fault, ms. The seed chooses a value between them. */
  durationMs: readonly [number, number];
  /** Duration of the load after the fault, ms; {@link defaultLoadAfterMs} unless set. */
  loadAfterMs?: number;
  perSecond?: number;
  /** Runs two of every service, without links. */
  isRolling?: boolean;
  losesRedisState?: boolean;
  /** The scenario revokes the key itself. In all other scenarios the key is revoked right before the fault. */
  revokesDuringFault?: boolean;
  /** The fault affects the path on which keys pushes revocations to gateways, so only the key cache bounds a revocation. */
  breaksRevocationPush?: boolean;
  /** Repeated faults may use up a scan's attempts, so a job may fail although its store can be scanned. */
  mayExhaustAttempts?: boolean;
  /** The fault lasts for minutes, independently of `durationMs`. */
  isLong?: boolean;
  /** Figures that must be above 0. Otherwise the fault interrupted nothing, and `expected` is not measured. */
  requiredFigures?: readonly string[];
  /** `check` asserts times, so it is left out when the bench's own event loop was delayed. */
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
  /** Revokes the revoked customer's key and records the instants of the request and of its response. */
  revoke(): Promise<void>;
  readonly revokeRequestedMs: number;
  /** Reads the databases of the services. */
  databases: Databases;
  /** Scans that were in progress at the fault. */
  scansInProgress: ScanInProgress[];
  /** Records that the fault starts now. Earlier steps of the injection are preparation. */
  recordFaultStart(): void;
  /** Times in which a gateway was suspended. */
  suspensions: Suspension[];
  /** Times in which the greedy neighbour sent, and in which it was silent. */
  neighbourWindows: NeighbourWindow[];
  /** Messages of a modest workspace over MCP meanwhile. */
  mcpMessages: McpMessage[];
  /** Differences between what people were told is billed, the ledger and usage. */
  billingProblems: string[];
  /** Records that the fault does not end as expected. */
  recordProblem(text: string): void;
  /** Records a figure for the table. Of several values under one name, the highest counts. */
  recordFigure(name: string, value: number): void;
}
