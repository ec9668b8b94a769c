import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { createKeyHandler } from './create-key.ts';
import { createPlanHandler } from './create-plan.ts';
import { createWorkspaceHandler } from './create-workspace.ts';
import { deletePlanHandler } from './delete-plan.ts';
import { deleteWorkspaceHandler } from './delete-workspace.ts';
import { getKeyHandler } from './get-key.ts';
import { getKeysHandler } from './get-keys.ts';
import { getWorkspaceHandler } from './get-workspace.ts';
import { issueDashboardKeyHandler } from './issue-dashboard-key.ts';
import { listAuditEntriesHandler } from './list-audit-entries.ts';
import { listKeysHandler } from './list-keys.ts';
import { listPeppersHandler } from './list-peppers.ts';
import { listPlansHandler } from './list-plans.ts';
import { listWorkspacesHandler } from './list-workspaces.ts';
import { putPlanHandler } from './put-plan.ts';
import { recordAuditEntryHandler } from './record-audit-entry.ts';
import { renameWorkspaceHandler } from './rename-workspace.ts';
import { resumeWorkspaceHandler } from './resume-workspace.ts';
import { revokeKeyHandler } from './revoke-key.ts';
import { revokeKeysHandler } from './revoke-keys.ts';
import { setUpWorkspaceHandler } from './set-up-workspace.ts';
import { setWorkspacePlanHandler } from './set-workspace-plan.ts';
import { suspendWorkspaceHandler } from './suspend-workspace.ts';
import { updatePlanHandler } from './update-plan.ts';
import { verifyAuditLogHandler } from './verify-audit-log.ts';
import { verifyKeyHandler } from './verify-key.ts';

/** Every RPC of the service, each in its own file. */
export const keysHandlers = (deps: Dependencies): Handlers<typeof KeysServiceService> => ({
  verifyKey: verifyKeyHandler(deps),
  createWorkspace: createWorkspaceHandler(deps),
  getWorkspace: getWorkspaceHandler(deps),
  listWorkspaces: listWorkspacesHandler(deps),
  setWorkspacePlan: setWorkspacePlanHandler(deps),
  putPlan: putPlanHandler(deps),
  listPlans: listPlansHandler(deps),
  createKey: createKeyHandler(deps),
  revokeKey: revokeKeyHandler(deps),
  revokeKeys: revokeKeysHandler(deps),
  issueDashboardKey: issueDashboardKeyHandler(deps),
  getKeys: getKeysHandler(deps),
  listKeys: listKeysHandler(deps),
  listAuditEntries: listAuditEntriesHandler(deps),
  createPlan: createPlanHandler(deps),
  updatePlan: updatePlanHandler(deps),
  deletePlan: deletePlanHandler(deps),
  getKey: getKeyHandler(deps),
  listPeppers: listPeppersHandler(deps),
  suspendWorkspace: suspendWorkspaceHandler(deps),
  resumeWorkspace: resumeWorkspaceHandler(deps),
  setUpWorkspace: setUpWorkspaceHandler(deps),
  renameWorkspace: renameWorkspaceHandler(deps),
  deleteWorkspace: deleteWorkspaceHandler(deps),
  recordAuditEntry: recordAuditEntryHandler(deps),
  verifyAuditLog: verifyAuditLogHandler(deps),
});
