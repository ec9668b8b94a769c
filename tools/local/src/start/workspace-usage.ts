import { withTimeout } from '@shopscope/async';
import { grpcTlsFiles, kafkaOptions, kafkaSettings, readConfig, z } from '@shopscope/config';
import { makeDemoUsage } from '@shopscope/demo-usage';
import { createGrpcClient, type GrpcSecurity, openGrpcSecurity } from '@shopscope/grpc';
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
import type { SeededState } from './demo-workspace.ts';
import { addressOf, adminUrlsOf } from './services.ts';
import type { StartSettings } from './settings.ts';

export interface WorkspaceUsageOptions {
  settings: StartSettings;
  state: SeededState;
  asOperator: GrpcSecurity;
  /** Variables with the address of Kafka and, with security, the password of a gateway. */
  kafkaEnvironment: Record<string, string>;
}

/**
 * Gives the demo workspace two weeks of usage that end today, by keys of its own.
 *
 * - Repeated -> the missing days only. A new workspace -> all days.
 * - Nothing else may call metering meanwhile, because its time moves.
 */
export async function makeWorkspaceUsage(options: WorkspaceUsageOptions): Promise<void> {
  const { settings, state, asOperator } = options;
  const { workspaceId } = state;
  const { keys: demoKeys, firstRunMs } = state.demoUsage;
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
      producer.publishMany(requestsCompleted.live, events, noOrigin, { timeoutMs }),
    /** Resolves also when no broker answers. */
    async close() {
      await withTimeout(producer.close(), closeMs, 'no broker answers').catch(() => {});
      await withTimeout(kafka.close(), closeMs, 'no broker answers').catch(() => {});
    },
  };
}
