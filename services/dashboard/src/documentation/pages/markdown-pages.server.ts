import type { Guide } from '../domain/guide.ts';
import { guideLinkOf } from '../domain/links.ts';
import type { Library } from './library.server.ts';

/** A guide as Markdown, with links to pages of the site. */
export function guideMarkdown({ title, description, source }: Guide, siteUrl: string): string {
  let isCode = false;
  const lines = source.split('\n').map((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    return isCode
      ? line
      : line.replaceAll(/\]\(([^()\s]+)\)/g, (_, target: string) => `](${shownTarget(target, siteUrl)})`);
  });
  return `# ${title}\n\n> ${description}\n\n${lines.join('\n')}\n`;
}

/** Guides link to the Markdown of other guides. Other pages of the site have none, and a file of the source tree keeps its path. */
function shownTarget(target: string, siteUrl: string): string {
  const link = guideLinkOf(target);
  if ('file' in link) return link.file;
  if (!link.href.startsWith('/docs/')) return link.href;
  const [path = '', anchor] = link.href.split('#');
  return `${siteUrl}${path}${/^\/docs\/[\w-]+$/.test(path) ? '.md' : ''}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The contents of the documentation for language models (llmstxt.org). */
export function llmsTxt({ sections, families, apiUrl }: Library, siteUrl: string): string {
  const link = (path: string, title: string, text: string) => `- [${title}](${siteUrl}${path}): ${text}`;
  return [
    '# Shopscope',
    '> An HTTP API that answers by domain what completed scans have seen of any web store: platform, technologies, country, industry, catalogue, status and confirmed changes.',
    `The API is at ${apiUrl}. Every request below /v1 carries a key as a bearer token. A domain that is unknown is not evidence that the site is not a store.`,
    ...sections.flatMap(({ name, guides }) => [
      `## ${name}`,
      guides.map(({ slug, title, description }) => link(`/docs/${slug}.md`, title, description)).join('\n'),
    ]),
    ...families.flatMap(({ name, operations }) => [
      `## Reference: ${name}`,
      operations
        .map(({ id, method, path, summary, isServed }) => {
          const text = `${summary}${isServed ? '' : ' (announced, answers 501)'}`;
          return link(`/docs/reference/${id}.md`, `${method} ${path}`, text);
        })
        .join('\n'),
    ]),
    '## Files',
    [
      link('/docs/openapi.json', 'openapi.json', 'the contract, OpenAPI 3.1'),
      link('/docs/schema.graphql', 'schema.graphql', 'the schema of GraphQL'),
      link('/docs/shopscope.postman_collection.json', 'Collection', 'for Postman, Bruno or Insomnia'),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}
