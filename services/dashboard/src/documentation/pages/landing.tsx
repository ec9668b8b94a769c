import { TextLink } from '../../app/components/button.tsx';
import { PublicPage } from '../../app/components/public-page.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { contextOf } from '../../app/pages/server.ts';
import { guideSections } from '../domain/guide.ts';
import type { Route } from './+types/landing';
import { Code } from './code.tsx';
import { DocumentationSearch } from './layout.tsx';
import { libraryOf } from './library.server.ts';

export const meta: Route.MetaFunction = ({ matches }) =>
  publicMeta(matches, {
    title: 'Documentation · Shopscope',
    description: 'The first call, guides, the reference of every operation and error, and clients of the API.',
  });

export function loader({ context }: Route.LoaderArgs) {
  const { application, url } = contextOf(context);
  const { guides, apiUrl } = libraryOf(application);
  const sections = Object.entries(guideSections).map(([section, name]) => ({
    name,
    guides: guides
      .filter((guide) => guide.section === section)
      .map(({ slug, title, description }) => ({ slug, title, description })),
  }));
  const example = application.publicSite.examples()[0] ?? 'shop.example';
  return { sections: sections.filter((each) => each.guides.length > 0), apiUrl, example, dashboardUrl: url };
}

const references = [
  ['/docs/reference', 'Reference', 'Every operation with its parameters, fields, errors and examples.'],
  ['/docs/openapi.json', 'openapi.json', 'The contract in OpenAPI 3.1, with the address of this API.'],
  ['/docs/shopscope.postman_collection.json', 'Collection', 'Every operation for Postman, Bruno or Insomnia.'],
  [
    '/llms.txt',
    'llms.txt',
    'The contents for language models. Each page is there as Markdown: add .md to its address.',
  ],
] as const;

export default function Documentation({ loaderData }: Route.ComponentProps) {
  const { sections, apiUrl, example, dashboardUrl } = loaderData;
  return (
    <>
      <PublicPage title="Documentation" lead="What any online store runs on, by its domain, over one HTTP API." />
      <DocumentationSearch label="Search the documentation" className="max-w-xl" />
      <section className="grid gap-3">
        <h2 className="text-xl">The first call</h2>
        <p className="max-w-[68ch]">
          An admin of your workspace creates a key under{' '}
          <TextLink to={`${dashboardUrl}/settings/api-keys`}>Settings, API keys</TextLink>. Put it into{' '}
          <code className="inline-code">SHOPSCOPE_API_KEY</code>, and ask for a store.
        </p>
        <div className="max-w-[860px]">
          <Code
            id="first-call"
            label="Look a store up"
            language="sh"
            text={`curl ${apiUrl}/v1/stores/${example} \\\n  -H "Authorization: Bearer $SHOPSCOPE_API_KEY"`}
          />
        </div>
      </section>
      {sections.map(({ name, guides }) => (
        <section key={name} className="grid gap-3">
          <h2 className="text-xl">{name}</h2>
          <Cards entries={guides.map(({ slug, title, description }) => [`/docs/${slug}`, title, description])} />
        </section>
      ))}
      <section className="grid gap-3">
        <h2 className="text-xl">Reference and files</h2>
        <Cards entries={references} />
      </section>
    </>
  );
}

const Cards = ({ entries }: { entries: readonly (readonly [href: string, title: string, text: string])[] }) => (
  <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
    {entries.map(([href, title, text]) => (
      <li key={href} className="grid content-start gap-0.5">
        <a href={href} className="link font-medium">
          {title}
        </a>
        <p className="max-w-[52ch] text-quiet">{text}</p>
      </li>
    ))}
  </ul>
);
