import { startPeriodicLoop } from '@shopscope/async';
import { createBalanceCache, createLeaseUnits } from '@shopscope/charging';
import { createCursorSigner } from '../endpoints/cursor.ts';
import type { Dependencies } from '../endpoints/dependencies.ts';
import { createDocuments } from '../endpoints/discovery/documents.ts';
import { operations } from '../endpoints/endpoints.ts';
import { createWorkspaceTags } from '../http/entity-tag.ts';
import { createIdempotencyStore } from '../idempotency/redis-store.ts';
import { sumIntervalMs } from '../idempotency/total-bytes.ts';
import type { Peers } from './connect-peers.ts';
import type { Context } from './context.ts';
import type { Redises } from './open-redis.ts';

/** Creates the dependencies of the endpoints. */
export function createDependencies(
  { config, clock, resources, metrics }: Context,
  { keys, profiles, metering, scheduler, subscriptions, webhooks }: Peers,
  redises: Redises,
  others: Pick<Dependencies, 'events' | 'turns' | 'waiting' | 'isDegraded'>,
): Dependencies {
  const leases = createLeaseUnits({ metering, clock });
  // This cleanup runs after the cleanup of the HTTP servers, so all charges have been made.
  resources.onStop('leases', leases.stop);
  const responses = createIdempotencyStore(redises.responses, clock, {
    workspaceBytes: config.IDEMPOTENCY_MAX_BYTES,
    totalBytes: config.IDEMPOTENCY_TOTAL_MAX_BYTES,
  });
  const sums = startPeriodicLoop({
    intervalMs: sumIntervalMs,
    immediate: true,
    run: responses.sumTotal,
    onError: () => {},
    clock,
  });
  // This cleanup also runs after the cleanup of the HTTP servers, so all responses have been stored.
  resources.onStop('sums of stored responses', async () => {
    await sums.stop();
    await responses.countTotal();
  });
  return {
    clock,
    profiles,
    scheduler,
    subscriptions,
    webhooks,
    keys,
    metering,
    leases,
    balances: createBalanceCache({ metering, clock }),
    onCharge: metrics.charge,
    responses,
    onIdempotentRequest: metrics.idempotentRequest,
    cursors: createCursorSigner(config.CURSOR_SECRET),
    tagOf: createWorkspaceTags(config.CURSOR_SECRET),
    publicApiUrl: config.PUBLIC_API_URL,
    documents: createDocuments(operations, { api: config.PUBLIC_API_URL, site: config.PUBLIC_SITE_URL }),
    ...others,
  };
}
