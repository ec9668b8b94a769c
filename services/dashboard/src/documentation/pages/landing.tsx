import { TextLink } from '../../app/components/button.tsx';
import { Part, PublicPage } from '../../app/components/public-page.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import { contextOf } from '../../app/pages/server.ts';
import type { Route } from './+types/landing';
import { Curl } from './code.tsx';
import { DocumentationSearch } from './layout.tsx';
import { libraryOf } from './library.server.ts';

export const meta = fixedMeta({
  title: 'Documentation · Shopscope',
  description: 'The first call, guides, the reference of every operation and error, and clients of the API.',
});

export function loader({ context }: Route.LoaderArgs) {
  const { url } = contextOf(context);
  const { sections, apiUrl } = libraryOf(context);
  return {
    sections: sections.map(({ name, guides }) => ({
      name,
      entries: guides.map(({ slug, title, description }) => [`/docs/${slug}`, title, description] as const),
    })),
    apiUrl,
    dashboardUrl: url,
  };
}

const references = {
  name: 'Reference and files',
  entries: [
    ['/docs/reference', 'Reference', 'Every operation with its parameters, fields, errors and examples.'],
    ['/docs/graphql/schema', 'GraphQL schema', 'Every type with its fields and arguments.'],
    ['/docs/openapi.json', 'openapi.json', 'The contract in OpenAPI 3.1, with the address of this API.'],
    ['/docs/shopscope.postman_collection.json', 'Collection', 'Every operation for Postman, Bruno or Insomnia.'],
    [
      '/llms.txt',
      'llms.txt',
      'The contents for language models. Each page exists as Markdown: add .md to its address.',
    ],
  ],
} as const;

export default function Documentation({ loaderData }: Route.ComponentProps) {
  const { sections, apiUrl, dashboardUrl } = loaderData;
  return (
    <>
      <PublicPage title="Documentation" lead="What any online store runs on, by its domain, over one HTTP API." />
      <DocumentationSearch label="Search the documentation" className="max-w-xl" />
      <Part title="The first call">
        <p className="max-w-[68ch]">
          An admin of your workspace creates a key of the test environment under{' '}
          <TextLink to={`${dashboardUrl}/settings/api-keys`}>Settings, API keys</TextLink>. Put it into{' '}
          <code className="inline-code">SHOPSCOPE_API_KEY</code>, and ask for a store of the{' '}
          <TextLink to="/docs/test-tenant">test tenant</TextLink>. With a test key, calls cost nothing.
        </p>
        <Curl id="first-call" label="Look a store up" path="/v1/stores/matched.test" apiUrl={apiUrl} />
      </Part>
      {[...sections, references].map(({ name, entries }) => (
        <Part key={name} title={name}>
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
        </Part>
      ))}
    </>
  );
}
