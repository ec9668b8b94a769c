/** The operations that pages and MCP call, by the names that they use. */

export * as changes from '../../changes/operations/changes.ts';
export * as tryOut from '../../documentation/operations/try-out.ts';
export * as dashboardKeys from '../../keys/operations/dashboard-keys.ts';
export * as keys from '../../keys/operations/keys.ts';
export * as madeKeys from '../../keys/operations/made-keys.ts';
export * as listImports from '../../lists/operations/list-imports.ts';
export * as lists from '../../lists/operations/lists.ts';
export * as mcp from '../../mcp/operations/mcp.ts';
export * as account from '../../people/operations/account.ts';
export * as audit from '../../people/operations/audit.ts';
export * as freeWorkspaces from '../../people/operations/free-workspaces.ts';
export * as invitations from '../../people/operations/invitations.ts';
export * as memberChanges from '../../people/operations/member-changes.ts';
export * as members from '../../people/operations/members.ts';
export * as passwords from '../../people/operations/passwords.ts';
export * as secondFactor from '../../people/operations/second-factor.ts';
export * as sessions from '../../people/operations/sessions.ts';
export * as signUp from '../../people/operations/sign-up.ts';
export * as workspaceSettings from '../../people/operations/workspace-settings.ts';
export * as publicSite from '../../public-site/operations/public-site.ts';
export * as requestLog from '../../requests/operations/request-log.ts';
export * as serviceStatus from '../../status/operations/service-status.ts';
export * as stores from '../../stores/operations/stores.ts';
export * as activity from '../../usage/operations/activity.ts';
export * as usage from '../../usage/operations/usage.ts';
export * as workspaces from '../operations/workspaces.ts';
