import { createGrpcClient } from '@shopscope/grpc';
import {
  KeysServiceService,
  MeteringServiceService,
  ProfilesServiceService,
  ScanSchedulerServiceService,
} from '@shopscope/proto';
import type { Registry } from '@shopscope/telemetry';
import { healthDefinition, type Probe, servingProbe } from '../dependencies.ts';
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
  onBatch(kind: string, size: number): void;
}

export function createPeers({ addresses, registry, onBatch }: PeersOptions): Peers {
  const at = {
    keys: addresses.KEYS_ADDRESS,
    profiles: addresses.PROFILES_ADDRESS,
    metering: addresses.METERING_ADDRESS,
    scans: addresses.SCAN_SCHEDULER_ADDRESS,
  };
  const keys = createGrpcClient({ definition: KeysServiceService, address: at.keys, registry });
  const profiles = createGrpcClient({ definition: ProfilesServiceService, address: at.profiles, registry });
  const metering = createGrpcClient({ definition: MeteringServiceService, address: at.metering, registry });
  const scans = createGrpcClient({ definition: ScanSchedulerServiceService, address: at.scans, registry });
  const health = Object.entries(at).map(
    ([name, address]) => [name, createGrpcClient({ definition: healthDefinition, address })] as const,
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
