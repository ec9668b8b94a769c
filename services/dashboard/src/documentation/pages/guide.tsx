import { PublicPage } from '../../app/components/public-page.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { found } from '../../app/pages/server.ts';
import { guideLinkOf } from '../domain/links.ts';
import type { Route } from './+types/guide';
import { libraryOf } from './library.server.ts';
import { Markdown } from './markdown.tsx';

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? publicMeta(matches, {
        title: `${loaderData.guide.title} · Shopscope docs`,
        description: loaderData.guide.description,
      })
    : [];

export function loader({ params, context }: Route.LoaderArgs) {
  const { guides, guide: find } = libraryOf(context);
  const guide = found(find(params.slug));
  const at = guides.indexOf(guide);
  const namesFiles = [...guide.source.matchAll(/\]\(([^()\s]+)\)/g)].some(
    ([, target = '']) => 'file' in guideLinkOf(target),
  );
  return { guide, namesFiles, previous: guides[at - 1], next: guides[at + 1] };
}

export default function GuidePage({ loaderData: { guide, namesFiles, previous, next } }: Route.ComponentProps) {
  const { slug, title, description, blocks } = guide;
  const headings = guide.headings.filter(({ depth }) => depth === 2);
  return (
    <div className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_200px]">
      <div className="grid min-w-0 content-start gap-4">
        <PublicPage title={title} lead={description} />
        <Markdown blocks={blocks} />
        {namesFiles && (
          <p className="max-w-[68ch] border-t pt-4 text-sm text-quiet">
            Paths in parentheses are files of the source tree, which operators have.
          </p>
        )}
        <nav aria-label="Guides" className="mt-8 flex flex-wrap justify-between gap-4 border-t pt-4">
          {previous && <NextLink rel="prev" label="Previous" guide={previous} />}
          {next && <NextLink rel="next" label="Next" guide={next} />}
        </nav>
      </div>
      <aside className="order-first grid content-start gap-2 text-sm xl:sticky xl:top-6 xl:order-none xl:self-start">
        {headings.length > 1 && (
          <nav aria-label="On this page" className="hidden gap-1 xl:grid">
            <p className="font-semibold">On this page</p>
            {headings.map(({ id, text }) => (
              <a key={id} href={`#${id}`} className="rounded py-0.5 text-quiet hover:text-text">
                {text}
              </a>
            ))}
          </nav>
        )}
        <a href={`/docs/${slug}.md`} className="hidden text-quiet hover:text-text xl:block">
          This page as Markdown
        </a>
      </aside>
    </div>
  );
}

const NextLink = ({ guide, label, rel }: { guide: { slug: string; title: string }; label: string; rel: string }) => (
  <a
    href={`/docs/${guide.slug}`}
    rel={rel}
    className={`grid rounded hover:text-accent ${rel === 'next' ? 'ml-auto text-right' : ''}`}
  >
    <span className="text-sm text-quiet">{label}</span>
    <span className="font-medium">{guide.title}</span>
  </a>
);
