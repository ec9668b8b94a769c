import type { BalanceCache, ChargeUnits, MeteringClient, RequireUnits } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import type { WorkspaceTags } from '../http/entity-tag.ts';
import type { RunOnce } from '../idempotency/run-once.ts';
import type { KeysClient } from '../keys/keys-client.ts';
import type { ProfilesClient } from '../peers/profiles-client.ts';
import type { ChargeScans } from '../scans/charge-scans.ts';
import type { RequestScans } from '../scans/request-scans.ts';
import type { ScanSchedulerClient } from '../scans/scheduler-client.ts';
import type { CursorSigner } from './cursor.ts';
import type { Documents } from './discovery/documents.ts';
import type { WorkspaceTurns } from './enrich-stores/workspace-turns.ts';

/** What the endpoints use. wiring/ creates it once. */
export interface Dependencies {
  clock: Clock;
  profiles: ProfilesClient;
  scheduler: ScanSchedulerClient;
  keys: KeysClient;
  metering: MeteringClient;
  balances: BalanceCache;
  chargeUnits: ChargeUnits;
  requireUnits: RequireUnits;
  requestScans: RequestScans;
  chargeScans: ChargeScans;
  runOnce: RunOnce;
  turns: WorkspaceTurns;
  cursors: CursorSigner;
  tagOf: WorkspaceTags;
  documents: Documents;
  /** Whether something that requests need is unavailable. */
  isDegraded(): boolean;
}
