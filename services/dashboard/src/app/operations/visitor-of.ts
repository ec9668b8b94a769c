import type { Visitor } from '../domain/page-limits.ts';
import type { KnownVisitors } from '../outbound/known-visitors.ts';

const sessionToken = /(?:^|;\s*)__Host-shopscope\.session_token=([\w-]+)/;
const workspacePath = /^\/workspaces\/(\w+)/;

/** Who sends a request, without reading anything for it. Nobody is known -> it counts for its network address. */
export type VisitorOf = (request: { cookies: string; path: string }) => Omit<Visitor, 'address'>;

export const createVisitorOf =
  (known: Pick<KnownVisitors, 'personOf' | 'isMember'>): VisitorOf =>
  ({ cookies, path }) => {
    const [, token] = sessionToken.exec(cookies) ?? [];
    const userId = token && known.personOf(token);
    const [, workspaceId] = workspacePath.exec(path) ?? [];
    // Strangers cannot use up the share of a workspace that they name.
    const isMember = userId && workspaceId && known.isMember(userId, workspaceId);
    return { userId, workspaceId: isMember ? workspaceId : undefined };
  };
