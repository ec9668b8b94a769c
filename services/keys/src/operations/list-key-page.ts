import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import type { Key } from '../domain/key.ts';
import type { Dependencies } from './dependencies.ts';

export interface KeyPage {
  workspaceId: string;
  /** Null selects the keys of both environments. */
  environment: Environment | null;
  limit: number;
  /** The position that the page before returned. Empty for the first page. */
  position: string;
  /** If true: revoked keys, the latest revocation first. If false: unrevoked keys, the newest first. */
  isRevoked: boolean;
  /** Selects only keys that were revoked after this instant, in ms. */
  revokedAfterMs: number;
}

/**
 * Returns a page of keys and the position of the next page. A position is a place in the order; its key need not exist any more. Keys that
 * are created or revoked meanwhile therefore neither hide nor repeat another key.
 */
export async function listKeyPage(
  deps: Dependencies,
  { workspaceId, environment, limit, position, isRevoked, revokedAfterMs }: KeyPage,
  context: CallContext,
): Promise<{ keys: Key[]; nextPosition: string | undefined }> {
  parseId('workspace_id', workspaceId, 'ws');
  const maxTimeMS = context.deadline.timeoutMs();
  // Reads one more key, to know whether there is a further page.
  const page = { workspaceId, environment, limit: limit + 1, maxTimeMS };
  const found = isRevoked
    ? await deps.keys.listRevoked({ ...page, after: dateOf(revokedAfterMs), position: revokedPosition(position) })
    : await deps.keys.listLivePage({ ...page, beforeId: position && parseId('position', position, 'key') });
  const keys = found.slice(0, limit);
  const last = found.length > limit ? keys.at(-1) : undefined;
  return { keys, nextPosition: last && positionOf(last) };
}

const positionOf = ({ id, revokedAt }: Key) => (revokedAt ? `${revokedAt.getTime()}-${id}` : id);

function dateOf(revokedAfterMs: number): Date {
  const date = new Date(revokedAfterMs);
  if (Number.isNaN(date.getTime())) throw invalidField('revoked_after_ms', 'must be a time');
  return date;
}

function revokedPosition(position: string): { revokedAt: Date; id: string } | undefined {
  if (position === '') return undefined;
  const [, ms, id = ''] = /^(\d{1,16})-(.*)$/s.exec(position) ?? [];
  const revokedAt = new Date(Number(ms));
  if (Number.isNaN(revokedAt.getTime())) throw invalidField('position', 'must be the position of a page');
  return { revokedAt, id: parseId('position', id, 'key') };
}
