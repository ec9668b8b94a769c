import { type ImportedStores, importStores } from '@shopscope/admin/import-stores';
import { createGrpcClient } from '@shopscope/grpc';
import { type ObservationCompleted, ProfilesServiceService } from '@shopscope/proto';
import type { DemoSystem } from './scans.ts';

/** A demo store with its observations, by ascending sequence: what the importer of operators takes. */
export interface ObservedStore {
  domain: string;
  observations: ObservationCompleted[];
}

/** Imports stores through profiles, as an operator imports a corpus. In production profiles refuses them. */
export async function importObservations(
  { profilesAddress: address, security }: Pick<DemoSystem, 'profilesAddress' | 'security'>,
  stores: Iterable<ObservedStore>,
): Promise<ImportedStores> {
  const definition = ProfilesServiceService;
  const profiles = createGrpcClient({ definition, address, security: security.towards('profiles') });
  try {
    return await importStores({ profiles, stores, environment: '' });
  } finally {
    profiles.close();
  }
}
