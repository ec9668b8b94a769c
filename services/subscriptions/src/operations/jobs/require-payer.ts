import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import { maxStoresPerJob } from '../../domain/bulk-job.ts';
import type { StoreGroup } from '../../domain/store-group.ts';
import type { FoundPayer } from '../../outbound/payers.ts';
import type { Dependencies } from '../dependencies.ts';

/** The payer of a call. Throws if its key cannot pay any more. */
export async function requirePayer<E extends Environment>(
  { payers }: Pick<Dependencies<E>, 'payers'>,
  { workspaceId }: Tenant<E>,
  keyId: string,
  { origin, deadline }: CallContext,
): Promise<FoundPayer['payer']> {
  const found = await payers.find({ workspaceId, keyId: parseId('key_id', keyId, 'key') }, origin, deadline);
  if (found && found.fault === null) return found.payer;
  throw new AppError('unauthorized', 'The key of this request is not active.');
}

export function requireJobSize({ storeCount }: Pick<StoreGroup, 'storeCount'>): void {
  if (storeCount <= maxStoresPerJob) return;
  throw new AppError(
    'invalid_request',
    `list_id: the list has ${storeCount} stores, and a job has at most ${maxStoresPerJob}; use several lists`,
    { details: { field: 'list_id' } },
  );
}
