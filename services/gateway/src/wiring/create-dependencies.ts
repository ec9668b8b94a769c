import {
  createBalanceCache,
  createChargeUnits,
  createLeaseUnits,
  createRequireUnits,
  type EventPublisher,
} from '@shopscope/charging';
import { createCursorSigner } from '../endpoints/cursor.ts';
import type { Dependencies } from '../endpoints/dependencies.ts';
import { createDocuments } from '../endpoints/discovery/documents.ts';
import { operations } from '../endpoints/endpoints.ts';
import type { WorkspaceTurns } from '../endpoints/enrich-stores/workspace-turns.ts';
import { createWorkspaceTags } from '../http/entity-tag.ts';
import { createIdempotencyStore } from '../idempotency/redis-store.ts';
import { createRunOnce } from '../idempotency/run-once.ts';
import { createChargeScans } from '../scans/charge-scans.ts';
import { createRequestScans } from '../scans/request-scans.ts';
import type { Peers } from './connect-peers.ts';
import type { Context } from './context.ts';
import type { Redises } from './open-redis.ts';

/** What the endpoints use. */
export function createDependencies(
  { config, clock, resources, metrics }: Context,
  parts: {
    peers: Peers;
    redises: Redises;
    events: EventPublisher;
    turns: WorkspaceTurns;
    isDegraded: () => boolean;
  },
): Dependencies {
  const { peers, redises, events, turns, isDegraded } = parts;
  const { keys, profiles, metering, scheduler } = peers;
  const balances = createBalanceCache({ metering, clock });
  const leases = createLeaseUnits({ metering, clock });
  // This cleanup runs after that of the HTTP servers, so all charges have been made.
  resources.onStop('leases', leases.stop);
  const chargeUnits = createChargeUnits({ metering, leases, events, balances, clock, onOutcome: metrics.charge });
  const requestScans = createRequestScans({ scheduler, events, clock });
  const store = createIdempotencyStore(redises.responses, {
    workspaceBytes: config.IDEMPOTENCY_MAX_BYTES,
    totalBytes: config.IDEMPOTENCY_TOTAL_MAX_BYTES,
  });
  return {
    clock,
    profiles,
    scheduler,
    keys,
    metering,
    balances,
    chargeUnits,
    requireUnits: createRequireUnits({ metering, chargeUnits, balances }),
    requestScans,
    chargeScans: createChargeScans({ requestScans, chargeUnits }),
    runOnce: createRunOnce({ store, clock, onOutcome: metrics.idempotentRequest }),
    turns,
    cursors: createCursorSigner(config.CURSOR_SECRET),
    tagOf: createWorkspaceTags(config.CURSOR_SECRET),
    documents: createDocuments(operations, { api: config.PUBLIC_API_URL, site: config.PUBLIC_SITE_URL }),
    isDegraded,
  };
}
