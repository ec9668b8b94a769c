import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { data, redirect } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { ForeignText, NotKnown } from '../../app/components/foreign-text.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { Meter } from '../../app/components/meter.tsx';
import { Card, Notice, Page, Section } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { useHydrated } from '../../app/components/use-hydrated.ts';
import { useLive } from '../../app/pages/live.ts';
import { act, contextOf, load, workspaceVisit } from '../../app/pages/server.ts';
import { type Allowance, billedText, loadAllowance, UnitsLeft } from '../../usage/pages.ts';
import type { StoreMatch } from '../domain/store.ts';
import type { ListEntry } from '../operations/store-lists.ts';
import type { Route } from './+types/store-list';
import { type Runner, useListRunner } from './list-runner.ts';
import { doneOf, ListState } from './list-state.tsx';
import { hasEnded, type ListProgress, newerStatus, readStoreList } from './load-store-list.ts';
import { countryName } from './store-labels.ts';

export const meta: Route.MetaFunction = () => [{ title: 'List of stores · Shopscope' }];

const perPage = 100;

export async function loader(args: Route.LoaderArgs) {
  const { params, context } = args;
  const { list, status } = await load(context, () => readStoreList(args, params.listId));
  const base = `/workspaces/${params.workspaceId}/stores`;
  return { list, status, base, allowance: await loadAllowance(context) };
}

/** Without script, a form runs one batch. */
export const action = ({ request, params, context }: Route.ActionArgs) =>
  act(context, async ({ storeLists }) => {
    const visit = workspaceVisit(context);
    const base = `/workspaces/${params.workspaceId}/stores`;
    const form = await contextOf(context).readForm(request);
    const intent = form.text('intent');
    if (intent === 'delete') {
      await storeLists.deleteList(visit, params.listId);
      throw redirect(base);
    }
    if (intent === 'cancel') await storeLists.cancel(visit, params.listId);
    else if (intent === 'run') await storeLists.runNext(visit, params.listId, Number(form.text('finished')));
    else throw data({}, { status: 404 });
    throw redirect(`${base}/lists/${params.listId}`);
  });

export default function StoreListPage({ loaderData }: Route.ComponentProps) {
  const { list, status, base, allowance } = loaderData;
  const { page } = status;
  const path = `${base}/lists/${list.id}`;
  const runner = useListRunner(`${path}/run`, page);
  // Other pages can also run or cancel the list.
  const live = useLive(status, `${path}/status?page=${page}`, { isDone: hasEnded });
  const { latest } = runner;
  const shown = latest?.page === page ? newerStatus(latest, live.data) : live.data;
  const { progress, entries } = shown;
  return (
    <Page
      title={list.name}
      trail={[{ to: base, label: 'Stores' }]}
      action={
        progress.finished > 0 && (
          <ButtonLink to={`${path}/export.csv`} reloadDocument>
            <Download aria-hidden className="size-4" />
            Export CSV
          </ButtonLink>
        )
      }
    >
      <Unread bad={list.bad} duplicates={list.duplicates} />
      {list.encoding === 'windows-1252' && (
        <Notice kind="info" title="The list was read as Windows-1252">
          If letters of its domains look wrong, save the list as UTF-8 and upload it again.
        </Notice>
      )}
      <Card className="grid gap-4">
        <Bar progress={progress} />
        {!hasEnded(shown) && <LiveStatus state={live.state} nowMs={shown.nowMs} />}
        <Controls runner={runner} progress={progress} allowance={allowance} />
      </Card>
      <Section title="Domains" note={<Counts progress={progress} />}>
        <Table label="Domains" columns={columns} rows={entries} keyOf={({ index }) => String(index)} />
        <Paging path={path} page={page} total={list.total} />
      </Section>
      <details className="text-sm">
        <summary className="w-fit rounded py-1 text-quiet hover:text-text">Delete this list</summary>
        <PostForm intent="delete" className="mt-2 grid max-w-[68ch] justify-items-start gap-2">
          <p>Its results are deleted for everybody in this workspace. What was billed stays billed.</p>
          <Button kind="danger" disabled={isRunning(runner)}>
            Delete the list
          </Button>
        </PostForm>
      </details>
    </Page>
  );
}

