import { AppError } from '@shopscope/errors';
import type { Key } from '../domain/key.ts';
import type { Caller, Dependencies } from './dependencies.ts';

export async function getKey(
  deps: Dependencies,
  input: { workspaceId: string; keyId: string },
  caller: Caller,
): Promise<Key> {
  const key = await deps.keys.find(input.workspaceId, input.keyId, caller.remainingMs);
  if (!key) throw noSuchKey();
  return key;
}

export function noSuchKey(): AppError {
  return new AppError('not_found', 'The workspace has no such key.');
}
