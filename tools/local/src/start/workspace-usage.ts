import { withTimeout } from '@shopscope/async';
import { grpcTlsFiles, kafkaOptions, kafkaSettings, readConfig, z } from '@shopscope/config';
import { type DemoKey, type KeyPattern, makeDemoUsage } from '@shopscope/demo-usage';
import { createGrpcClient, type GrpcClient, type GrpcSecurity, openGrpcSecurity } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import {
  type KeyActivity,
  KeysServiceService,
  keyActivity,
  MeteringServiceService,
  type RequestsCompleted,
  requestsCompleted,
  type Units,
} from '@shopscope/proto';
import { createLogger, createRegistry, noOrigin } from '@shopscope/telemetry';
import { certificatesDirectory, tlsVariables } from '../certificates/certificates.ts';
import { addressOf, adminUrlsOf } from './services.ts';
import type { StartSettings } from './settings.ts';
import type { LocalState } from './state.ts';

/** The keys to which the demo usage belongs, in the order of the list that people see. Nobody knows their secrets. */
const keyPlans: readonly { label: string; preset: string; pattern: KeyPattern }[] = [
  { label: 'Shop search (production)', preset: 'read_only', pattern: 'production' },
  { label: 'Nightly lead enrichment', preset: 'full', pattern: 'batch' },
  { label: 'Old CRM integration', preset: 'read_only', pattern: 'stopped' },
  { label: 'Tests of the data team', preset: 'read_and_watch', pattern: 'testing' },
];

const actor = 'operator:npm start';

export interface WorkspaceUsageOptions {
  settings: StartSettings;
  state: LocalState;
  save(state: LocalState): void;
  asOperator: GrpcSecurity;
  /** Variables with the address of Kafka and, with security, the password of a gateway. */
  kafkaEnvironment: Record<string, string>;
}

/**
 * Gives the demo workspace two weeks of usage that end today, by keys of its own.
 *
 * - Repeated -> the missing days only. A new workspace -> new keys and all days.
 * - Nothing else may call metering meanwhile, because its time moves.
 */
export async function makeWorkspaceUsage(options: WorkspaceUsageOptions): Promise<void> {
  const { settings, state, save, asOperator } = options;
  const { workspaceId = '' } = state;
  const certificates = certificatesDirectory(settings.stateDir);
  // Metering accepts usage of gateways only.
  const asGateway = openGrpcSecurity({
    files: grpcTlsFiles(settings.tls ? tlsVariables(certificates, 'gateway') : {}),
  });
  const { close: closePublisher, ...publish } = createPublisher(options.kafkaEnvironment);
  const keys = createGrpcClient({
    definition: KeysServiceService,
    address: addressOf(settings, 'keys'),
    security: asOperator.towards('keys'),
  });
  const metering = createGrpcClient({
    definition: MeteringServiceService,
    address: addressOf(settings, 'metering'),
    security: asGateway.towards('metering'),
  });
  try {
    const { keys: demoKeys, firstRunMs } = await demoUsageOf(keys, state, save);
    const { plan } = await keys.getWorkspace({ workspaceId });
    const included = plan?.included as Units;
    const adminUrls = adminUrlsOf(settings, 'metering');
    await makeDemoUsage({ metering, ...publish, adminUrls, workspaceId, keys: demoKeys, included, firstRunMs });
  } finally {
    keys.close();
    metering.close();
    asGateway.close();
    await closePublisher();
  }
}

const closeMs = 1_000;

function createPublisher(environment: Record<string, string>) {
  const name = 'demo-usage';
  const schema = z.object({ SHOPSCOPE_ENV: z.string().default('development'), ...kafkaSettings });
  const options = kafkaOptions({ ...readConfig(schema, environment), INSTANCE_ID: name });
  const logger = createLogger({ service: name, instance: name, level: 'fatal' });
  const kafka = createKafka({ ...options, logger, registry: createRegistry({ service: name }) });
  const producer = createProducer(kafka);
  return {
    publishActivity: (reports: readonly KeyActivity[], timeoutMs: number) =>
      producer.publishMany(keyActivity, reports, noOrigin, { timeoutMs }),
    publishRequests: (events: readonly RequestsCompleted[], timeoutMs: number) =>
      producer.publishMany(requestsCompleted, events, noOrigin, { timeoutMs }),
    /** Resolves also when no broker answers. */
    async close() {
      await withTimeout(producer.close(), closeMs, 'no broker answers').catch(() => {});
      await withTimeout(kafka.close(), closeMs, 'no broker answers').catch(() => {});
    },
  };
}

async function demoUsageOf(
  keys: GrpcClient<typeof KeysServiceService>,
  state: LocalState,
  save: WorkspaceUsageOptions['save'],
) {
  const { workspaceId = '' } = state;
  if (state.demoUsage?.workspaceId === workspaceId) return state.demoUsage;
  const common = { workspaceId, scopes: [], expiresAtMs: undefined, actor, actorAddress: '' };
  const demoUsage = { workspaceId, firstRunMs: Date.now(), keys: [] as DemoKey[] };
  // One after the other, so that the list of keys has this order.
  for (const { label, preset, pattern } of keyPlans) {
    // With the token, a start after an interrupted one gets the same key.
    const { key } = await keys.createKey({ ...common, label, preset, requestToken: `demo-usage-${pattern}` });
    demoUsage.keys.push({ keyId: key?.id ?? '', prefix: key?.prefix ?? '', pattern });
  }
  save({ ...state, demoUsage });
  return demoUsage;
}
