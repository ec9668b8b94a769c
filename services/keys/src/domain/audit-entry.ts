import { shortened } from '@shopscope/text';

/** Changes that this service makes and records in the same transaction. */
export const changeActions = [
  'workspace.created',
  'workspace.renamed',
  'workspace.plan_set',
  'workspace.suspended',
  'workspace.resumed',
  'workspace.deleted',
  'plan.put',
  'plan.created',
  'plan.changed',
  'plan.deleted',
  'key.created',
  'key.revoked',
] as const;

/** Changes outside this service, which RecordAuditEntry adds. */
export const recordedActions = [
  'member.invited',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.withdrawn',
  'usage.exported',
  'audit.exported',
] as const;

export type RecordedAction = (typeof recordedActions)[number];

/** Who did what to which object of a workspace, when, and from which address. Entries are never changed or deleted. */
export interface AuditEntry {
  id: string;
  /** Empty when the action concerns all workspaces. */
  workspaceId: string;
  actor: string;
  /** What a person was called at that time. Empty for operators. */
  actorName: string;
  /** E-mail address of the person at that time. */
  actorEmail: string;
  /** IP address of the actor. Empty when the caller named none. */
  actorAddress: string;
  action: (typeof changeActions)[number] | RecordedAction;
  subjectId: string;
  /** Of a subject that is a person, as of the actor. */
  subjectName: string;
  subjectEmail: string;
  /** What changed, for people. At most {@link maxDetailLength} characters; empty when there is nothing to add. */
  detail: string;
  at: Date;
}

export const maxDetailLength = 300;

const maxChangedTextLength = 140;

/** The detail of a change from one text to another, within {@link maxDetailLength}. */
export function changeDetail(from: string, to: string): string {
  return `${shortened(from, maxChangedTextLength)} → ${shortened(to, maxChangedTextLength)}`;
}
