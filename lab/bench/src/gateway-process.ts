import { type ServiceProcess, startService } from './service-process.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** An additional gateway in front of the services of the system. */
export interface GatewayProcess extends ServiceProcess {
  url: string;
}

/** Offset from `portBase`. The ports of the system and of the metering process have lower offsets. */
const portOffset = 410;

/**
 * Its log goes to a file, as with `npm start`. Resolves when it is ready. `number` separates the ports of several
 * gateways.
 */
export async function startGateway(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  { number, logLevel, requestLog = true }: { number: number; logLevel: string; requestLog?: boolean },
): Promise<GatewayProcess> {
  const httpPort = settings.portBase + portOffset + 2 * number;
  const running = await startService({
    root,
    settings,
    service: 'gateway',
    adminPort: httpPort + 1,
    logFile: `bench-gateway-${number}-${logLevel}.log`,
    env: {
      LOG_LEVEL: logLevel,
      REQUEST_LOG: String(requestLog),
      INSTANCE_ID: `bench-gateway-${number}`,
      HTTP_PORT: String(httpPort),
      // Nobody calls it.
      INTERNAL_PORT: '0',
      KAFKA_BROKERS: system.brokers.join(','),
      REDIS_URL: system.redisUrl,
      ...system.addresses,
      PUBLIC_API_URL: system.apiUrl,
      PUBLIC_SITE_URL: system.apiUrl,
      CURSOR_SECRET: 'a development secret, for cursors of the bench',
      DRAIN_DELAY_MS: '0',
    },
  });
  return { url: `http://127.0.0.1:${httpPort}`, ...running };
}
