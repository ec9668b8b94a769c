import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import type { Key } from '../domain/key.ts';
import type { Dependencies } from './dependencies.ts';

export async function getKey(
  deps: Dependencies,
  input: { workspaceId: string; keyId: string },
  context: CallContext,
): Promise<Key> {
  parseId('workspace_id', input.workspaceId, 'ws');
  parseId('key_id', input.keyId, 'key');
  const key = await deps.keys.find(input.workspaceId, input.keyId, { maxTimeMS: context.deadline.timeoutMs() });
  if (!key) throw noSuchKey();
  return key;
}

export function noSuchKey(): AppError {
  return new AppError('not_found', 'The workspace has no such key.');
}
