import { type ServiceProcess, startService } from './service-process.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** An additional metering service with its own database, topics and consumer group. */
export interface MeteringProcess extends ServiceProcess {
  address: string;
}

/** Above all ports of the system's services. */
const portsAbove = 400;

/** Resolves when it is ready. It consumes usage events from then on. */
export async function startMetering(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  own: { database: string; topicPrefix: string },
): Promise<MeteringProcess> {
  const grpcPort = settings.portBase + portsAbove;
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
      MONGODB_DATABASE: own.database,
      KAFKA_BROKERS: system.brokers.join(','),
      KAFKA_TOPIC_PREFIX: own.topicPrefix,
      // Here reservations are made long before their events.
      RESERVATION_TTL_MS: '300000',
    },
  });
  return { address: `127.0.0.1:${grpcPort}`, ...running };
}
