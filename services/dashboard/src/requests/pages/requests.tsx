import { errorCodes } from '@shopscope/errors';
import { isolated } from '@shopscope/text';
import { Search } from 'lucide-react';
import { Form, Link, redirect, useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { FreeCall } from '../../app/components/copy-field.tsx';
import { SelectField, TextField } from '../../app/components/field.tsx';
import { FilterChips } from '../../app/components/filter-chips.tsx';
import { SubmitButton } from '../../app/components/form.tsx';
import { dayName, formatNumber } from '../../app/components/formats.ts';
import { EmptyState, Page, Quiet } from '../../app/components/page.tsx';
import { Paging } from '../../app/components/paging.tsx';
import { useSearchWith } from '../../app/components/search.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { contextOf, load, loadPart, workspaceVisit } from '../../app/pages/server.ts';
import { libraryOf } from '../../documentation/pages.server.ts';
import { totalOf } from '../../usage/pages.ts';
import type { RequestChoice, RequestView } from '../operations/request-log.ts';
import type { Route } from './+types/requests';
import {
  durationText,
  noOperation,
  operationText,
  outcomeClassTexts,
  RequestStatus,
  recentTexts,
} from './request-words.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Requests · Shopscope' }];

const maxText = 100;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const text = (name: string) => (searchParams.get(name) ?? '').trim().slice(0, maxText);
  const choice: RequestChoice = {
    result: text('result'),
    operation: text('operation'),
    key: text('key'),
    code: text('code'),
    time: text('time'),
  };
  const id = text('id');
  const { requestLog, usage, publicApiUrl } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const cursor = { before: searchParams.get('before'), after: searchParams.get('after') };
  const [page, keys] = await Promise.all([
    load(context, () =>
      id === '' ? requestLog.page(visit, choice, cursor) : requestLog.pageWithId(visit, id, cursor),
    ),
    loadPart(context, usage.keys(visit)),
  ]);
  const base = `/workspaces/${params.workspaceId}`;
  const [only, second] = page.requests;
  if (id !== '' && only && !second && page.newer === undefined) throw redirect(`${base}/requests/${only.id}`);
  return {
    page,
    choice,
    id,
    base,
    publicApiUrl,
    isFiltered: id !== '' || Object.values(choice).some((value) => value !== ''),
    keys: keys.value?.map(({ id, label, prefix }) => ({ id, label, prefix })) ?? [],
    days: requestLog.days(),
    operations: [...libraryOf(context).servedToKeys, noOperation],
    codes: errorCodes.filter((code) => code !== 'unauthorized'),
  };
}

export default function RequestsPage({ loaderData }: Route.ComponentProps) {
  const { page, id, base, isFiltered } = loaderData;
  const [search] = useSearchParams();
  const searchWith = useSearchWith();
  const hasCursor = search.has('before') || search.has('after');
  return (
    <Page
      title="Requests"
      lead="Requests with a key of this workspace, kept 7 days. Bodies and keys are not stored. Requests that were refused before their key was read are not listed."
      action={<FindById id={id} />}
    >
      {(isFiltered || hasCursor || page.requests.length > 0) && <Filters {...loaderData} />}
      {page.requests.length > 0 ? (
        <Table label="Requests" columns={columns(base)} rows={page.requests} keyOf={({ id }) => id} />
      ) : (
        <Empty {...loaderData} hasCursor={hasCursor} />
      )}
      <Paging
        label="Pages of the requests"
        newer={page.newer && searchWith({ before: undefined, after: page.newer })}
        older={page.older && searchWith({ before: page.older, after: undefined })}
      />
    </Page>
  );
}

