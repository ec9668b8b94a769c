import { createHmac, createSecretKey } from 'node:crypto';

/** Further entries of a list are ignored. */
export const maxListedTags = 32;

/** Whether an If-None-Match header lists `etag`, by weak comparison (RFC 9110, section 13.1.2). `*` lists none. */
export function listsEntityTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',', maxListedTags).some((entry) => entry.trim().replace(/^W\//, '') === etag);
}

/** True for the header `*`, which every existing document matches. */
export const matchesAny = (ifNoneMatch: string): boolean => ifNoneMatch.trim() === '*';

/**
 * Entity tags of store bodies as one workspace sees them. 304 is free, so a tag must be known only to those who were billed for the
 * body: a hash of the body alone could be computed for guessed bodies, and a tag of another workspace could be sent.
 */
export type WorkspaceTags = (workspaceId: string, etag: string) => string;

/** 132 bits, as in the tags of public documents. */
const tagLength = 22;

export function createWorkspaceTags(secret: string): WorkspaceTags {
  // Cursors are signed with the same secret. The key differs, so that no cursor is a tag.
  const key = createSecretKey(createHmac('sha256', secret).update('entity tags').digest());
  return (workspaceId, etag) =>
    `"${createHmac('sha256', key).update(`${workspaceId} ${etag}`).digest('base64url').slice(0, tagLength)}"`;
}
