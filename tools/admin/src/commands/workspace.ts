import type { Workspace } from '@shopscope/proto';
import type { Command } from '../command.ts';
import { fieldLines, lines, nextOf, page, pageSize, single, tableOf } from '../output/output.ts';
import { encodeUsage } from '../resources/usage.ts';
import { encodeWorkspace, encodeWorkspaceWithPlan, workspaceColumns } from '../resources/workspace.ts';
import { planOption, present, workspaceOption } from './options.ts';

const shown = ({ workspace }: { workspace?: Workspace | undefined }) =>
  single(encodeWorkspace(present(workspace, 'workspace')));

export const workspaceCommands: readonly Command[] = [
  {
    words: 'workspace create',
    summary: 'Creates a workspace',
    options: {
      name: { value: 'NAME', help: 'its name', required: true },
      plan: { value: 'SLUG', help: 'its plan (default: free)' },
    },
    async run({ keys }, { need, optional, actor }) {
      const request = { name: need('name'), planSlug: optional('plan') ?? 'free', actor, actorAddress: '' };
      return shown(await keys.createWorkspace(request));
    },
  },
  {
    words: 'workspace list',
    summary: 'Lists the workspaces, oldest first',
    options: { after: { value: 'WORKSPACE_ID', help: 'the list begins after this workspace' } },
    async run({ keys }, { optional }) {
      const { workspaces } = await keys.listWorkspaces({ afterId: optional('after') ?? '', limit: pageSize });
      return page(workspaces.map(encodeWorkspace), {
        columns: workspaceColumns,
        empty: 'There are no workspaces.',
        next: nextOf(workspaces, 'after', ({ id }) => id),
      });
    },
  },
  {
    words: 'workspace show',
    summary: 'Shows a workspace and its plan',
    options: { workspace: workspaceOption },
    async run({ keys }, { need }) {
      const { workspace, plan } = await keys.getWorkspace({ workspaceId: need('workspace') });
      return single(encodeWorkspaceWithPlan(present(workspace, 'workspace'), present(plan, 'plan')));
    },
  },
  {
    words: 'workspace plan',
    summary: 'Changes the plan of a workspace',
    options: { workspace: workspaceOption, plan: planOption },
    run: async ({ keys }, { need, actor }) =>
      shown(await keys.setWorkspacePlan({ workspaceId: need('workspace'), planSlug: need('plan'), actor })),
  },
  {
    words: 'workspace suspend',
    summary:
      'Suspends all keys of a workspace: every gateway responds 401 within seconds, or within 30 s without Kafka',
    note: 'Requests, scans and usage in progress are not affected',
    options: { workspace: workspaceOption },
    run: async ({ keys }, { need, actor }) =>
      shown(await keys.suspendWorkspace({ workspaceId: need('workspace'), actor })),
  },
  {
    words: 'workspace resume',
    summary: 'Allows the keys of a suspended workspace again',
    options: { workspace: workspaceOption },
    run: async ({ keys }, { need, actor }) =>
      shown(await keys.resumeWorkspace({ workspaceId: need('workspace'), actor })),
  },
  {
    words: 'workspace usage',
    summary: 'Shows the usage of a workspace in total and by key, as GET /v1/usage does',
    options: {
      workspace: workspaceOption,
      period: { value: 'YYYY-MM', help: 'a UTC month (default: the current one)' },
    },
    async run({ keys, metering }, { need, month }) {
      const workspaceId = need('workspace');
      const periodStartMs = month('period');
      const [{ plan }, current, { keys: listed }] = await Promise.all([
        keys.getWorkspace({ workspaceId }),
        metering.getUsage({ workspaceId, periodStartMs: undefined }),
        keys.listKeys({ workspaceId, includeInactive: true }),
      ]);
      // metering decides which period is the current one.
      const isCurrent = periodStartMs === undefined || periodStartMs === current.balance?.periodStartMs;
      const usage = isCurrent ? current : await metering.getUsage({ workspaceId, periodStartMs });
      const encoded = encodeUsage({
        balance: present(usage.balance, 'balance'),
        usage: usage.keys,
        keys: listed,
        plan: isCurrent ? present(plan, 'plan') : undefined,
      });
      const columns = ['key_id', 'label', ...Object.keys(encoded.period.used).map((unit) => `used.${unit}`)];
      const byKey = encoded.by_key.length > 0 ? tableOf(encoded.by_key, columns) : ['The workspace has no keys.'];
      return { json: encoded, text: lines([...fieldLines({ period: encoded.period }), '', ...byKey]) };
    },
  },
];
