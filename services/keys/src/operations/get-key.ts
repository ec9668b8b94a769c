import { AppError } from '@shopscope/errors';
import type { Key } from '../domain/key.ts';
import type { CallContext, Dependencies } from './dependencies.ts';

export async function getKey(
  deps: Dependencies,
  input: { workspaceId: string; keyId: string },
  context: CallContext,
): Promise<Key> {
  const key = await deps.keys.find(input.workspaceId, input.keyId, context.remainingMs);
  if (!key) throw noSuchKey();
  return key;
}

export function noSuchKey(): AppError {
  return new AppError('not_found', 'The workspace has no such key.');
}
