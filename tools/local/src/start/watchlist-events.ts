import { grpcTlsFiles, mongoOptions, mongoRules, mongoSettings, readConfig, z } from '@shopscope/config';
import { makeDemoEvents } from '@shopscope/demo-usage';
import { createGrpcClient, openGrpcSecurity } from '@shopscope/grpc';
import { connectMongo } from '@shopscope/mongo';
import { ProfilesServiceService } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { certificatesDirectory, tlsVariables } from '../certificates/certificates.ts';
import { addressOf } from './services.ts';
import type { StartSettings } from './settings.ts';

export interface WatchlistEventsOptions {
  settings: StartSettings;
  /** Variables with the address of MongoDB and, with security, the password of subscriptions. */
  mongoEnvironment: Record<string, string>;
  workspaceId: string;
  watchlistId: string;
  stores: readonly { domain: string; external_id: string }[];
}

const service = 'demo-events';

/** Gives a watchlist the events of three weeks, in the database of subscriptions. */
export async function makeWatchlistEvents(options: WatchlistEventsOptions): Promise<void> {
  const { settings, mongoEnvironment, workspaceId, watchlistId } = options;
  const schema = z.object({ SHOPSCOPE_ENV: z.string().default('development'), ...mongoSettings('subscriptions') });
  // Profiles accepts reads of signals from gateways only.
  const security = openGrpcSecurity({
    files: grpcTlsFiles(settings.tls ? tlsVariables(certificatesDirectory(settings.stateDir), 'gateway') : {}),
  });
  const profiles = createGrpcClient({
    definition: ProfilesServiceService,
    address: addressOf(settings, 'profiles'),
    security: security.towards('profiles'),
  });
  try {
    const mongo = await connectMongo({
      ...mongoOptions(readConfig(schema, mongoEnvironment, [mongoRules])),
      appName: service,
      logger: createLogger({ service, instance: service, level: 'fatal' }),
      registry: createRegistry({ service }),
    });
    try {
      const stores = options.stores.map(({ domain, external_id: externalId }) => ({ domain, externalId }));
      await makeDemoEvents({ profiles, mongo, workspaceId, watchlistId, stores });
    } finally {
      await mongo.close();
    }
  } finally {
    profiles.close();
    security.close();
  }
}
