import { Button, TextLink } from '../../app/components/button.tsx';
import { isolatedText } from '../../app/components/foreign-text.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { EmptyState } from '../../app/components/page.tsx';
import { PublicPage } from '../../app/components/public-page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { contextOf, load } from '../../app/pages/server.ts';
import { asWords } from '../../stores/pages.ts';
import type { ListedTechnology } from '../operations/public-technologies.ts';
import type { Route } from './+types/technologies';

export const meta: Route.MetaFunction = ({ matches, location }) =>
  publicMeta(matches, {
    title: 'Technologies of online stores · Shopscope',
    description:
      'Every platform, app, service and theme that Shopscope recognizes, with the number of stores that use it.',
    // Searches and later pages have no content that the pages of the technologies lack. They are not indexed.
    isIndexed: location.search === '',
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { application, origin } = contextOf(context);
  const { searchParams } = new URL(request.url);
  const of = (name: string) => searchParams.get(name) ?? '';
  const sort = of('sort') === byName ? byName : '';
  const query = { q: of('q'), kind: of('kind'), category: of('category'), sort, after: of('after') };
  return { query, ...(await load(context, () => application.publicTechnologies.list(query, origin))) };
}

/** Without it, the technologies with the most stores are first. */
const byName = 'name';
const kinds = ['platform', 'app', 'service', 'theme'];

const columnsOf = (query: Query, hasNumbers: boolean): Column<ListedTechnology>[] => [
  {
    header: 'Technology',
    className: 'md:w-[34%]',
    cell: ({ slug, name }) => (
      <a href={`/technologies/${encodeURIComponent(slug)}`} className="link [overflow-wrap:anywhere]">
        {name}
      </a>
    ),
  },
  { header: 'Kind', className: 'md:w-[16%]', cell: ({ kind }) => asWords(kind) },
  {
    header: 'Category',
    className: 'md:w-[32%]',
    cell: ({ category }) => <a href={addressOf({ category, sort: query.sort })}>{asWords(category)}</a>,
  },
  ...(hasNumbers ? [storesColumn] : []),
];

const storesColumn: Column<ListedTechnology> = {
  header: 'Stores',
  align: 'right',
  cell: ({ stores }) =>
    typeof stores === 'number' ? (
      <span className="amount">{formatNumber(stores)}</span>
    ) : (
      <span className="text-quiet">fewer than 5</span>
    ),
};

type Query = Route.ComponentProps['loaderData']['query'];

function addressOf(query: Partial<Query>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  return entries.length === 0 ? '/technologies' : `/technologies?${new URLSearchParams(entries)}`;
}

export default function Technologies({ loaderData }: Route.ComponentProps) {
  const { query, technologies, next, countedAtMs } = loaderData;
  const { kind, category, q, sort } = query;
  const hasNumbers = countedAtMs !== undefined;
  return (
    <PublicPage title="Technologies" lead="Everything that a scan can recognize at a store.">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <nav aria-label="Kind" className="flex flex-wrap gap-2">
          {['', ...kinds].map((value) => (
            <a
              key={value}
              href={addressOf({ kind: value, category, q, sort })}
              aria-current={value === kind ? 'page' : undefined}
              className="rounded border px-3 py-1.5 text-quiet hover:text-text aria-[current]:border-accent aria-[current]:text-accent"
            >
              {value === '' ? 'All' : `${asWords(value)}s`}
            </a>
          ))}
        </nav>
        <search className="w-full sm:w-auto">
          <form action="/technologies" className="flex gap-2">
            {kind && <input type="hidden" name="kind" value={kind} />}
            {category && <input type="hidden" name="category" value={category} />}
            {sort && <input type="hidden" name="sort" value={sort} />}
            <input
              aria-label="Beginning of a name"
              name="q"
              maxLength={100}
              placeholder="Name begins with"
              defaultValue={q}
              className="h-10 w-full min-w-0 rounded border border-control bg-raised px-3 text-text placeholder:text-quiet md:h-8"
            />
            <Button>Search</Button>
          </form>
        </search>
      </div>
      {(category || q) && (
        <p className="flex flex-wrap gap-2">
          {category && <Chip href={addressOf({ kind, q, sort })} label={asWords(category)} />}
          {q && <Chip href={addressOf({ kind, category, sort })} label={`Begins with ${isolatedText(q, 60)}`} />}
        </p>
      )}
      {technologies.length === 0 ? (
        <EmptyState title="No technology matches">
          <TextLink to="/technologies">Show all technologies</TextLink>
        </EmptyState>
      ) : (
        <>
          {hasNumbers && (
            <nav aria-label="Order" className="flex gap-3 text-sm">
              <span className="text-quiet">Sorted by</span>
              {['', byName].map((value) => (
                <a
                  key={value}
                  href={addressOf({ kind, category, q, sort: value })}
                  aria-current={value === sort ? 'true' : undefined}
                  className="link aria-[current]:font-semibold aria-[current]:text-text aria-[current]:no-underline"
                >
                  {value === '' ? 'stores' : 'name'}
                </a>
              ))}
            </nav>
          )}
          <Table
            label="Technologies"
            columns={columnsOf(query, hasNumbers)}
            rows={technologies}
            keyOf={({ slug }) => slug}
          />
        </>
      )}
      <div className="flex flex-wrap items-center justify-between gap-4 text-sm text-quiet">
        <p>
          {hasNumbers ? (
            <>
              Active stores of the corpus on <Time ms={countedAtMs} as="exact" /> UTC.
            </>
          ) : (
            'The numbers of stores are not available right now.'
          )}
        </p>
        {next && <TextLink to={addressOf({ ...query, after: next })}>More technologies</TextLink>}
      </div>
    </PublicPage>
  );
}

const Chip = ({ href, label }: { href: string; label: string }) => (
  <a href={href} className="inline-flex items-center gap-2 rounded border px-3 py-1 [overflow-wrap:anywhere]">
    {label} <span aria-hidden>×</span>
    <span className="sr-only">(remove)</span>
  </a>
);
