import { isolated } from '@shopscope/text';
import { Download } from 'lucide-react';
import { Form, Link } from 'react-router';
import { ActorName, PersonLines } from '../../app/components/actor.tsx';
import { Button } from '../../app/components/button.tsx';
import { SelectField } from '../../app/components/field.tsx';
import { FilterChips } from '../../app/components/filter-chips.tsx';
import { SubmitButton } from '../../app/components/form.tsx';
import { EmptyState, Page } from '../../app/components/page.tsx';
import { TrailPaging, trailOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { AuditView } from '../operations/audit.ts';
import type { Route } from './+types/audit-log';
import { actionText, actionTexts } from './audit-actions.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Audit log · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const trail = trailOf(searchParams, 'before');
  const filter = { action: searchParams.get('action') ?? '', actor: searchParams.get('actor') ?? '' };
  const page = await load(context, ({ audit }) =>
    audit.list(workspaceVisit(context), { ...filter, beforeId: trail.at(-1) ?? '' }),
  );
  return { ...page, filter, trail, base: `/workspaces/${params.workspaceId}/settings/` };
}

export default function AuditLogPage({ loaderData }: Route.ComponentProps) {
  const { entries, olderThan, people, filter, trail, base } = loaderData;
  const isFiltered = filter.action !== '' || filter.actor !== '';
  return (
    <Page
      title="Audit log"
      lead="Who did what in this workspace, when and from which address, with names and addresses as they were then. Entries are never changed or deleted. The export has the newest 10,000."
      action={
        <form method="post" action={`${base}audit-log.csv`}>
          <Button>
            <Download aria-hidden className="size-4" />
            Export CSV
          </Button>
        </form>
      }
    >
      <Filters filter={filter} people={people} />
      {entries.length > 0 ? (
        <Table label="Audit log" columns={columns(base)} rows={entries} keyOf={({ id }) => id} />
      ) : (
        <EmptyState title={isFiltered ? 'No matching entries here' : 'No entries yet'}>
          {!isFiltered && 'Changes of keys, members and the workspace appear here.'}
          {isFiltered &&
            (olderThan === undefined ? 'No older entries match.' : 'Choose Older to search earlier entries.')}
        </EmptyState>
      )}
      <TrailPaging label="Pages of the log" name="before" trail={trail} older={olderThan} />
    </Page>
  );
}

type Data = Route.ComponentProps['loaderData'];

const personOption = ({ id, name, email }: Data['people'][number]) => [id, `${email} (${isolated(name)})`] as const;

function Filters({ filter, people }: Pick<Data, 'filter' | 'people'>) {
  const chips = [
    filter.action && { name: 'action', text: actionText(filter.action) },
    filter.actor && { name: 'actor', text: people.find(({ id }) => id === filter.actor)?.email ?? filter.actor },
  ].filter((chip) => chip !== '');
  return (
    <div className="grid gap-3">
      <Form method="get" className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[220px_220px_auto] sm:justify-start">
        <SelectField
          label="Action"
          name="action"
          key={`action ${filter.action}`}
          defaultValue={filter.action}
          options={[['', 'All actions'], ...Object.entries(actionTexts)]}
        />
        <SelectField
          label="Person"
          name="actor"
          key={`actor ${filter.actor}`}
          defaultValue={filter.actor}
          options={[['', 'Everybody'], ...people.map(personOption)]}
        />
        <SubmitButton kind="secondary" className="col-span-2 sm:col-span-1">
          Filter
        </SubmitButton>
      </Form>
      <FilterChips chips={chips} />
    </div>
  );
}

const columns = (base: string): Column<AuditView>[] => [
  {
    header: 'What',
    className: 'md:w-[42%]',
    cell: (entry) => (
      <span className="[overflow-wrap:anywhere]">
        <span className="font-medium">{actionText(entry.action)}</span>
        <Subject entry={entry} base={base} />
      </span>
    ),
  },
  { header: 'Who', className: 'md:min-w-28', cell: ({ who }) => <ActorName who={who} withId /> },
  { header: 'When', cell: ({ atMs }) => <Time ms={atMs} /> },
  {
    header: 'From',
    className: 'md:min-w-36',
    cell: ({ address }) =>
      address ? <span className="code">{address}</span> : <span className="text-quiet">Not recorded</span>,
  },
];

/** A change from one name to another keeps its order, even if the names are written from right to left. */
const Detail = ({ text }: { text: string }) => {
  const [from = '', ...to] = text.split(' → ');
  return (
    <span className="text-quiet">
      <bdi>{from}</bdi>
      {to.length > 0 && ' → '}
      {to.length > 0 && <bdi>{to.join(' → ')}</bdi>}
    </span>
  );
};

/** The subject of the action: a key or a watchlist with its id, or another person with name, address and id. */
function Subject({ entry: { who, subjectId, subject, detail }, base }: { entry: AuditView; base: string }) {
  const isOtherPerson = subjectId.startsWith('usr_') && !('id' in who && who.id === subjectId);
  const pages = { key_: 'keys', wl_: 'watchlists' };
  const page = Object.entries(pages).find(([prefix]) => subjectId.startsWith(prefix))?.[1];
  return (
    <>
      {detail !== '' && ' '}
      {detail !== '' && <Detail text={detail} />}
      {page && (
        <Link
          to={`${base}${page}/${subjectId}`}
          className="code block w-fit rounded text-quiet underline decoration-dotted underline-offset-4 hover:decoration-solid"
        >
          {subjectId}
        </Link>
      )}
      {isOtherPerson && <PersonLines id={subjectId} {...subject} withId />}
    </>
  );
}
