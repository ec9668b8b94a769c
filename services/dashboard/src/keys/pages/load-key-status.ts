import { contextOf, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { KeyView } from '../operations/keys.ts';

/** The data that changes while somebody reads the pages of a key. Plain JSON, because the pages read it again and again. */
export type KeyStatus = ReturnType<typeof keyStatus>;

export function keyStatus(context: PageContext, key: KeyView) {
  const { keys, usage } = contextOf(context).application;
  const revocation = keys.revocation(workspaceVisit(context), key);
  return { nowMs: usage.nowMs(), revocation, lastUsed: key.lastUsed };
}
