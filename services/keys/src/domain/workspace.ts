export interface Workspace {
  id: string;
  name: string;
  planSlug: string;
  createdAt: Date;
  /** While it is set, VerifyKey accepts no key of the workspace. */
  suspendedAt: Date | null;
}
