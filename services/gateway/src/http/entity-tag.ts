import { createHmac, createSecretKey } from 'node:crypto';

/** The maximum number of entries of a list that are read. Further entries are ignored. */
export const maxListedTags = 32;

/** Whether an If-None-Match header lists `etag`, by weak comparison (RFC 9110, section 13.1.2). `*` lists none. */
export function listsEntityTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',', maxListedTags).some((entry) => entry.trim().replace(/^W\//, '') === etag);
}

/** Whether the header is `*`, which every existing document matches. */
export const matchesAny = (ifNoneMatch: string): boolean => ifNoneMatch.trim() === '*';

/**
 * The entity tags of store bodies for one workspace. 304 is free, so only those who were billed for the body may know its tag. A hash of
 * the body alone could be computed for guessed bodies, and a tag of another workspace could be sent.
 */
export type WorkspaceTags = (workspaceId: string, etag: string) => string;

/** 132 bits, as in the tags of public documents. */
const tagLength = 22;

export function createWorkspaceTags(secret: string): WorkspaceTags {
  // Cursors are signed with the same secret. This key is another one, so that no cursor is a tag.
  const key = createSecretKey(createHmac('sha256', secret).update('entity tags').digest());
  return (workspaceId, etag) =>
    `"${createHmac('sha256', key).update(`${workspaceId} ${etag}`).digest('base64url').slice(0, tagLength)}"`;
}
