import type { KeyedQueue } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { Transact, Tx } from '@shopscope/mongo';
import type { Sender } from '@shopscope/outbound-http';
import type { WebhookStateChanged } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import type { Vault } from '../domain/vault.ts';
import type { WebhooksMetrics } from '../metrics.ts';
import type { EventReader } from '../outbound/event-reader.ts';
import type { Stores } from '../outbound/mongo/stores.ts';

/** The dependencies of the operations in one environment. service.ts creates them once for each. */
export interface Dependencies<E extends Environment> extends Stores<E> {
  environment: E;
  clock: Clock;
  logger: Logger;
  metrics: WebhooksMetrics;
  vault: Vault;
  sender: Pick<Sender, 'send' | 'checkUrl'>;
  /** The events of workspaces, for replays. */
  events: EventReader;
  /** Returns a number from 0 to 1. */
  random(): number;
  /** The public address of the API, without a trailing slash. */
  apiUrl: string;
  /** Runs the function in a transaction with majority concern. The function may run more than once. */
  transact: Transact;
  /** The changes of each workspace and environment. */
  changes: KeyedQueue;
  /** Adds events about endpoints and replays to the outbox in the transaction. */
  publish(tx: Tx, events: readonly WebhookStateChanged[]): Promise<void>;
  /** Deliveries may be due at once. */
  onDue(): void;
  /** A replay may have a step to execute. */
  onReplay(): void;
}

export type EveryEnvironment = { [E in Environment]: Dependencies<E> };