function FindById({ id }: { id: string }) {
  return (
    <Form method="get" role="search" className="flex w-full items-end gap-2 sm:w-auto">
      <TextField
        label="Request id"
        name="id"
        key={id}
        defaultValue={id}
        required
        minLength={8}
        maxLength={64}
        placeholder="req_…"
        isCode
        className="sm:w-72"
      />
      <Button>
        <Search aria-hidden className="size-4" />
        Find
      </Button>
    </Form>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Filters({ choice, id, keys, days, operations, codes }: Data) {
  const keyText = ({ label, prefix }: { label: string; prefix: string }) => `${isolated(label)} (${prefix})`;
  const options = {
    result: Object.entries(outcomeClassTexts),
    operation: operations.map((operation) => [operation, operationText(operation)] as const),
    key: keys.map((key) => [key.id, keyText(key)] as const),
    code: codes.map((code) => [code, code] as const),
    time: [...Object.entries(recentTexts), ...days.map((day) => [day, dayText(day)] as const)],
  };
  const select = (name: keyof typeof options, label: string, all: string) => (
    <SelectField
      label={label}
      name={name}
      key={`${name} ${choice[name]}`}
      defaultValue={choice[name]}
      options={[['', all], ...withChosen(options[name], choice[name])]}
    />
  );
  const textOf = (name: keyof typeof options) =>
    options[name].find(([value]) => value === choice[name])?.[1] ?? choice[name];
  const chips = [
    ...(Object.keys(options) as (keyof typeof options)[]).map((name) => ({ name, text: choice[name] && textOf(name) })),
    { name: 'id', text: id },
  ].filter(({ text }) => text !== '');
  return (
    <div className="grid gap-3">
      <Form
        method="get"
        className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 lg:grid-cols-[repeat(5,minmax(0,1fr))_auto]"
      >
        {select('time', 'Time', 'All 7 days')}
        {select('result', 'Status', 'All')}
        {select('code', 'Error code', 'All')}
        {select('operation', 'Operation', 'All operations')}
        {select('key', 'Key', 'All keys')}
        <SubmitButton kind="secondary">Filter</SubmitButton>
      </Form>
      <FilterChips chips={chips} />
    </div>
  );
}

/** A value from the URL that is not an option is added to the options, so that the form keeps it. */
const withChosen = (options: readonly (readonly [string, string])[], chosen: string) =>
  chosen === '' || options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen] as const];

const dayText = (day: string) => `${dayName(Date.parse(day))} (UTC)`;

function Empty(props: Data & { hasCursor: boolean }) {
  const { id, base, isFiltered, hasCursor, publicApiUrl } = props;
  const all = <ButtonLink to={`${base}/requests`}>Show all requests</ButtonLink>;
  if (id !== '') {
    return (
      <EmptyState title="No request with this id" action={all}>
        No request with a key of this workspace had the id <span className="code">{id}</span> in the last 7 days.
      </EmptyState>
    );
  }
  if (isFiltered || hasCursor) {
    return (
      <EmptyState title="No matching requests" action={all}>
        {isFiltered ? 'No request of the last 7 days matches all filters.' : 'There are no further requests.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No requests in the last 7 days">
      <p>Every request with a key of this workspace appears here within seconds. This one is free:</p>
      <div className="mt-3 text-left">
        <FreeCall apiUrl={publicApiUrl} />
      </div>
    </EmptyState>
  );
}

const columns = (base: string): Column<RequestView>[] => [
  {
    header: 'Operation',
    cell: ({ id, operation }) => (
      <Link to={`${base}/requests/${id}`} className="rounded font-medium break-all hover:underline">
        {operationText(operation)}
      </Link>
    ),
  },
  { header: 'Time', cell: ({ atMs }) => <Time ms={atMs} as="second" />, className: 'md:whitespace-nowrap' },
  {
    header: 'Key',
    wideOnly: true,
    cell: ({ keyId, keyPrefix }) => (
      <Link to={`${base}/settings/keys/${keyId}`} className="code rounded whitespace-nowrap hover:underline">
        {keyPrefix}
      </Link>
    ),
  },
  { header: 'Status', cell: (request) => <RequestStatus value={request} /> },
  {
    header: 'Error code',
    cell: ({ outcome, outcomeClass }) =>
      (outcomeClass === 'refused' || outcomeClass === 'failed') && <span className="code">{outcome}</span>,
  },
  {
    header: 'Latency',
    align: 'right',
    wideOnly: true,
    cell: ({ durationMs }) => <span className="amount whitespace-nowrap">{durationText(durationMs)}</span>,
  },
  {
    header: 'Billed units',
    align: 'right',
    wideOnly: true,
    cell: ({ units }) => {
      const total = totalOf(units);
      return <span className={`amount ${total === 0 ? 'text-quiet' : ''}`}>{formatNumber(total)}</span>;
    },
  },
  {
    header: 'Domains',
    align: 'right',
    wideOnly: true,
    cell: ({ domains }) => (domains === 0 ? <Quiet>–</Quiet> : <span className="amount">{formatNumber(domains)}</span>),
  },
];
