import { startPeriodicLoop } from '@shopscope/async';
import { createBalanceCache, createEventPublisher, createLeaseUnits } from '@shopscope/charging';
import type { Environment } from '@shopscope/environment';
import { createCursorSigner } from '../endpoints/cursor.ts';
import type { Dependencies, EveryEnvironment } from '../endpoints/dependencies.ts';
import { createDocuments } from '../endpoints/discovery/documents.ts';
import { operations } from '../endpoints/endpoints.ts';
import { createTimeSlices } from '../endpoints/graphql/time-slices.ts';
import { createStoreCounts } from '../endpoints/technologies/store-counts.ts';
import { createWorkspaceTags } from '../http/entity-tag.ts';
import { createIdempotencyStore } from '../idempotency/redis-store.ts';
import { createTestResets } from '../idempotency/test-resets.ts';
import { sumIntervalMs } from '../idempotency/total-bytes.ts';
import type { Peers } from './connect-peers.ts';
import type { Context } from './context.ts';
import type { OpenedKafka } from './open-kafka.ts';
import type { Redises } from './open-redis.ts';

/** Creates the dependencies of the endpoints, for each environment. */
export function createDependencies(
  { config, clock, resources, metrics }: Context,
  peers: Peers,
  redises: Redises,
  {
    producers,
    turns,
    ...others
  }: Pick<OpenedKafka, 'producers' | 'turns'> & Pick<Dependencies, 'waiting' | 'isDegraded'>,
): EveryEnvironment {
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
  // This cleanup runs after the cleanup of the HTTP servers, so all responses have been stored.
  resources.onStop('sums of stored responses', async () => {
    await sums.stop();
    await responses.countTotal();
  });
  const shared = {
    clock,
    responses,
    resets: createTestResets(redises.responses),
    cursors: createCursorSigner(config.CURSOR_SECRET),
    slices: createTimeSlices({ clock }),
    tagOf: createWorkspaceTags(config.CURSOR_SECRET),
    publicApiUrl: config.PUBLIC_API_URL,
    documents: createDocuments(operations, { api: config.PUBLIC_API_URL, site: config.PUBLIC_SITE_URL }),
    ...others,
  };
  const dependenciesOf = (environment: Environment) => {
    const clients = peers.createClients(environment === 'live' ? metrics.batch : undefined);
    const { metering } = clients;
    return {
      ...shared,
      ...clients,
      balances: createBalanceCache({ metering, clock }),
      storeCounts: createStoreCounts({ search: clients.search, clock }),
      events: createEventPublisher(producers[environment]),
      turns: turns[environment],
    };
  };
  const live = dependenciesOf('live');
  const leases = createLeaseUnits({ metering: live.metering, clock });
  // This cleanup runs after the cleanup of the HTTP servers, so all charges have been made.
  resources.onStop('leases', leases.stop);
  return {
    live: { ...live, leases, onCharge: metrics.charge, onIdempotentRequest: metrics.idempotentRequest },
    // Metering lends no units of the test tenant: Reserve decides every charge. The metrics are those of production.
    test: {
      ...dependenciesOf('test'),
      leases: { charge: async () => undefined },
      onCharge: () => {},
      onIdempotentRequest: () => {},
    },
  };
}
