import type { Command } from '../command.ts';
import type { Services } from '../connect.ts';
import { nextOf, page, pageSize } from '../output/output.ts';
import { auditColumns, auditLogColumns, encodeAuditEntry, encodeAuditLogState } from '../resources/audit-entry.ts';

export const auditCommands: readonly Command[] = [
  {
    words: 'audit list',
    summary: 'Lists the audit log of a workspace, latest entry first',
    note: 'Without --workspace: changes that concern all workspaces, such as plans',
    options: {
      workspace: { value: 'WORKSPACE_ID', help: 'the workspace' },
      before: { value: 'ENTRY_ID', help: 'list begins before this entry' },
    },
    async run({ keys }, { optional }) {
      const workspaceId = optional('workspace') ?? '';
      const request = { workspaceId, beforeId: optional('before') ?? '', limit: pageSize };
      const { entries } = await keys.listAuditEntries(request);
      // The list is empty for an unknown workspace too, so a mistyped id is reported here. A deleted workspace has entries.
      if (workspaceId !== '' && entries.length === 0) await keys.getWorkspace({ workspaceId });
      return page(entries.map(encodeAuditEntry), {
        columns: auditColumns,
        empty: 'Nothing was done.',
        next: nextOf(entries, 'before', ({ id }) => id),
      });
    },
  },
  {
    words: 'audit verify',
    summary: 'Checks that no entry of the audit log was changed or removed; exit code 1 when one was',
    note: 'Without --workspace: every workspace that is not deleted, and the changes that concern all workspaces',
    options: { workspace: { value: 'WORKSPACE_ID', help: 'only this workspace, which may be deleted' } },
    async run({ keys }, { optional }) {
      const named = optional('workspace');
      const states = [];
      for await (const workspaceId of named === undefined ? everyLog(keys) : [named]) {
        states.push(encodeAuditLogState(workspaceId, await keys.verifyAuditLog({ workspaceId })));
      }
      const output = page(states, { columns: auditLogColumns, empty: 'There are no workspaces.' });
      return { ...output, failed: states.some(({ state }) => state === 'broken') };
    },
  },
];

/** The ids of all workspaces, after the empty id of the changes that concern all of them. */
async function* everyLog(keys: Services['keys']): AsyncGenerator<string> {
  yield '';
  for (let afterId = ''; ; ) {
    const { workspaces } = await keys.listWorkspaces({ afterId, limit: pageSize });
    for (const { id } of workspaces) yield id;
    if (workspaces.length < pageSize) return;
    afterId = workspaces.at(-1)?.id ?? '';
  }
}
