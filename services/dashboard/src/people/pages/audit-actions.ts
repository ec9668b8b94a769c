import { ownValue } from '../../app/domain/own-value.ts';

/** The labels of the audit log's actions. An action that is not in this list is shown with its own name. */
export const actionTexts: Readonly<Record<string, string>> = {
  'key.created': 'Created an API key',
  'key.revoked': 'Revoked an API key',
  'member.invited': 'Invited',
  'member.joined': 'Joined the workspace',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'member.left': 'Left the workspace',
  'invitation.withdrawn': 'Withdrew an invitation',
  'workspace.created': 'Created the workspace',
  'workspace.renamed': 'Renamed the workspace',
  'workspace.plan_set': 'Changed the plan',
  'workspace.suspended': 'Suspended the workspace',
  'workspace.resumed': 'Resumed the workspace',
  'workspace.deleted': 'Deleted the workspace',
  'watchlist.rescans_set': 'Set the rescans of a watchlist',
  'watchlist.rescans_ended': 'Switched off the rescans of a watchlist',
  'webhook.created': 'Created a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.secret_rotated': 'Rotated the secret of a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'usage.exported': 'Exported usage',
  'audit.exported': 'Exported the audit log',
};

/** An action that this version does not know is shown with its own name. */
export const actionText = (action: string): string => ownValue(actionTexts, action) ?? action;
