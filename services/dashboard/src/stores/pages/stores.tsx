import { Link, redirect } from 'react-router';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, EmptyState, Page, Section } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { contextOf, load, loadPart, submit, workspaceVisit } from '../../app/pages/server.ts';
import { StoresOff } from '../../keys/pages.ts';
import { billedText, loadAllowance, UnitsLeft } from '../../usage/pages.ts';
import type { StoreMatch } from '../domain/store.ts';
import type * as operations from '../operations/stores.ts';
import type { Route } from './+types/stores';

export const meta: Route.MetaFunction = () => [{ title: 'Stores · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { dashboardKeys } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const [latest, allowance, access] = await Promise.all([
    load(context, ({ stores }) => stores.latest(visit)),
    loadAllowance(context),
    loadPart(context, dashboardKeys.state(visit)),
  ]);
  return {
    latest,
    allowance,
    isOff: access.value === 'off',
    isAdmin: visit.membership.role === 'admin',
    base: `/workspaces/${params.workspaceId}/stores`,
    domain: (new URL(request.url).searchParams.get('domain') ?? '').slice(0, 300),
    // A form that is sent again has the same token, so it bills nothing again.
    token: crypto.randomUUID(),
  };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { stores, dashboardKeys }) => {
    const visit = workspaceVisit(args.context);
    const base = `/workspaces/${args.params.workspaceId}/stores`;
    if (form.text('intent') === 'switch_on') {
      await dashboardKeys.switchOn(visit);
      throw redirect(base);
    }
    const { id, domain } = await stores.lookUp(visit, { domain: form.text('domain'), token: form.text('token') });
    throw redirect(`${base}/${domain}?lookup=${id}`);
  });

export default function StoresPage({ loaderData, actionData }: Route.ComponentProps) {
  const { latest, allowance, isOff, isAdmin, base, domain, token } = loaderData;
  const { freshnessDays } = allowance;
  return (
    <Page title="Stores" lead="What Shopscope knows of a web store: its platform, technologies, changes and catalogue.">
      {isOff && <StoresOff action={base} isAdmin={isAdmin} />}
      <Card>
        <PostForm className="grid max-w-[68ch] gap-4" failed={actionData} fields={['domain']}>
          <input type="hidden" name="token" value={actionData?.values.token ?? token} />
          <TextField
            label="Domain"
            name="domain"
            key={domain}
            defaultValue={domain}
            required
            isCode
            inputMode="url"
            placeholder="shop.example"
            help="A domain, or the address of any page of the store."
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <SubmitButton busy="Looking up…" disabled={isOff}>
              Look up
            </SubmitButton>
            <p className="min-w-0 basis-60 grow text-sm text-quiet">
              A known store bills 1 cached look-up, an unknown domain nothing.{' '}
              <UnitsLeft unit="lookup_cached" allowance={allowance} />
              {freshnessDays !== undefined &&
                freshnessDays > 0 &&
                ` A profile is stale when its last scan is older than ${freshnessDays} days; it bills the same.`}
            </p>
          </div>
        </PostForm>
      </Card>
      {latest.length === 0 && (
        <EmptyState title="No look-ups in the last 7 days">
          Answers to look-ups and scans of everybody in this workspace appear here. Opening one bills nothing.
        </EmptyState>
      )}
      {latest.length > 0 && (
        <Section title="Latest look-ups" note="Of everybody in this workspace. Opening one bills nothing">
          <Table label="Latest look-ups" columns={columns(base)} rows={latest} keyOf={({ id }) => id} />
        </Section>
      )}
    </Page>
  );
}

type Latest = Awaited<ReturnType<typeof operations.latest>>[number];

const outcomes: Record<StoreMatch, string> = {
  matched: 'Fresh profile',
  stale: 'Stale profile',
  no_match: 'Not in the corpus',
  error: 'Not a domain',
  unreadable: 'Answered, but its page cannot draw it',
};

const columns = (base: string): Column<Latest>[] => [
  {
    header: 'Domain',
    className: 'md:w-[40%]',
    cell: ({ id, domain }) => (
      <Link to={`${base}/${domain}?lookup=${id}`} className="code rounded font-medium hover:underline">
        {domain}
      </Link>
    ),
  },
  {
    header: 'Result',
    cell: ({ match, kind, scanJobId }) => (kind === 'scan' && scanJobId ? 'Scan requested' : outcomes[match]),
  },
  { header: 'Billed', cell: ({ billed }) => billedText(billed), wideOnly: true },
  { header: 'When', cell: ({ atMs }) => <Time ms={atMs} /> },
];
