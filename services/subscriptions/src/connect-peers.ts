import { createMeteringClient } from '@shopscope/charging';
import { grpcTlsFiles, type PeerName } from '@shopscope/config';
import { createScanSchedulerClient, createStoreLookUps } from '@shopscope/enrich';
import { createGrpcClient, openGrpcSecurity, type UnaryDefinition } from '@shopscope/grpc';
import type { ServiceParts } from '@shopscope/lifecycle';
import {
  KeysServiceService,
  MeteringServiceService,
  ScanSchedulerServiceService,
  SearchServiceService,
  ZeroCopyProfilesService,
} from '@shopscope/proto';
import type { SubscriptionsConfig } from './config.ts';
import { createPayers } from './outbound/payers.ts';
import { createStoreSearch } from './outbound/store-search.ts';

/**
 * Creates the clients of the called services.
 *
 * - A called service is unavailable -> the work that needs it waits. The instance stays ready, because all other calls continue.
 */
export function connectPeers(
  config: SubscriptionsConfig,
  { logger, registry, resources, clock }: Pick<ServiceParts, 'logger' | 'registry' | 'resources' | 'clock'>,
) {
  const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
  resources.onStop('certificates', security.close);
  const connect = <D extends UnaryDefinition>(name: PeerName, address: string, definition: D) => {
    const client = createGrpcClient({ definition, address, registry, security: security.towards(name) });
    resources.onStop(`client of ${name}`, () => client.close());
    return client;
  };
  const { KEYS_ADDRESS, PROFILES_ADDRESS, METERING_ADDRESS, SCAN_SCHEDULER_ADDRESS, SEARCH_ADDRESS } = config;
  return {
    security,
    payers: createPayers({ keys: connect('keys', KEYS_ADDRESS, KeysServiceService), clock }),
    profiles: createStoreLookUps(connect('profiles', PROFILES_ADDRESS, ZeroCopyProfilesService)),
    metering: createMeteringClient(connect('metering', METERING_ADDRESS, MeteringServiceService)),
    scheduler: createScanSchedulerClient(
      connect('scan-scheduler', SCAN_SCHEDULER_ADDRESS, ScanSchedulerServiceService),
    ),
    storeSearch: createStoreSearch(connect('search', SEARCH_ADDRESS, SearchServiceService)),
  };
}
