import type { RouterContextProvider } from 'react-router';
import { contextOf } from '../../app/pages/server.ts';
import { workspaceVisit } from '../../app/pages/workspace-visit.ts';
import type { KeyView, Revocation } from '../operations/keys.ts';

/** What changes while somebody looks at the pages of a key. Plain JSON, because the pages read it again and again. */
export interface KeyStatus {
  nowMs: number;
  revocation: Revocation | undefined;
  lastUsed: KeyView['lastUsed'];
}

export function keyStatus(context: Readonly<RouterContextProvider>, key: KeyView): KeyStatus {
  const { keys, usage } = contextOf(context).application;
  const revocation = keys.revocation(workspaceVisit(context), key);
  return { nowMs: usage.nowMs(), revocation, lastUsed: key.lastUsed };
}
