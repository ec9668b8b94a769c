import { shortened } from '@shopscope/text';

/** The changes that this service makes and records in the same transaction. */
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

/** The changes outside this service, which RecordAuditEntry records. */
export const recordedActions = [
  'member.invited',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.withdrawn',
  'watchlist.rescans_set',
  'watchlist.rescans_ended',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'usage.exported',
  'audit.exported',
] as const;

export type RecordedAction = (typeof recordedActions)[number];

/** A record of who did what to which object of a workspace, when, and from which address. Entries are never changed or deleted. */
export interface AuditEntry {
  id: string;
  /** Empty if the action concerns all workspaces. */
  workspaceId: string;
  actor: string;
  /** The name of the person at that time. Empty for operators. */
  actorName: string;
  /** E-mail address of the person at that time. */
  actorEmail: string;
  /** IP address of the actor. Empty if the caller sent none. */
  actorAddress: string;
  action: (typeof changeActions)[number] | RecordedAction;
  subjectId: string;
  /** The name and e-mail address of the subject at that time, if it is a person. */
  subjectName: string;
  subjectEmail: string;
  /** A description of the change, for people. At most {@link maxDetailLength} characters. Empty if there is nothing to add. */
  detail: string;
  at: Date;
}

export const maxDetailLength = 300;

const maxChangedTextLength = 140;

/** Returns the detail of a change from one text to another, within {@link maxDetailLength}. */
export function changeDetail(from: string, to: string): string {
  return `${shortened(from, maxChangedTextLength)} → ${shortened(to, maxChangedTextLength)}`;
}
