import { Plan, type Quotas, type Units, UpdatePlanRequest } from '@shopscope/proto';
import type { Command, Option } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import type { Input } from '../input.ts';
import { page, single } from '../output/output.ts';
import { encodePlan, planColumns } from '../resources/plan.ts';
import { planOption, present } from './options.ts';

type Limit = 'rpm' | 'concurrency' | 'enrichBatchMax' | 'freshnessDays' | 'historyDays';

/** Option → the member that it changes, and its help. */
const limits: Readonly<Record<string, [Limit, string]>> = {
  rpm: ['rpm', 'requests per minute and key'],
  concurrency: ['concurrency', 'simultaneous requests per key'],
  'enrich-batch-max': ['enrichBatchMax', 'domains per enrich request, at most 100'],
  'freshness-days': ['freshnessDays', 'days after which a profile is stale; 0: always'],
  'history-days': ['historyDays', 'days that history reaches back'],
};
const allowances: Readonly<Record<string, [keyof Units, string]>> = {
  'lookup-cached': ['lookupCached', 'lookup_cached units per period'],
  'live-refreshes': ['lookupLive', 'lookup_live units per period'],
  'history-query': ['historyQuery', 'history_query units per period'],
  'refresh-requested': ['refreshRequested', 'refresh_requested units per period'],
};
const quotas: Readonly<Record<string, [keyof Quotas, string]>> = {
  lists: ['lists', 'lists of a workspace'],
  'list-stores': ['listStores', 'stores in all its lists, each membership counted'],
  watchlists: ['watchlists', 'watchlists of a workspace'],
  'watched-stores': ['watchedStores', 'stores in all its watchlists, each membership counted'],
  webhooks: ['webhooks', 'webhook endpoints of a workspace'],
};

const memberOptions: Record<string, Option> = Object.fromEntries(
  Object.entries({ ...limits, ...allowances, ...quotas }).map(([name, [, help]]) => [name, { value: 'N', help }]),
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
      const base = namedPlan((await keys.listPlans({})).plans, input.optional('from') ?? 'free');
      const created = Plan.fromPartial({
        ...base,
        slug,
        ...changesOf(input, limits),
        included: { ...base.included, ...changesOf(input, allowances) },
        quotas: { ...base.quotas, ...changesOf(input, quotas) },
      });
      const { plan } = await keys.createPlan({ plan: created, actor: input.actor });
      return single(encodePlan(present(plan, 'plan')));
    },
  },
  {
    words: 'plan set',
    summary: 'Changes the given members of a plan for all its workspaces; fails when the plan does not exist',
    options: { plan: planOption, ...memberOptions },
    async run({ keys }, input) {
      const slug = input.need('plan');
      const changes = changesOf(input, { ...limits, ...allowances, ...quotas });
      if (Object.keys(changes).length === 0) {
        const options = Object.keys(memberOptions).map((name) => `--${name}`);
        throw new UsageError(`at least one of ${options.join(', ')} is required`);
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

function changesOf<Member extends string>(
  input: Pick<Input, 'count'>,
  table: Readonly<Record<string, [Member, string]>>,
) {
  const changes: Partial<Record<Member, number>> = {};
  for (const [option, [member]] of Object.entries(table)) {
    const count = input.count(option);
    if (count !== undefined) changes[member] = count;
  }
  return changes;
}

function namedPlan(plans: readonly Plan[], slug: string): Plan {
  const found = plans.find((plan) => plan.slug === slug);
  if (found) return found;
  throw new CommandError(`There is no plan "${slug}"; the plans are ${plans.map((plan) => plan.slug).join(', ')}.`);
}
