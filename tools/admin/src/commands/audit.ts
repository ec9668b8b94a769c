import type { Command } from '../command.ts';
import { page } from '../output/output.ts';
import { auditColumns, encodeAuditEntry } from '../resources/audit-entry.ts';

const pageSize = 200;

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
      // The list is empty for an unknown workspace too, so a mistyped id is reported here.
      if (workspaceId !== '') await keys.getWorkspace({ workspaceId });
      const request = { workspaceId, beforeId: optional('before') ?? '', limit: pageSize };
      const { entries } = await keys.listAuditEntries(request);
      const cursor = entries.length === pageSize ? entries.at(-1)?.id : undefined;
      return page(entries.map(encodeAuditEntry), {
        columns: auditColumns,
        empty: 'Nothing was done.',
        next: cursor ? { cursor, option: 'before' } : undefined,
      });
    },
  },
];
