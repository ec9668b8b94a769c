import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Card, Page } from '../../app/components/page.tsx';
import { unsettled } from '../../app/pages/page-failure.ts';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { type Allowance, billedText, loadAllowance, totalOf, UnitsLeft } from '../../usage/pages.ts';
import type { Quotes } from '../operations/enrichments.ts';
import type { Route } from './+types/list-enrich';

export const meta: Route.MetaFunction = () => [{ title: 'Enrich a list · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const [list, quotes, allowance] = await Promise.all([
    load(context, ({ lists }) => lists.get(visit, params.listId)),
    load(context, ({ enrichments }) => enrichments.quotes(visit, params.listId)),
    loadAllowance(context),
  ]);
  const base = `/workspaces/${params.workspaceId}/lists`;
  // A form that is sent again starts no second job.
  return { list, quotes, allowance, base, token: crypto.randomUUID() };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { enrichments }) => {
    const { workspaceId, listId } = args.params;
    const refresh = form.text('mode') === 'refresh';
    const maxUnits = Number(form.text(refresh ? 'max_refresh' : 'max_cached'));
    const given = { refresh, maxUnits, token: form.text('token') };
    const { id } = await enrichments.start(workspaceVisit(args.context), listId, given);
    throw redirect(`/workspaces/${workspaceId}/jobs/${id}`);
  });

/** Shows the price of an enrichment before it starts. The job bills at most the price that was shown. */
export default function EnrichListPage({ loaderData, actionData }: Route.ComponentProps) {
  const { list, quotes, allowance, base, token } = loaderData;
  const { cached, refresh } = quotes;
  // The job of such a form may have started. The same form starts no second one.
  const sent = unsettled(actionData);
  const mode = actionData?.values.mode;
  const { left } = allowance;
  const path = `${base}/${list.id}`;
  return (
    <Page
      title={`Enrich ${isolated(list.name)}`}
      trail={[
        { to: base, label: 'Lists' },
        { to: path, label: list.name },
      ]}
      lead="One job looks every store of the list up. You can leave its page, and cancel it."
    >
      <Card className="max-w-[68ch]">
        <PostForm failed={actionData} fields={[]}>
          <input type="hidden" name="token" value={sent?.token ?? token} />
          <input type="hidden" name="max_cached" value={sent?.max_cached ?? totalOf(cached.quote)} />
          <input type="hidden" name="max_refresh" value={sent?.max_refresh ?? totalOf(refresh.quote)} />
          <Counts quote={cached} />
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-medium">What it does</legend>
            <Mode value="cached" title="Look the stores up" quote={cached} left={left} isChosen={mode !== 'refresh'}>
              Known stores get their profiles, also stale ones. No store is visited.
            </Mode>
            <Mode
              value="refresh"
              title="Look the stores up and scan"
              quote={refresh}
              left={left}
              isChosen={mode === 'refresh'}
            >
              Stale and unknown stores are scanned, too. The results of this job do not wait for these scans.
            </Mode>
          </fieldset>
          <p className="text-sm text-quiet">
            <UnitsLeft unit="lookup_cached" allowance={allowance} />{' '}
            <UnitsLeft unit="lookup_live" allowance={allowance} /> When an allowance ends during the job, the remaining
            stores get no result and bill nothing.
          </p>
          <div className="flex flex-wrap gap-2">
            <SubmitButton busy="Starting…">Start the job</SubmitButton>
            <ButtonLink to={path}>Cancel</ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

function Counts({ quote: { matched, stale, unknown } }: { quote: Quotes['cached'] }) {
  return (
    <p className="tabular-nums">
      {formatNumber(matched)} fresh · {formatNumber(stale)} stale · {formatNumber(unknown)} unknown
    </p>
  );
}

function Mode(props: {
  value: string;
  title: string;
  quote: Quotes['cached'];
  /** Undefined if it is not known. */
  left: Allowance['left'];
  isChosen: boolean;
  children: string;
}) {
  const { value, title, quote, left, isChosen, children } = props;
  const { lookup_cached, lookup_live } = quote.quote;
  const isTooMuch = left !== undefined && (lookup_cached > left.lookup_cached || lookup_live > left.lookup_live);
  return (
    <label className="flex items-start gap-3 rounded border p-3 has-checked:border-accent has-checked:bg-accent-soft">
      <input type="radio" name="mode" value={value} defaultChecked={isChosen} className="mt-1 size-4 accent-accent" />
      <span className="grid gap-0.5">
        <span className="font-medium">{title}</span>
        <span className="text-sm text-quiet">{children}</span>
        <span className="text-sm">
          Bills at most <span className="tabular-nums">{billedText(quote.quote)}</span>.
          {isTooMuch && <span className="text-warning"> That is more than what is left.</span>}
        </span>
      </span>
    </label>
  );
}
