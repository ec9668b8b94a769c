import type { RouterContextProvider } from 'react-router';
import type { KeyView, Revocation } from '../../src/operations/keys.ts';
import { contextOf } from '../server.ts';
import { workspaceVisit } from '../workspace-visit.ts';

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
