import { Button, TextLink } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { EmptyState, Quiet, Section } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Ticks } from '../../app/components/ticks.tsx';
import { Time } from '../../app/components/time.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { asWords, countryName, statusOf } from '../../stores/pages.ts';
import { billedText } from '../../usage/pages.ts';

import type { CompactStore, StoreRow } from '../domain/answers.ts';
import { rowsPerPage } from '../domain/rows-request.ts';
import { type Shown, ShownFields, type ShownRows } from './shown.tsx';
import { billText } from './units-text.ts';

interface FoundRowsProps {
  found: ShownRows;
  shown: Shown;
  base: string;
  failed: FailedForm | undefined;
  nextToken: string;
}

const anyone = { basis: 'observed' } as const;

/** The page asks for the compact view. */
const storeOf = ({ store }: StoreRow) => store as CompactStore;

/** The columns that a person can choose, in the order of the table. The domain is always shown. */
const optional: readonly (Column<StoreRow> & { name: string })[] = [
  { name: 'name', header: 'Name', cell: (row) => <bdi>{storeOf(row).name || <Quiet>not known</Quiet>}</bdi> },
  { name: 'platform', header: 'Platform', cell: (row) => asWords(storeOf(row).platform) },
  {
    name: 'country',
    header: 'Country',
    cell: (row) => countryName({ country: storeOf(row).country, ...anyone }) ?? <Quiet>not known</Quiet>,
  },
  { name: 'industry', header: 'Industry', cell: (row) => asWords(storeOf(row).industry) },
  { name: 'status', header: 'Status', cell: (row) => statusOf(storeOf(row).status).word },
  {
    name: 'matched',
    header: 'Matched',
    cell: ({ matched, dropped }) =>
      [
        ...matched.map(({ technology }) => technology),
        ...dropped.map(({ technology }) => `dropped ${technology}`),
      ].join(', ') || undefined,
  },
  {
    name: 'scanned',
    header: 'Last scan',
    cell: (row) => <Time ms={Date.parse(storeOf(row).last_completed_scan_at)} />,
  },
];
const shownAtFirst = ['name', 'platform', 'country', 'matched', 'scanned'];

/** A page of rows with the chosen columns. The same token gives the same rows, so another choice of columns bills nothing. */
export function FoundRows({ found, shown, base, failed, nextToken }: FoundRowsProps) {
  const { page, columns } = found;
  const { data, next_cursor, billed } = page;
  const chosen = columns.length > 0 ? columns : shownAtFirst;
  const domains = data.map(({ domain }) => domain);
  if (data.length === 0 && next_cursor === null) {
    return (
      <EmptyState title="No stores match">
        Nothing was billed. Remove a condition, or look at the count without it.
      </EmptyState>
    );
  }
  return (
    <Section title="Stores" note={`Billed ${billedText(billed)}`}>
      <Table
        label="Stores that match"
        columns={[domainColumn(base), ...optional.filter(({ name }) => chosen.includes(name))]}
        rows={data}
        keyOf={({ domain }) => domain}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        {next_cursor !== null && (
          <PostForm className="grid gap-1">
            <input type="hidden" name="token" value={nextToken} />
            <input type="hidden" name="cursor" value={next_cursor} />
            <input type="hidden" name="limit" value={rowsPerPage} />
            <ShownFields {...shown} />
            {columns.map((name) => (
              <input key={name} type="hidden" name="columns" value={name} />
            ))}
            <div>
              <SubmitButton kind="secondary" name="intent" value="rows" busy="Reading…">
                Next stores
              </SubmitButton>
            </div>
            <p className="text-sm text-quiet">
              {billText({ lookup_cached: rowsPerPage, history_query: billed.history_query })}
            </p>
          </PostForm>
        )}
        <details>
          <summary className="cursor-pointer rounded font-medium">Columns</summary>
          <PostForm className="mt-2 grid gap-2">
            <SameRows found={found} />
            <ShownFields {...shown} />
            <Ticks
              legend="Columns"
              name="columns"
              options={optional.map(({ name, header }) => ({ value: name, label: header }))}
              ticked={chosen}
            />
            <div>
              <Button name="intent" value="rows">
                Show these columns
              </Button>
            </div>
            <p className="text-sm text-quiet">The same rows bill nothing again.</p>
          </PostForm>
        </details>
        {domains.length > 0 && (
          <PostForm className="grid w-full max-w-80 gap-2" intent="save" failed={failed} hasOwnNotice>
            <SameRows found={found} />
            <ShownFields {...shown} />
            <input type="hidden" name="domains" value={domains.join(' ')} />
            <TextField
              label="Save these rows as a list"
              name="name"
              required
              maxLength={200}
              placeholder="Its name"
              help={next_cursor === null ? undefined : 'The page of an export saves all stores as a list.'}
            />
            <div>
              <SubmitButton kind="secondary" busy="Saving…">
                Save as list
              </SubmitButton>
            </div>
          </PostForm>
        )}
      </div>
    </Section>
  );
}

/** What the form of the rows on the page has sent. */
const SameRows = ({ found: { token, cursor, limit } }: { found: ShownRows }) => (
  <>
    <input type="hidden" name="token" value={token} />
    <input type="hidden" name="cursor" value={cursor} />
    <input type="hidden" name="limit" value={limit} />
  </>
);

const domainColumn = (base: string): Column<StoreRow> => ({
  header: 'Domain',
  cell: ({ domain, changed_since_edition }) => (
    <>
      <TextLink to={`${base}/stores?domain=${encodeURIComponent(domain)}`}>
        <span className="code">{domain}</span>
      </TextLink>
      {changed_since_edition && <span className="block text-sm text-quiet">Does not match any more</span>}
    </>
  ),
});
