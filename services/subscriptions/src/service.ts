import { startPeriodicLoop } from '@shopscope/async';
import { mongoOptions } from '@shopscope/config';
import type { Environment } from '@shopscope/environment';
import { serveGrpc } from '@shopscope/grpc';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, createTransact, ensureIndexes } from '@shopscope/mongo';
import { SubscriptionsServiceService } from '@shopscope/proto';
import type { SubscriptionsConfig } from './config.ts';
import { subscriptionsAccess } from './inbound/grpc/access.ts';
import { subscriptionsHandlers } from './inbound/grpc/handlers.ts';
import { tick } from './inbound/timer/tick.ts';
import { createMetrics } from './metrics.ts';
import type { Dependencies, EveryEnvironment } from './operations/dependencies.ts';
import { createWorkspaceChanges } from './operations/workspace-changes.ts';
import { collectionIndexes, createStores } from './outbound/mongo/stores.ts';

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startSubscriptions = (
  config: SubscriptionsConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> =>
  startService({ name: 'subscriptions', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock } = parts;
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'subscriptions', logger, registry });
    resources.onStop('mongodb', mongo.close);
    parts.addCheck('mongodb', () => mongo.available);
    await ensureIndexes(mongo.db, collectionIndexes);

    const shared = {
      clock,
      logger,
      metrics: createMetrics(registry),
      // A unique index rejects one of two concurrent transactions. The rejected one runs again and reads the new data.
      transact: createTransact(mongo, { retryDuplicateKeys: true }),
      changes: createWorkspaceChanges(),
    };
    const dependenciesOf = <E extends Environment>(environment: E): Dependencies<E> => ({
      ...shared,
      environment,
      ...createStores(mongo.db, environment),
    });
    const deps: EveryEnvironment = { live: dependenciesOf('live'), test: dependenciesOf('test') };

    const grpcAddress = await serveGrpc(config, parts, {
      definition: SubscriptionsServiceService,
      handlers: subscriptionsHandlers(deps),
      access: subscriptionsAccess,
    });
    const ticker = startPeriodicLoop({
      intervalMs: config.TICK_MS,
      immediate: true,
      run: () => tick(deps),
      onError: (error) => logger.error({ err: error }, 'a tick failed; the next one tries again'),
      clock,
    });
    resources.onStop('ticker', ticker.stop);
    parts.markReady();
    const groups = [deps.live.lists, deps.live.watchlists, deps.test.lists, deps.test.watchlists];
    const countHidden = async () =>
      (await Promise.all(groups.map((each) => each.countHidden()))).reduce((sum, count) => sum + count, 0);
    return { grpcAddress, pending: countHidden };
  });
