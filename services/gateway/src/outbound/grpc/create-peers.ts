import { createGrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import {
  KeysServiceService,
  LeanProfilesService,
  MeteringServiceService,
  ScanSchedulerServiceService,
} from '@shopscope/proto';
import type { Registry } from '@shopscope/telemetry';
import { healthDefinition, type Probe, servingProbe } from '../health-probes.ts';
import { createKeysPeer, type KeysPeer } from './keys.ts';
import { createMeteringPeer, type MeteringPeer } from './metering.ts';
import { createProfilesPeer, type ProfilesPeer } from './profiles.ts';
import { createScansPeer, type ScansPeer } from './scans.ts';

/** The four neighbours, with a probe of each. */
export interface Peers {
  keys: KeysPeer;
  profiles: ProfilesPeer;
  metering: MeteringPeer;
  scans: ScansPeer;
  probes: Record<string, Probe>;
  close(): void;
}

export interface PeersOptions {
  addresses: {
    KEYS_ADDRESS: string;
    PROFILES_ADDRESS: string;
    METERING_ADDRESS: string;
    SCAN_SCHEDULER_ADDRESS: string;
  };
  registry: Registry;
  security: GrpcSecurity;
  onBatch(kind: string, size: number): void;
}

export function createPeers({ addresses, registry, security, onBatch }: PeersOptions): Peers {
  const to = {
    keys: { address: addresses.KEYS_ADDRESS, security: security.towards('keys') },
    profiles: { address: addresses.PROFILES_ADDRESS, security: security.towards('profiles') },
    metering: { address: addresses.METERING_ADDRESS, security: security.towards('metering') },
    scans: { address: addresses.SCAN_SCHEDULER_ADDRESS, security: security.towards('scan-scheduler') },
  };
  const keys = createGrpcClient({ definition: KeysServiceService, ...to.keys, registry });
  const profiles = createGrpcClient({ definition: LeanProfilesService, ...to.profiles, registry });
  const metering = createGrpcClient({ definition: MeteringServiceService, ...to.metering, registry });
  const scans = createGrpcClient({ definition: ScanSchedulerServiceService, ...to.scans, registry });
  const health = Object.entries(to).map(
    ([name, peer]) => [name, createGrpcClient({ definition: healthDefinition, ...peer })] as const,
  );
  return {
    keys: createKeysPeer(keys),
    profiles: createProfilesPeer(profiles, (size) => onBatch('lookup', size)),
    metering: createMeteringPeer(metering, onBatch),
    scans: createScansPeer(scans),
    probes: Object.fromEntries(health.map(([name, client]) => [name, servingProbe(client)])),
    close() {
      for (const client of [keys, profiles, metering, scans, ...health.map(([, each]) => each)]) client.close();
    },
  };
}
