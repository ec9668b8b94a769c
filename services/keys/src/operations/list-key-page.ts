import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Key } from '../domain/key.ts';
import { parseId } from '../domain/text.ts';
import type { Dependencies } from './dependencies.ts';

export interface KeyPage {
  workspaceId: string;
  limit: number;
  /** The position after the page before; empty for the first page. */
  position: string;
  /** Revoked keys, the latest revocation first, instead of unrevoked keys, the newest first. */
  isRevoked: boolean;
  /** Only keys that were revoked later, ms. */
  revokedAfterMs: number;
}

/**
 * Returns a page of keys, and the position of the next one. A position is a place in the order: the key of it need not exist. So keys that
 * are created or revoked meanwhile neither hide nor repeat another one.
 */
export async function listKeyPage(
  deps: Dependencies,
  { workspaceId, limit, position, isRevoked, revokedAfterMs }: KeyPage,
  context: CallContext,
): Promise<{ keys: Key[]; nextPosition: string | undefined }> {
  parseId('workspace_id', workspaceId, 'ws');
  const maxTimeMS = context.deadline.timeoutMs();
  // One more, to know whether there is a further page.
  const page = { workspaceId, limit: limit + 1, maxTimeMS };
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
