import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Page } from '../jobs/jobs.ts';
import type { groupPageQuery } from './contract.ts';

interface GroupPage<Group> {
  rows: readonly Group[];
  hasMore: boolean;
}

/** Returns a page of the lists or watchlists of the caller's workspace, the newest first. A cursor belongs to the workspace. */
export async function pageOfGroups<Group extends { id: string }, Body>(
  { cursors }: Pick<Dependencies, 'cursors'>,
  { caller: { workspaceId, keyEnvironment } }: Pick<CallerRequest, 'caller'>,
  { cursor, limit }: z.output<typeof groupPageQuery>,
  of: {
    cursorName: string;
    read(page: { workspaceId: string; afterId: string; limit: number }): Promise<GroupPage<Group>>;
    bodyOf(group: Group): Body;
  },
): Promise<Page<Body>> {
  const bound = [of.cursorName, keyEnvironment, workspaceId];
  const afterId = cursor === undefined ? '' : cursors.verify(bound, cursor);
  const { rows, hasMore } = await of.read({ workspaceId, afterId, limit });
  const last = rows.at(-1);
  return { data: rows.map(of.bodyOf), next_cursor: hasMore && last ? cursors.sign(bound, last.id) : null };
}
