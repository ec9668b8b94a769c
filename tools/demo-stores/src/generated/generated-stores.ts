import { deriveId } from '@shopscope/ids';
import type { ObservationCompleted } from '@shopscope/proto';
import { generatedStores as storesOfTestTenant } from '@shopscope/test-tenant';
import { generatedStore, observationOf } from '@shopscope/test-tenant/generated';
import { importObservations, type ObservedStore } from '../corpus/import-observations.ts';
import type { DemoSystem } from '../corpus/scans.ts';

/** The number of generated stores of the demo: demo-0001.example … */
export const generatedStoreCount = 2_000;

/** The name of the n-th generated store, from 1. No server answers at it, and no name server knows it. */
export const generatedDomain = (n: number): string => `demo-${padded(n)}.example`;

/** Why the store is in the corpus. Its pages show it, beside a name that says the same. */
export const generatedNote = 'This store is generated for the demo: it does not exist, and its scans are invented.';

const padded = (n: number) => String(n).padStart(String(generatedStoreCount).length, '0');

/**
 * Imports the generated stores. Their observations are of the months before `nowMs`, so that counts, facets, removals and moves show something.
 *
 * - The system is production -> profiles refuses them.
 * - Killed -> the same import merges what is missing, because the ids derive from domain and sequence.
 */
export async function importGeneratedStores(
  system: Pick<DemoSystem, 'profilesAddress' | 'security'>,
  nowMs: number,
): Promise<void> {
  await importObservations(system, generatedStores(nowMs));
}

/** Generates the stores, each with its observations by ascending sequence. Other numbers than those of the test tenant make other stores. */
export function* generatedStores(nowMs: number): Generator<ObservedStore> {
  for (let n = 1; n <= generatedStoreCount; n++) {
    const domain = generatedDomain(n);
    const name = `Generated store ${padded(n)}`;
    const observations = generatedStore(storesOfTestTenant + n).map(({ seen, agoMs }, at): ObservationCompleted => {
      const scanId = deriveId('scan', 'demo generated', domain, String(at + 1));
      const scan = { scanId, sequence: at + 1, completedAtMs: nowMs - agoMs };
      return { ...observationOf(domain, { ...seen, name }, scan), coverageNote: generatedNote };
    });
    yield { domain, observations };
  }
}
