import type { BalanceCache, ChargeDependencies, EventPublisher, MeteringClient } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import type { ScanSchedulerClient } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import type { WorkspaceTags } from '../http/entity-tag.ts';
import type { RunOnceDependencies } from '../idempotency/run-once.ts';
import type { TestResets } from '../idempotency/test-resets.ts';
import type { KeysClient } from '../keys/keys-client.ts';
import type { ProfilesClient } from '../peers/profiles-client.ts';
import type { SearchClient } from '../peers/search-client.ts';
import type { SubscriptionsClient } from '../peers/subscriptions-client.ts';
import type { TestTenantClient } from '../peers/test-tenant-client.ts';
import type { WebhooksClient } from '../peers/webhooks-client.ts';
import type { CursorSigner } from './cursor.ts';
import type { Documents } from './discovery/documents.ts';
import type { WorkspaceTurns } from './enrich-stores/workspace-turns.ts';
import type { WaitingRequests } from './events/waiting-requests.ts';
import type { TimeSlices } from './graphql/time-slices.ts';
import type { StoreCounts } from './technologies/store-counts.ts';

/** The dependencies of the endpoints in one environment. wiring/ creates them once. */
export interface Dependencies extends ChargeDependencies, RunOnceDependencies {
  clock: Clock;
  profiles: ProfilesClient;
  scheduler: ScanSchedulerClient;
  search: SearchClient;
  storeCounts: StoreCounts;
  subscriptions: SubscriptionsClient;
  webhooks: WebhooksClient;
  testTenant: TestTenantClient;
  resets: TestResets;
  keys: KeysClient;
  metering: MeteringClient;
  balances: BalanceCache;
  events: EventPublisher;
  turns: WorkspaceTurns;
  slices: TimeSlices;
  waiting: WaitingRequests;
  cursors: CursorSigner;
  tagOf: WorkspaceTags;
  documents: Documents;
  /** The public base URL of this API, without a trailing slash. */
  publicApiUrl: string;
  /** Whether a dependency that requests need is unavailable. */
  isDegraded(): boolean;
}

export type EveryEnvironment = Readonly<Record<Environment, Dependencies>>;
