import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import type { Key } from '../domain/key.ts';
import type { Dependencies } from './dependencies.ts';

const maxIds = 200;

/** Resolves to those of the keys that belong to the workspace. */
export async function getKeys(
  deps: Dependencies,
  input: { workspaceId: string; keyIds: readonly string[] },
  context: CallContext,
): Promise<Key[]> {
  parseId('workspace_id', input.workspaceId, 'ws');
  if (input.keyIds.length > maxIds) throw invalidField('key_ids', `must have at most ${maxIds} ids`);
  const ids = input.keyIds.map((id) => parseId('key_ids', id, 'key'));
  return deps.keys.findAll(input.workspaceId, ids, context.deadline.timeoutMs());
}
