import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { Key } from '../../domain/key.ts';
import { environmentFilter } from '../../domain/key-environment.ts';
import { changePlan } from '../../operations/change-plan.ts';
import { changeSuspension } from '../../operations/change-suspension.ts';
import { createKey } from '../../operations/create-key.ts';
import { createPlan } from '../../operations/create-plan.ts';
import { createWorkspace } from '../../operations/create-workspace.ts';
import { deletePlan } from '../../operations/delete-plan.ts';
import { deleteWorkspace } from '../../operations/delete-workspace.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getKey } from '../../operations/get-key.ts';
import { getKeys } from '../../operations/get-keys.ts';
import { getWorkspace } from '../../operations/get-workspace.ts';
import { issueDashboardKey } from '../../operations/issue-dashboard-key.ts';
import { listKeyPage } from '../../operations/list-key-page.ts';
import { listKeys } from '../../operations/list-keys.ts';
import { listPeppers } from '../../operations/list-peppers.ts';
import { putPlan } from '../../operations/put-plan.ts';
import { recordAuditEntry } from '../../operations/record-audit-entry.ts';
import { renameWorkspace } from '../../operations/rename-workspace.ts';
import { revokeKey } from '../../operations/revoke-key.ts';
import { revokeKeys } from '../../operations/revoke-keys.ts';
import { setUpWorkspace } from '../../operations/set-up-workspace.ts';
import { setWorkspacePlan } from '../../operations/set-workspace-plan.ts';
import { verifyAuditLog } from '../../operations/verify-audit-log.ts';
import { verifyKey } from '../../operations/verify-key.ts';
import {
  decodePlan,
  decodePlanChanges,
  encodeAuditEntry,
  encodeKey,
  encodePepper,
  encodeState,
  encodeWorkspace,
} from './encode.ts';

/** Returns the handlers of all RPCs. Each decodes the request, calls one operation, and encodes the response. */
export function keysHandlers(deps: Dependencies): Handlers<typeof KeysServiceService> {
  const keyNow = (key: Key) => encodeKey(key, deps.clock.now());
  return {
    async verifyKey({ keyDigest }, context) {
      const verified = await verifyKey(deps, keyDigest, context);
      const status = encodeState(verified.state);
      if (verified.state !== 'active') return { status, key: undefined, workspace: undefined, plan: undefined };
      const { key, workspace, plan, atMs } = verified;
      return {
        status,
        key: encodeKey(key, atMs),
        workspace: encodeWorkspace(workspace),
        plan,
      };
    },

    createWorkspace: async (request, context) => ({
      workspace: encodeWorkspace(await createWorkspace(deps, request, context)),
    }),
    async getWorkspace({ workspaceId }, context) {
      const { workspace, plan } = await getWorkspace(deps, workspaceId, context);
      return { workspace: encodeWorkspace(workspace), plan };
    },
    async listWorkspaces({ afterId, limit }, { deadline }) {
      if (afterId) parseId('after_id', afterId, 'ws');
      const found = await deps.workspaces.list(afterId, pageSize(limit), deadline.timeoutMs());
      return { workspaces: found.map(encodeWorkspace) };
    },
    setWorkspacePlan: async (request, context) => ({
      workspace: encodeWorkspace(await setWorkspacePlan(deps, request, context)),
    }),
    async setUpWorkspace(request, context) {
      const done = await setUpWorkspace(deps, request, context);
      const workspace = encodeWorkspace(done.workspace);
      if (!done.created) return { workspace, created: false, key: undefined, secret: '' };
      return { workspace, created: true, key: keyNow(done.key), secret: done.secret };
    },
    renameWorkspace: async (request, context) => ({
      workspace: encodeWorkspace(await renameWorkspace(deps, request, context)),
    }),
    deleteWorkspace: async (request, context) => ({ revokedKeys: await deleteWorkspace(deps, request, context) }),
    suspendWorkspace: async (request, context) => ({
      workspace: encodeWorkspace(await changeSuspension(deps, { ...request, suspended: true }, context)),
    }),
    resumeWorkspace: async (request, context) => ({
      workspace: encodeWorkspace(await changeSuspension(deps, { ...request, suspended: false }, context)),
    }),

    putPlan: async ({ plan, actor }, context) => ({
      plan: await putPlan(deps, { plan: decodePlan(plan), actor }, context),
    }),
    createPlan: async ({ plan, actor }, context) => ({
      plan: await createPlan(deps, { plan: decodePlan(plan), actor }, context),
    }),
    updatePlan: async (request, context) => ({ plan: await changePlan(deps, decodePlanChanges(request), context) }),
    async deletePlan(request, context) {
      await deletePlan(deps, request, context);
      return {};
    },
    listPlans: async (_, { deadline }) => ({ plans: await deps.plans.list(deadline.timeoutMs()) }),

    async createKey(request, context) {
      const { key, secret } = await createKey(deps, request, context);
      return { key: keyNow(key), secret };
    },
    revokeKey: async (request, context) => ({ key: keyNow(await revokeKey(deps, request, context)) }),
    revokeKeys: async (request, context) => ({ revokedKeys: await revokeKeys(deps, request, context) }),
    async issueDashboardKey(request, context) {
      const { key, secret } = await issueDashboardKey(deps, request, context);
      return { key: keyNow(key), secret };
    },
    getKey: async (request, context) => ({ key: keyNow(await getKey(deps, request, context)) }),
    getKeys: async (request, context) => ({ keys: (await getKeys(deps, request, context)).map(keyNow) }),
    async listKeys(request, context) {
      const { workspaceId, includeInactive, limit, position = '', revoked = false, revokedAfterMs = 0 } = request;
      const environment = environmentFilter(request.environment);
      if (limit === undefined) {
        const { keys, atMs } = await listKeys(deps, { workspaceId, environment, includeInactive }, context);
        return { keys: keys.map((key) => encodeKey(key, atMs)) };
      }
      const page = { workspaceId, environment, limit: pageSize(limit), position, isRevoked: revoked, revokedAfterMs };
      const { keys, nextPosition } = await listKeyPage(deps, page, context);
      return { keys: keys.map(keyNow), nextPosition };
    },

    async listAuditEntries({ workspaceId, beforeId, limit }, { deadline }) {
      // An empty workspace id selects the entries that concern all workspaces.
      if (workspaceId) parseId('workspace_id', workspaceId, 'ws');
      if (beforeId) parseId('before_id', beforeId, 'aud');
      const found = await deps.audit.list(workspaceId, beforeId, pageSize(limit), deadline.timeoutMs());
      return { entries: found.map(encodeAuditEntry) };
    },
    recordAuditEntry: async (request, context) => ({
      entry: encodeAuditEntry(await recordAuditEntry(deps, request, context)),
    }),
    async verifyAuditLog({ workspaceId }, context) {
      const { entries, unchainedEntries, fault } = await verifyAuditLog(deps, workspaceId, context);
      return { entries, unchainedEntries, brokenSequence: fault?.sequence, fault: fault?.fault ?? '' };
    },
    listPeppers: async (_, context) => ({ peppers: (await listPeppers(deps, context)).map(encodePepper) }),
  };
}

/** Accepts limits from 1 to 200. Proto3 sends an absent limit as 0, which means 50. */
function pageSize(limit: number): number {
  if (limit > 200) throw invalidField('limit', 'must be from 1 to 200');
  return limit || 50;
}
