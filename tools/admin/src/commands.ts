import type { GrpcClient } from '@shopscope/grpc';
import type { KeysServiceService, Plan } from '@shopscope/proto';

/**
 * What an operator can do from the command line, through the keys service's RPCs: every command is audited there under
 * the operator's name. Options are long and named as the API names them.
 */
export interface Command {
  /** Words after `npm run admin --`. */
  words: string;
  options: readonly string[];
  help: string;
  run(keys: GrpcClient<typeof KeysServiceService>, input: CommandInput): Promise<unknown>;
}

export interface CommandInput {
  /** The option's value; throws {@link UsageError} when it is needed and missing. */
  need(option: string): string;
  optional(option: string): string | undefined;
  /** A whole number, or undefined when not given. */
  count(option: string): number | undefined;
  actor: string;
}

export class UsageError extends Error {}

const planOptions = {
  rpm: 'rpm',
  concurrency: 'concurrency',
  'enrich-batch-max': 'enrichBatchMax',
  'freshness-days': 'freshnessDays',
  'history-days': 'historyDays',
} as const;

const allowanceOptions = {
  'lookup-cached': 'lookupCached',
  'live-refreshes': 'lookupLive',
  'history-query': 'historyQuery',
  'refresh-requested': 'refreshRequested',
} as const;

/** The named plan with the given members changed; a new plan starts from `free`. */
export function changePlan(plans: readonly Plan[], slug: string, input: CommandInput): Plan {
  const base = plans.find((plan) => plan.slug === slug) ?? plans.find((plan) => plan.slug === 'free');
  if (!base?.included) throw new UsageError(`there is no plan ${slug} and no plan free to start from`);
  const plan: Plan = { ...base, slug, included: { ...base.included } };
  for (const [option, member] of Object.entries(planOptions)) plan[member] = input.count(option) ?? plan[member];
  for (const [option, member] of Object.entries(allowanceOptions)) {
    if (plan.included) plan.included[member] = input.count(option) ?? plan.included[member];
  }
  return plan;
}

export const commands: readonly Command[] = [
  {
    words: 'workspace create',
    options: ['name', 'plan'],
    help: '--name NAME [--plan free]',
    run: async (keys, { need, optional, actor }) =>
      (await keys.createWorkspace({ name: need('name'), planSlug: optional('plan') ?? 'free', actor })).workspace,
  },
  {
    words: 'workspace list',
    options: ['after'],
    help: '[--after WORKSPACE_ID]',
    run: async (keys, { optional }) =>
      (await keys.listWorkspaces({ afterId: optional('after') ?? '', limit: 200 })).workspaces,
  },
  {
    words: 'workspace plan',
    options: ['workspace', 'plan'],
    help: '--workspace WORKSPACE_ID --plan SLUG',
    run: async (keys, { need, actor }) =>
      (await keys.setWorkspacePlan({ workspaceId: need('workspace'), planSlug: need('plan'), actor })).workspace,
  },
  {
    words: 'key create',
    options: ['workspace', 'label', 'preset', 'scopes', 'expires-at'],
    help: '--workspace WORKSPACE_ID --label LABEL (--preset read_only|read_and_watch|full|partner | --scopes a,b) [--expires-at ISO8601]',
    run: async (keys, { need, optional, actor }) => {
      const scopes = optional('scopes')?.split(',') ?? [];
      const expiresAt = optional('expires-at');
      const expiresAtMs = expiresAt === undefined ? undefined : Date.parse(expiresAt);
      if (Number.isNaN(expiresAtMs)) throw new UsageError('--expires-at must be an ISO 8601 instant');
      return keys.createKey({
        workspaceId: need('workspace'),
        label: need('label'),
        preset: optional('preset') ?? (scopes.length > 0 ? '' : 'read_only'),
        scopes,
        expiresAtMs,
        actor,
      });
    },
  },
  {
    words: 'key revoke',
    options: ['workspace', 'key'],
    help: '--workspace WORKSPACE_ID --key KEY_ID',
    run: async (keys, { need, actor }) =>
      (await keys.revokeKey({ workspaceId: need('workspace'), keyId: need('key'), actor })).key,
  },
  {
    words: 'key list',
    options: ['workspace'],
    help: '--workspace WORKSPACE_ID',
    run: async (keys, { need }) =>
      (await keys.listKeys({ workspaceId: need('workspace'), includeInactive: true })).keys,
  },
  {
    words: 'plan list',
    options: [],
    help: '',
    run: async (keys) => (await keys.listPlans({})).plans,
  },
  {
    words: 'plan set',
    options: ['plan', ...Object.keys(planOptions), ...Object.keys(allowanceOptions)],
    help: `--plan SLUG ${[...Object.keys(planOptions), ...Object.keys(allowanceOptions)].map((o) => `[--${o} N]`).join(' ')}`,
    run: async (keys, input) => {
      const { plans } = await keys.listPlans({});
      return (await keys.putPlan({ plan: changePlan(plans, input.need('plan'), input), actor: input.actor })).plan;
    },
  },
  {
    words: 'audit list',
    options: ['workspace'],
    help: '--workspace WORKSPACE_ID',
    run: async (keys, { need }) =>
      (await keys.listAuditEntries({ workspaceId: need('workspace'), beforeId: '', limit: 200 })).entries,
  },
];