/** The lines of the text that are not in the list. */
function Unread({ bad, duplicates }: Pick<Route.ComponentProps['loaderData']['list'], 'bad' | 'duplicates'>) {
  if (bad.count === 0 && duplicates.count === 0) return null;
  const more = (count: number, listed: number) => (count > listed ? ` and ${formatNumber(count - listed)} more` : '');
  return (
    <Notice kind={bad.count > 0 ? 'warning' : 'info'} title="Not every line is in the list">
      {bad.count > 0 && (
        <details>
          <summary className="w-fit rounded">
            {formatNumber(bad.count)} {bad.count === 1 ? 'line has' : 'lines have'} no domain
          </summary>
          <ul className="my-1 grid gap-0.5">
            {bad.lines.map(({ line, text }) => (
              <li key={line}>
                Line {line}: <ForeignText text={text} max={60} />
              </li>
            ))}
          </ul>
          {more(bad.count, bad.lines.length)}
        </details>
      )}
      {duplicates.count > 0 && (
        <details>
          <summary className="w-fit rounded">
            {formatNumber(duplicates.count)} {duplicates.count === 1 ? 'line repeats' : 'lines repeat'} a domain, which
            is looked up once
          </summary>
          <p className="my-1 [overflow-wrap:anywhere]">
            Lines {duplicates.lines.join(', ')}
            {more(duplicates.count, duplicates.lines.length)}
          </p>
        </details>
      )}
    </Notice>
  );
}

function Bar({ progress }: { progress: ListProgress }) {
  const done = doneOf(progress);
  const text = `${formatNumber(done)} of ${formatNumber(progress.total)} domains looked up`;
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="tabular-nums">{text}</span>
        <ListState list={progress} />
      </p>
      <Meter
        label={text}
        parts={[{ share: done / progress.total, fill: 'fill-accent forced-colors:fill-[Highlight]' }]}
      />
      <p className="text-sm text-quiet">Billed so far: {billedText(progress.billed)}.</p>
    </div>
  );
}

const isRunning = ({ state }: Runner) => state === 'running' || state === 'waiting';

/** The text that a screen reader announces, even if the buttons are gone. */
function stateText({ state, message }: Runner, progress: ListProgress): string {
  if (progress.state === 'done') return 'Done. Every domain was looked up.';
  if (progress.state === 'canceled') {
    return 'The list was canceled. A batch that was under way still ends and is billed. No other domain is looked up.';
  }
  if (state === 'running') return 'The list runs.';
  if (state === 'waiting') return `The list waits. ${message ?? ''}`;
  if (state === 'idle') return '';
  return message ? `Paused. ${message}` : 'Paused. A batch that was under way still ends and is billed.';
}

