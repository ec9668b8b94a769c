import { type ServiceProcess, startService } from './service-process.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** An additional metering service with its own database, topics and consumer group. */
export interface MeteringProcess extends ServiceProcess {
  address: string;
}

/** Offset from `portBase`. The ports of the system have offsets below 300. */
const portOffset = 400;

/** Resolves when it is ready. It consumes usage events from then on. */
export async function startMetering(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  resources: { database: string; topicPrefix: string },
): Promise<MeteringProcess> {
  const grpcPort = settings.portBase + portOffset;
  const running = await startService({
    root,
    settings,
    service: 'metering',
    adminPort: grpcPort + 1,
    env: {
      LOG_LEVEL: 'warn',
      INSTANCE_ID: 'bench-metering',
      GRPC_PORT: String(grpcPort),
      MONGODB_URL: system.mongoUrl,
      MONGODB_DATABASE: resources.database,
      KAFKA_BROKERS: system.brokers.join(','),
      KAFKA_TOPIC_PREFIX: resources.topicPrefix,
      // The benchmark makes all reservations before it publishes the usage events. This time keeps the reservations open
      // until then.
      RESERVATION_TTL_MS: '300000',
    },
  });
  return { address: `127.0.0.1:${grpcPort}`, ...running };
}
