import { createMeteringClient } from '@shopscope/charging';
import { grpcTlsFiles, type PeerName } from '@shopscope/config';
import { createScanSchedulerClient } from '@shopscope/enrich';
import { connectPeer, openGrpcSecurity, type UnaryDefinition } from '@shopscope/grpc';
import {
  KeysServiceService,
  MeteringServiceService,
  ScanSchedulerServiceService,
  SearchServiceService,
  SubscriptionsServiceService,
  WebhooksServiceService,
  ZeroCopyProfilesService,
} from '@shopscope/proto';
import { createKeysClient } from '../keys/keys-client.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { createProfilesClient } from '../peers/profiles-client.ts';
import { createSearchClient } from '../peers/search-client.ts';
import { createSubscriptionsClient } from '../peers/subscriptions-client.ts';
import { createTestTenantClient } from '../peers/test-tenant-client.ts';
import { createWebhooksClient } from '../peers/webhooks-client.ts';
import type { Context } from './context.ts';
import type { Probe } from './health-probes.ts';

export type Peers = ReturnType<typeof connectPeers>;

/** Connects to the called services. Both environments share the connections. */
export function connectPeers({ config, logger, registry, resources }: Context) {
  const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
  resources.onStop('certificates', security.close);
  const probes: Record<string, Probe> = {};
  const connect = <D extends UnaryDefinition>(name: PeerName, address: string, definition: D) => {
    const peer = connectPeer({ definition, address, registry, security: security.towards(name) });
    resources.onStop(`client of ${name}`, peer.close);
    probes[name] = peer.probe;
    return peer.client;
  };
  const {
    KEYS_ADDRESS,
    PROFILES_ADDRESS,
    METERING_ADDRESS,
    SCAN_SCHEDULER_ADDRESS,
    SUBSCRIPTIONS_ADDRESS,
    WEBHOOKS_ADDRESS,
    SEARCH_ADDRESS,
  } = config;
  const keys = createKeysClient(connect('keys', KEYS_ADDRESS, KeysServiceService));
  const profiles = connect('profiles', PROFILES_ADDRESS, ZeroCopyProfilesService);
  const metering = connect('metering', METERING_ADDRESS, MeteringServiceService);
  const scheduler = connect('scan-scheduler', SCAN_SCHEDULER_ADDRESS, ScanSchedulerServiceService);
  const subscriptions = connect('subscriptions', SUBSCRIPTIONS_ADDRESS, SubscriptionsServiceService);
  const webhooks = connect('webhooks', WEBHOOKS_ADDRESS, WebhooksServiceService);
  const search = connect('search', SEARCH_ADDRESS, SearchServiceService);
  return {
    keys,
    /** Creates the clients of one environment. Their batches are their own, so that no test call is in front of a live one. Without `onBatch`, no metric counts them. */
    createClients: (onBatch?: GatewayMetrics['batch']) => ({
      keys,
      profiles: createProfilesClient(profiles, onBatch),
      metering: createMeteringClient(metering, onBatch),
      scheduler: createScanSchedulerClient(scheduler),
      subscriptions: createSubscriptionsClient(subscriptions),
      webhooks: createWebhooksClient(webhooks),
      search: createSearchClient(search),
      testTenant: createTestTenantClient({ profiles, metering, scheduler, subscriptions, webhooks }),
    }),
    probes,
    security,
  };
}