function Controls(props: { runner: Runner; progress: ListProgress; allowance: Allowance }) {
  const { runner, progress, allowance } = props;
  const { state, message, start, pause } = runner;
  const isHydrated = useHydrated();
  const status = useRef<HTMLParagraphElement>(null);
  const isOpen = progress.state === 'open';
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The button that had the focus no longer exists.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) status.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const rest = progress.total - doneOf(progress);
  const left = allowance.left?.lookup_cached;
  return (
    <div className="grid gap-3">
      {isOpen && !isRunning(runner) && (
        <p className="max-w-[68ch]">
          {progress.finished === 0 ? 'Starting' : 'Resuming'} bills at most {formatNumber(rest)}{' '}
          {rest === 1 ? 'cached look-up' : 'cached look-ups'}: one for each domain that is known.{' '}
          <UnitsLeft unit="lookup_cached" allowance={allowance} />{' '}
          {left !== undefined && left < rest && (
            <span className="text-warning">The list can stop when they are used up; it can be resumed later.</span>
          )}
        </p>
      )}
      {isOpen && (
        <p className="max-w-[68ch] text-sm text-quiet">
          {formatNumber(progress.batchSize)} domains are looked up at a time, by this page. Closing the page pauses the
          list, and opening it again resumes it. After a pause or a cancellation the batch under way still ends and is
          billed; no other begins. A batch that is tried again within 24 hours is billed once.
        </p>
      )}
      <p
        ref={status}
        role="status"
        tabIndex={-1}
        className={`max-w-[68ch] ${state === 'paused' && message ? 'text-warning' : ''}`}
      >
        {stateText(runner, progress)}
      </p>
      {isOpen && (
        <div className="flex flex-wrap gap-2">
          {/* It is one button, so that it keeps the focus when its text changes. */}
          {isHydrated ? (
            <Button
              type="button"
              kind={isRunning(runner) ? 'secondary' : 'primary'}
              onClick={isRunning(runner) ? pause : start}
            >
              {isRunning(runner) ? 'Pause' : progress.finished === 0 ? 'Start' : 'Resume'}
            </Button>
          ) : (
            <IntentForm intent="run" finished={progress.finished}>
              Look up the next {formatNumber(progress.batchSize)}
            </IntentForm>
          )}
          <IntentForm intent="cancel">Cancel the list</IntentForm>
        </div>
      )}
    </div>
  );
}

function IntentForm({ intent, finished, children }: { intent: string; finished?: number; children: ReactNode }) {
  return (
    <PostForm intent={intent}>
      {finished !== undefined && <input type="hidden" name="finished" value={finished} />}
      <Button>{children}</Button>
    </PostForm>
  );
}

function Counts({ progress: { counts } }: { progress: ListProgress }) {
  return (
    <span className="tabular-nums">
      {formatNumber(counts.matched)} fresh · {formatNumber(counts.stale)} stale · {formatNumber(counts.no_match)} not in
      the corpus
      {counts.error > 0 && ` · ${formatNumber(counts.error)} not a domain`}
      {counts.unreadable > 0 && ` · ${formatNumber(counts.unreadable)} answered, not shown`}
    </span>
  );
}

function Paging({ path, page, total }: { path: string; page: number; total: number }) {
  const last = Math.ceil(total / perPage);
  if (last <= 1) return null;
  return (
    <nav aria-label="Pages of the list" className="flex items-center justify-between gap-2">
      {page > 1 ? <ButtonLink to={`${path}?page=${page - 1}`}>Previous</ButtonLink> : <span />}
      <span className="text-sm text-quiet tabular-nums">
        Page {page} of {last}
      </span>
      {page < last ? <ButtonLink to={`${path}?page=${page + 1}`}>Next</ButtonLink> : <span />}
    </nav>
  );
}

const results: Record<StoreMatch, string> = {
  matched: 'Fresh',
  stale: 'Stale',
  no_match: 'Not in the corpus',
  error: 'Not a domain',
  unreadable: 'Answered, but this page cannot draw it',
};

const columns: Column<ListEntry>[] = [
  { header: 'Domain', className: 'md:w-[26%]', cell: ({ domain }) => <span className="code">{domain}</span> },
  {
    header: 'Result',
    cell: ({ row }) => (row ? results[row.match] : <span className="text-quiet">Not looked up yet</span>),
  },
  { header: 'Name', cell: ({ row }) => row?.store && <ForeignText text={row.store.name} max={80} /> },
  {
    header: 'Platform',
    cell: ({ row }) =>
      row?.store && (row.store.platform ? <ForeignText text={row.store.platform} max={40} /> : <NotKnown />),
  },
  {
    header: 'Country',
    wideOnly: true,
    cell: ({ row }) =>
      row?.store && (countryName({ country: row.store.country || 'ZZ', basis: 'observed' }) ?? <NotKnown />),
  },
  {
    header: 'Technologies',
    align: 'right',
    cell: ({ row }) => row?.store && <span className="amount">{row.store.technologies.length}</span>,
  },
  {
    header: 'Last scan',
    wideOnly: true,
    cell: ({ row }) => row?.store && <Time ms={Date.parse(row.store.lastScanAt)} as="date" />,
  },
];
