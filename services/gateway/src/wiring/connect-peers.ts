import { createMeteringClient } from '@shopscope/charging';
import { grpcTlsFiles, type PeerName } from '@shopscope/config';
import { createScanSchedulerClient } from '@shopscope/enrich';
import { connectPeer, openGrpcSecurity, type UnaryDefinition } from '@shopscope/grpc';
import {
  KeysServiceService,
  MeteringServiceService,
  ScanSchedulerServiceService,
  SubscriptionsServiceService,
  WebhooksServiceService,
  ZeroCopyProfilesService,
} from '@shopscope/proto';
import { createKeysClient } from '../keys/keys-client.ts';
import { createProfilesClient } from '../peers/profiles-client.ts';
import { createSubscriptionsClient } from '../peers/subscriptions-client.ts';
import { createWebhooksClient } from '../peers/webhooks-client.ts';
import type { Context } from './context.ts';
import type { Probe } from './health-probes.ts';

export type Peers = ReturnType<typeof connectPeers>;

/** Creates the clients of the called services. */
export function connectPeers({ config, logger, registry, resources, metrics }: Context) {
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
  } = config;
  return {
    keys: createKeysClient(connect('keys', KEYS_ADDRESS, KeysServiceService)),
    profiles: createProfilesClient(connect('profiles', PROFILES_ADDRESS, ZeroCopyProfilesService), metrics.batch),
    metering: createMeteringClient(connect('metering', METERING_ADDRESS, MeteringServiceService), metrics.batch),
    scheduler: createScanSchedulerClient(
      connect('scan-scheduler', SCAN_SCHEDULER_ADDRESS, ScanSchedulerServiceService),
    ),
    subscriptions: createSubscriptionsClient(
      connect('subscriptions', SUBSCRIPTIONS_ADDRESS, SubscriptionsServiceService),
    ),
    webhooks: createWebhooksClient(connect('webhooks', WEBHOOKS_ADDRESS, WebhooksServiceService)),
    probes,
    security,
  };
}
