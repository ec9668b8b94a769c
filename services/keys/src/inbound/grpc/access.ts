import type { Access } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';

/**
 * The peers that may call each RPC. The dashboard manages one workspace for its members. Only operators manage plans and act
 * on several workspaces.
 */
export const keysAccess: Access<typeof KeysServiceService> = {
  verifyKey: ['gateway', 'operator'],
  createWorkspace: ['operator', 'dashboard'],
  getWorkspace: ['operator', 'dashboard', 'subscriptions'],
  listWorkspaces: ['operator'],
  setWorkspacePlan: ['operator'],
  setUpWorkspace: ['operator'],
  renameWorkspace: ['operator', 'dashboard'],
  deleteWorkspace: ['operator', 'dashboard'],
  suspendWorkspace: ['operator'],
  resumeWorkspace: ['operator'],
  putPlan: ['operator'],
  createPlan: ['operator'],
  updatePlan: ['operator'],
  deletePlan: ['operator'],
  listPlans: ['operator', 'dashboard'],
  createKey: ['operator', 'dashboard'],
  revokeKey: ['operator', 'dashboard'],
  revokeKeys: ['dashboard'],
  issueDashboardKey: ['dashboard'],
  listKeys: ['gateway', 'operator', 'dashboard'],
  getKey: ['operator', 'dashboard', 'subscriptions'],
  getKeys: ['gateway', 'dashboard'],
  listAuditEntries: ['operator', 'dashboard'],
  recordAuditEntry: ['dashboard'],
  verifyAuditLog: ['operator'],
  listPeppers: ['operator'],
};
