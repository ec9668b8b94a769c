export const auditActions = [
  'workspace.created',
  'workspace.plan_set',
  'workspace.suspended',
  'workspace.resumed',
  'plan.put',
  'plan.created',
  'plan.changed',
  'plan.deleted',
  'key.created',
  'key.revoked',
] as const;

/** Who did what to which object of a workspace, and when. Entries are never changed or deleted. */
export interface AuditEntry {
  id: string;
  /** Empty when the action concerns all workspaces. */
  workspaceId: string;
  actor: string;
  action: (typeof auditActions)[number];
  subjectId: string;
  at: Date;
}
