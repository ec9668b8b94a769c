import { join } from 'node:path';
import { type ServiceProcess, startService } from './service-process.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** A scan-scheduler, a profiles and one scanner with their own databases and topics. */
export interface ScanProcesses {
  scannerPid: number;
  schedulerAddress: string;
  /** The others, by name. */
  pids: Record<string, number>;
  stop(): Promise<void>;
}

export interface ScanResources {
  topicPrefix: string;
  schedulerDatabase: string;
  profilesDatabase: string;
  /** The addresses of the stores. */
  hostsFile: string;
}

/** Offset from `portBase`. The ports of the system and of other processes of the bench have lower offsets. */
const portOffset = 440;
/** Scans at the same time. The default of a scanner, 4, is for stores that are far away and not waited for here. */
const scanConcurrency = 32;

export async function startScanProcesses(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  { topicPrefix, schedulerDatabase, profilesDatabase, hostsFile }: ScanResources,
): Promise<ScanProcesses> {
  const port = (n: number) => settings.portBase + portOffset + n;
  const running: ServiceProcess[] = [];
  const stop = async () => {
    for (const service of running.toReversed()) await service.stop();
  };
  const start = async (service: string, adminPort: number, env: Record<string, string>): Promise<ServiceProcess> => {
    const started = await startService({
      ...{ root, settings, service, adminPort },
      logFile: `bench-${service}.log`,
      env: {
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        INSTANCE_ID: `bench-${service}`,
        KAFKA_BROKERS: system.brokers.join(','),
        KAFKA_TOPIC_PREFIX: topicPrefix,
        MONGODB_URL: system.mongoUrl,
        ...env,
      },
    });
    running.push(started);
    return started;
  };
  try {
    const profiles = await start('profiles', port(1), {
      GRPC_PORT: String(port(0)),
      MONGODB_DATABASE: profilesDatabase,
      PUBLIC_SITE_URL: system.apiUrl,
    });
    const scheduler = await start('scan-scheduler', port(3), {
      GRPC_PORT: String(port(2)),
      MONGODB_DATABASE: schedulerDatabase,
    });
    const schedulerAddress = `127.0.0.1:${port(2)}`;
    const scanner = await start('scanner', port(4), {
      SCAN_SCHEDULER_ADDRESS: schedulerAddress,
      SHOPSCOPE_SCAN_HOSTS: hostsFile,
      SCAN_HOST_DELAY_MS: '0',
      SCAN_CONCURRENCY: String(scanConcurrency),
    });
    const pids = { profiles: profiles.pid, 'scan-scheduler': scheduler.pid };
    return { scannerPid: scanner.pid, schedulerAddress, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The file of the addresses of the stores, in the folder of the bench. */
export const hostsFileOf = ({ stateDir }: BenchSettings): string => join(stateDir, 'bench-scan-hosts.json');
