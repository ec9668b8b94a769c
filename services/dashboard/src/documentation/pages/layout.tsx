import { Outlet } from 'react-router';
import { shownText } from '../../app/components/foreign-text.tsx';
import { SearchForm } from '../../app/components/search.tsx';
import { contextOf } from '../../app/pages/server.ts';
import { maxQuestion } from '../domain/search.ts';
import type { Route } from './+types/layout';
import { libraryOf } from './library.server.ts';

interface Entry {
  href: string;
  title: string;
  isAnnounced?: boolean;
}

/** The contents of the documentation: guides by section, and operations by family. */
export function loader({ context }: Route.LoaderArgs) {
  const { path } = contextOf(context);
  const { sections, families } = libraryOf(context);
  const [current = '', query] = path.split('?');
  return {
    current,
    question: shownText(new URLSearchParams(query).get('q') ?? '', maxQuestion),
    sections: sections.map(({ name, guides }) => ({
      name,
      entries: guides.map(({ slug, title }): Entry => ({ href: `/docs/${slug}`, title })),
    })),
    families: families.map(({ name, operations }) => ({
      name,
      entries: operations.map(
        ({ id, isServed }): Entry => ({ href: `/docs/reference/${id}`, title: id, isAnnounced: !isServed }),
      ),
    })),
  };
}

const hasOwnSearch = ['/docs', '/docs/reference'];

export default function DocumentationLayout({ loaderData }: Route.ComponentProps) {
  const { current, question } = loaderData;
  return (
    <div className="grid gap-6 lg:grid-cols-[208px_minmax(0,1fr)] lg:gap-10">
      <div className="grid content-start gap-4 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-48px)] lg:self-start lg:overflow-y-auto lg:pb-4">
        {!hasOwnSearch.includes(current) && (
          <DocumentationSearch label="Search the documentation" value={current === '/docs/search' ? question : ''} />
        )}
        <nav aria-label="Documentation" className="hidden lg:block">
          <Contents {...loaderData} />
        </nav>
        <details className="rounded-[6px] border lg:hidden">
          <summary className="flex h-10 items-center px-3 font-medium">Contents</summary>
          <nav aria-label="Contents" className="border-t p-3">
            <Contents {...loaderData} />
          </nav>
        </details>
      </div>
      <article className="grid min-w-0 content-start gap-5">
        <Outlet />
      </article>
    </div>
  );
}

function Contents({ current, sections, families }: Route.ComponentProps['loaderData']) {
  const isReference = current.startsWith('/docs/reference') || current === '/docs/graphql/schema';
  const operations = (
    <div className="grid gap-1">
      <p className="font-semibold">Reference</p>
      <Item entry={{ href: '/docs/reference', title: 'All operations' }} current={current} />
      <Item entry={{ href: '/docs/graphql/schema', title: 'GraphQL schema' }} current={current} />
      {families.map(({ name, entries }) => (
        <details key={name} open={entries.some(({ href }) => href === current)}>
          <summary className="py-1 text-quiet hover:text-text">{name}</summary>
          <Items entries={entries} current={current} className="border-l pl-3" />
        </details>
      ))}
    </div>
  );
  return (
    <div className="grid gap-5 text-sm">
      <Item entry={{ href: '/docs', title: 'Overview' }} current={current} />
      {/* The part that the person reads comes first, so that it is visible without scrolling. */}
      {isReference && operations}
      {sections.map((section) => (
        <div key={section.name} className="grid gap-1">
          <p className="font-semibold">{section.name}</p>
          <Items entries={section.entries} current={current} />
        </div>
      ))}
      {!isReference && operations}
    </div>
  );
}

const Items = (props: { entries: Entry[]; current: string; className?: string }) => (
  <ul className={`grid gap-1 ${props.className ?? ''}`}>
    {props.entries.map((entry) => (
      <li key={entry.href}>
        <Item entry={entry} current={props.current} />
      </li>
    ))}
  </ul>
);

const Item = ({ entry: { href, title, isAnnounced }, current }: { entry: Entry; current: string }) => (
  <a
    href={href}
    aria-current={href === current ? 'page' : undefined}
    className="block rounded py-0.5 text-quiet [overflow-wrap:anywhere] hover:text-text aria-[current]:font-medium aria-[current]:text-accent"
  >
    {title}
    {isAnnounced && <span className="sr-only">, announced</span>}
  </a>
);

export const DocumentationSearch = (props: { label: string; value?: string; className?: string }) => (
  <SearchForm
    label={props.label}
    button="Search"
    action="/docs/search"
    formClass={`p-0.5 ${props.className ?? ''}`}
    name="q"
    required
    maxLength={maxQuestion}
    placeholder="Field, error, topic"
    defaultValue={props.value}
  />
);
