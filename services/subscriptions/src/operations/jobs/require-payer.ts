import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
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
