import type { RouterContextProvider } from 'react-router';
import type { WorkspaceVisit } from '../operations/visit.ts';
import { contextOf } from './server.ts';
import { membershipContext, sessionContext } from './session.ts';

/** The request to a page of a workspace, as the operations take it. Server only. */
export function workspaceVisit(context: Readonly<RouterContextProvider>): WorkspaceVisit {
  const { address, origin } = contextOf(context);
  return { person: context.get(sessionContext), membership: context.get(membershipContext), address, origin };
}
