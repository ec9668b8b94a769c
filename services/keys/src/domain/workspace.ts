export interface Workspace {
  id: string;
  name: string;
  planSlug: string;
  createdAt: Date;
}
