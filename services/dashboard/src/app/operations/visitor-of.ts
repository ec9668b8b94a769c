import type { Visitor } from '../domain/page-limits.ts';
import type { Dependencies } from '../wiring/dependencies.ts';

const sessionToken = /(?:^|;\s*)__Host-shopscope\.session_token=([\w-]+)/;
const workspacePath = /^\/workspaces\/(\w+)/;

/** Who sends a request, without reading anything for it. Nobody is known -> it counts for its network address. */
export function visitorOf(
  { visitors }: Pick<Dependencies, 'visitors'>,
  { cookies, path }: { cookies: string; path: string },
): Omit<Visitor, 'address'> {
  const [, token] = sessionToken.exec(cookies) ?? [];
  const userId = token && visitors.personOf(token);
  const [, workspaceId] = workspacePath.exec(path) ?? [];
  // Strangers cannot use up the share of a workspace that they name.
  const isMember = userId && workspaceId && visitors.isMember(userId, workspaceId);
  return { userId, workspaceId: isMember ? workspaceId : undefined };
}
