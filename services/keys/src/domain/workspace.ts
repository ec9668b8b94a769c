export interface Workspace {
  id: string;
  name: string;
  planSlug: string;
  createdAt: Date;
  /** While it is set, none of the workspace's keys is accepted. */
  suspendedAt: Date | null;
}
