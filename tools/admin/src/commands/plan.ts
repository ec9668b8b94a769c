import { Plan, UpdatePlanRequest } from '@shopscope/proto';
import type { Command, Input, Option } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { page, single } from '../output/output.ts';
import { encodePlan, planColumns } from '../resources/plan.ts';
import { planOption, present } from './options.ts';

const limitOptions = {
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

const memberHelp: Record<keyof typeof limitOptions | keyof typeof allowanceOptions, string> = {
  rpm: 'requests per minute and key',
  concurrency: 'simultaneous requests per key',
  'enrich-batch-max': 'domains per enrich request, at most 100',
  'freshness-days': 'days after which a profile is stale; 0: always',
  'history-days': 'days that history reaches back',
  'lookup-cached': 'lookup_cached units per period',
  'live-refreshes': 'lookup_live units per period',
  'history-query': 'history_query units per period',
  'refresh-requested': 'refresh_requested units per period',
};

const memberOptions: Record<string, Option> = Object.fromEntries(
  Object.entries(memberHelp).map(([name, help]) => [name, { value: 'N', help }]),
);

export const planCommands: readonly Command[] = [
  {
    words: 'plan list',
    summary: 'Lists the plans',
    options: {},
    async run({ keys }) {
      const { plans } = await keys.listPlans({});
      return page(plans.map(encodePlan), { columns: planColumns, empty: 'There are no plans.' });
    },
  },
  {
    words: 'plan show',
    summary: 'Shows a plan',
    options: { plan: planOption },
    run: async ({ keys }, { need }) => single(encodePlan(namedPlan((await keys.listPlans({})).plans, need('plan')))),
  },
  {
    words: 'plan create',
    summary: 'Creates a plan; fails when the slug exists',
    note: 'Other members are copied from the plan of --from',
    options: {
      plan: { ...planOption, help: 'its slug' },
      from: { value: 'SLUG', help: 'the plan to copy from (default: free)' },
      ...memberOptions,
    },
    async run({ keys }, input) {
      const slug = input.need('plan');
      const changes = changesOf(input);
      const base = namedPlan((await keys.listPlans({})).plans, input.optional('from') ?? 'free');
      const { plan } = await keys.createPlan({ plan: withChanges({ ...base, slug }, changes), actor: input.actor });
      return single(encodePlan(present(plan, 'plan')));
    },
  },
  {
    words: 'plan set',
    summary: 'Changes the given members of a plan for all its workspaces; fails when the plan does not exist',
    options: { plan: planOption, ...memberOptions },
    async run({ keys }, input) {
      const slug = input.need('plan');
      const changes = changesOf(input);
      if (Object.keys(changes).length === 0) {
        throw new UsageError(
          `at least one of ${Object.keys(memberOptions)
            .map((name) => `--${name}`)
            .join(', ')} is required`,
        );
      }
      const request = UpdatePlanRequest.fromPartial({ slug, actor: input.actor, ...changes });
      return single(encodePlan(present((await keys.updatePlan(request)).plan, 'plan')));
    },
  },
  {
    words: 'plan delete',
    summary: 'Deletes a plan; fails while a workspace has it',
    options: { plan: planOption },
    async run({ keys }, { need, actor }) {
      const slug = need('plan');
      await keys.deletePlan({ slug, actor });
      return { json: { slug, deleted: true }, text: `plan ${slug} is deleted\n` };
    },
  },
];

type Changes = Partial<
  Record<
    (typeof limitOptions)[keyof typeof limitOptions] | (typeof allowanceOptions)[keyof typeof allowanceOptions],
    number
  >
>;

function changesOf(input: Pick<Input, 'count'>): Changes {
  const changes: Changes = {};
  for (const [option, member] of Object.entries({ ...limitOptions, ...allowanceOptions })) {
    const count = input.count(option);
    if (count !== undefined) changes[member] = count;
  }
  return changes;
}

function withChanges(base: Plan, changes: Changes): Plan {
  const allowances = new Set<string>(Object.values(allowanceOptions));
  const entries = Object.entries(changes);
  const own = Object.fromEntries(entries.filter(([member]) => !allowances.has(member)));
  const included = Object.fromEntries(entries.filter(([member]) => allowances.has(member)));
  return Plan.fromPartial({ ...base, ...own, included: { ...base.included, ...included } });
}

function namedPlan(plans: readonly Plan[], slug: string): Plan {
  const found = plans.find((plan) => plan.slug === slug);
  if (found) return found;
  throw new CommandError(`There is no plan "${slug}"; the plans are ${plans.map((plan) => plan.slug).join(', ')}.`);
}
