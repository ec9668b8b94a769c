import type { TestDependencies } from './dependencies.ts';

/** Gives the workspace the frozen stores again. Scans that were completed before the reset no longer change them. It is idempotent. */
export async function resetTestStores(
  { tenants, stores, transact, clock }: Pick<TestDependencies, 'tenants' | 'stores' | 'transact' | 'clock'>,
  workspaceId: string,
): Promise<void> {
  await transact(async (tx) => {
    await tenants.reset(workspaceId, new Date(clock.now()), tx);
    await stores.deleteAll(workspaceId, tx);
  });
}
