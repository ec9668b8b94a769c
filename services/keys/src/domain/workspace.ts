export interface Workspace {
  id: string;
  name: string;
  planSlug: string;
  createdAt: Date;
  /** VerifyKey accepts no key of the workspace while this is set. */
  suspendedAt: Date | null;
}
