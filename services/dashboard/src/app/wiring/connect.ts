import type { Clock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, mongoOptions, type PeerName, redisOptions } from '@shopscope/config';
import { connectPeer, openGrpcSecurity, type UnaryDefinition } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import type { ServiceShell } from '@shopscope/lifecycle';
import { connectMongo, createTransact, prepareCollections } from '@shopscope/mongo';
import {
  KeysServiceService,
  MeteringServiceService,
  ScanSchedulerServiceService,
  SearchServiceService,
  WebhooksServiceService,
  ZeroCopyProfilesService,
} from '@shopscope/proto';
import { createRedis } from '@shopscope/redis';
import type { DashboardConfig } from '../../config.ts';
import { createCountClient } from '../../find-stores/outbound/count-client.ts';
import { createKeysClient } from '../../keys/outbound/keys.ts';
import type { DashboardMetrics } from '../../metrics.ts';
import { createProfilesClient } from '../../public-site/outbound/profiles.ts';
import type { Probes } from '../../status/domain/service-status.ts';
import { createScanSchedulerClient } from '../../stores/outbound/scan-scheduler.ts';
import { createWebhooksClient } from '../../webhooks/outbound/webhooks.ts';
import { pageCalls } from '../outbound/call.ts';
import { countMails } from '../outbound/counted-mails.ts';
import { createDevelopmentMails } from '../outbound/development-mails.ts';
import { createGatewayClient } from '../outbound/gateway.ts';
import { createSmtpMailer } from '../outbound/smtp.ts';
import { createThrottle } from '../outbound/throttle.ts';
import { collections } from './collections.ts';

/** Opens the connections of the service. The cleanup of each resource is registered when the resource is created. */
export async function connect(
  config: DashboardConfig,
  { logger, registry, resources, addCheck }: ServiceShell,
  { clock, metrics }: { clock: Clock; metrics: DashboardMetrics },
) {
  const mongo = await connectMongo({ ...mongoOptions(config), appName: 'dashboard', logger, registry });
  resources.onStop('mongodb', mongo.close);
  addCheck('mongodb', () => mongo.available);
  await prepareCollections(mongo.db, collections, config);
  const redis = createRedis({ ...redisOptions(config), use: 'throttling', logger, registry });
  resources.onStop('redis', () => redis.close());

  const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
  resources.onStop('certificates', security.close);
  const peer = <D extends UnaryDefinition>(name: PeerName, address: string, definition: D) => {
    const connected = connectPeer({ definition, address, registry, security: security.towards(name) });
    resources.onStop(`client of ${name}`, connected.close);
    return connected;
  };
  const keys = peer('keys', config.KEYS_ADDRESS, KeysServiceService);
  const metering = peer('metering', config.METERING_ADDRESS, MeteringServiceService);
  const profiles = peer('profiles', config.PROFILES_ADDRESS, ZeroCopyProfilesService);
  const scheduler = peer('scan-scheduler', config.SCAN_SCHEDULER_ADDRESS, ScanSchedulerServiceService);
  const search = peer('search', config.SEARCH_ADDRESS, SearchServiceService);
  const webhooks = peer('webhooks', config.WEBHOOKS_ADDRESS, WebhooksServiceService);
  const { https } = security;
  const gateway = createGatewayClient({
    address: config.GATEWAY_ADDRESS,
    towards: https && (() => https.towards('gateway')),
  });
  resources.onStop('client of gateways', gateway.close);

  const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
  resources.onStop('kafka', () => kafka.close());
  const producer = createProducer(kafka);
  resources.onStop('kafka producer', () => producer.close());

  const developmentMails = config.DEVELOPMENT_MAIL ? createDevelopmentMails(mongo.db) : undefined;
  const smtp = config.MAIL_URL ? createSmtpMailer({ url: config.MAIL_URL, from: config.MAIL_FROM }) : undefined;
  if (smtp) resources.onStop('mail', async () => smtp.close());
  const deliver = smtp ?? developmentMails?.send;
  if (!deliver) throw new Error('either MAIL_URL or DEVELOPMENT_MAIL is set');

  const probes: Probes = {
    api: gateway.probe,
    keys: keys.probe,
    lookups: profiles.probe,
    usage: metering.probe,
    scans: scheduler.probe,
  };
  return {
    mongo,
    security,
    developmentMails,
    consuming: { kafka, producer, clock },
    /** The dependencies of the operations. */
    clients: {
      transact: createTransact(mongo),
      throttle: createThrottle(redis),
      keys: createKeysClient(keys.client),
      metering: pageCalls(metering.client, 'getUsage', 'getDailyUsage'),
      profiles: createProfilesClient(profiles.client),
      scans: createScanSchedulerClient(scheduler.client),
      search: pageCalls(search.client, 'countStores'),
      countClient: createCountClient(search.client),
      webhooks: createWebhooksClient(webhooks.client),
      gateway,
      probes,
      sendMail: countMails(deliver, metrics.mails),
    },
  };
}
