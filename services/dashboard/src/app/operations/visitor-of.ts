import type { Visitor } from '../domain/page-limits.ts';
import type { Dependencies } from '../wiring/dependencies.ts';

const sessionToken = /(?:^|;\s*)__Host-shopscope\.session_token=([\w-]+)/;
const workspacePath = /^\/workspaces\/(\w+)/;

/** The sender of a request, without reading anything for it. The sender is not known -> the request counts for its network address. */
export function visitorOf(
  { visitors }: Pick<Dependencies, 'visitors'>,
  { cookies, path }: { cookies: string; path: string },
): Omit<Visitor, 'address'> {
  const [, token] = sessionToken.exec(cookies) ?? [];
  const userId = token && visitors.personOf(token);
  const [, workspaceId] = workspacePath.exec(path) ?? [];
  // Strangers must not use up the share of a workspace by naming it.
  const isMember = userId && workspaceId && visitors.isMember(userId, workspaceId);
  return { userId, workspaceId: isMember ? workspaceId : undefined };
}
