import { TextLink } from '../../app/components/button.tsx';
import { isolatedText } from '../../app/components/foreign-text.tsx';
import { PublicPage } from '../../app/components/public-page.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import { maxQuestion } from '../domain/search.ts';
import type { Route } from './+types/search';
import { libraryOf } from './library.server.ts';

export const meta = fixedMeta({
  title: 'Search · Shopscope docs',
  description: 'Search guides, operations, fields and errors.',
  isIndexed: false,
});

export function loader({ request, context }: Route.LoaderArgs) {
  const question = (new URL(request.url).searchParams.get('q') ?? '').slice(0, maxQuestion);
  return { question, hits: libraryOf(context).search(question) };
}

const kinds = { guide: 'Guide', operation: 'Operation', field: 'Field', error: 'Error', type: 'Type' } as const;

export default function SearchPage({ loaderData: { question, hits } }: Route.ComponentProps) {
  const shown = isolatedText(question, maxQuestion);
  if (question.trim() === '') {
    return (
      <PublicPage
        title="Search"
        lead="A topic, an operation, a field such as install_state, the code of an error, or a type of GraphQL."
      />
    );
  }
  return (
    <>
      <PublicPage
        title={hits.length === 0 ? `Nothing matches “${shown}”` : `${hits.length} results for “${shown}”`}
        lead={hits.length === 0 ? 'Try fewer words, the name of a field, or the code of an error.' : undefined}
      />
      {hits.length === 0 && (
        <p>
          <TextLink to="/docs">All guides</TextLink>, <TextLink to="/docs/reference">all operations</TextLink>
        </p>
      )}
      <ol className="grid">
        {hits.map(({ kind, href, title, place, excerpt }) => (
          <li key={href} className="grid gap-0.5 border-t py-3">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <a
                href={href}
                className={`link [overflow-wrap:anywhere] ${kind === 'guide' ? 'font-medium' : 'font-mono text-[13px]'}`}
              >
                {title}
              </a>
              <span className="text-sm text-quiet">
                {kinds[kind]}
                {place !== 'Guide' && `, ${place}`}
              </span>
            </p>
            {excerpt !== '' && <p className="max-w-[80ch] text-sm text-quiet [overflow-wrap:anywhere]">{excerpt}</p>}
          </li>
        ))}
      </ol>
    </>
  );
}
