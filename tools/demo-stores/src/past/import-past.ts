import { importStores } from '@shopscope/admin/import-stores';
import { createGrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import { ProfilesServiceService } from '@shopscope/proto';
import { pastStores } from './past-observations.ts';
import type { Past } from './pasts.ts';

/** Imports the past of the demo stores through profiles, as an operator imports a corpus. Resolves with the number of observations. */
export async function importPast(
  system: { profilesAddress: string; security: GrpcSecurity },
  pasts: readonly Past[],
  nowMs: number,
): Promise<number> {
  const { profilesAddress: address, security } = system;
  const definition = ProfilesServiceService;
  const profiles = createGrpcClient({ definition, address, security: security.towards('profiles') });
  try {
    const { merged, duplicates } = await importStores({ profiles, stores: pastStores(pasts, nowMs), environment: '' });
    return merged + duplicates;
  } finally {
    profiles.close();
  }
}
