import { Button, TextLink } from '../../app/components/button.tsx';
import { isolatedText } from '../../app/components/foreign-text.tsx';
import { EmptyState } from '../../app/components/page.tsx';
import { PublicPage } from '../../app/components/public-page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { contextOf, load } from '../../app/pages/server.ts';
import { asWords } from '../../stores/pages.ts';
import type { TechnologyRow } from '../operations/public-site.ts';
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
  const query = { q: of('q'), kind: of('kind'), category: of('category'), after: of('after') };
  return { query, ...(await load(context, () => application.publicSite.technologies(query, origin))) };
}

const kinds = ['platform', 'app', 'service', 'theme'];

const columns: Column<TechnologyRow>[] = [
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
    cell: ({ category }) => <a href={addressOf({ category })}>{asWords(category)}</a>,
  },
  {
    header: 'Stores',
    align: 'right',
    cell: ({ stores }) =>
      stores === undefined ? (
        <span className="text-quiet">not counted yet</span>
      ) : (
        <span className="amount">{stores.toLocaleString('en')}</span>
      ),
  },
];

type Query = Route.ComponentProps['loaderData']['query'];

function addressOf(query: Partial<Query>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  return entries.length === 0 ? '/technologies' : `/technologies?${new URLSearchParams(entries)}`;
}

export default function Technologies({ loaderData }: Route.ComponentProps) {
  const { query, technologies, next, countedAtMs } = loaderData;
  const { kind, category, q } = query;
  return (
    <PublicPage title="Technologies" lead="Everything that a scan can recognize at a store.">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <nav aria-label="Kind" className="flex flex-wrap gap-2">
          {['', ...kinds].map((value) => (
            <a
              key={value}
              href={addressOf({ kind: value, category, q })}
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
          {category && <Chip href={addressOf({ kind, q })} label={asWords(category)} />}
          {q && <Chip href={addressOf({ kind, category })} label={`Begins with ${isolatedText(q, 60)}`} />}
        </p>
      )}
      {technologies.length === 0 ? (
        <EmptyState title="No technology matches">
          <TextLink to="/technologies">Show all technologies</TextLink>
        </EmptyState>
      ) : (
        <Table label="Technologies" columns={columns} rows={technologies} keyOf={({ slug }) => slug} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-4 text-sm text-quiet">
        {countedAtMs !== undefined && (
          <p>
            Live stores of the corpus, counted <Time ms={countedAtMs} as="exact" /> UTC.
          </p>
        )}
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
