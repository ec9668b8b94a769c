import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Client } from '@shopscope/client';

/** The documentation's own list of its pages, and the categories of the vocabulary. */
export function addResources(
  server: McpServer,
  client: Client,
  readPage: (url: string, signal: AbortSignal) => Promise<string>,
): void {
  server.registerResource(
    'categories',
    'shopscope://categories',
    {
      title: 'Categories of technologies',
      description: 'Slug of each category with the number of its technologies',
      mimeType: 'application/json',
    },
    async (uri, { signal }) => {
      const counts = new Map<string, number>();
      for await (const { category } of client.listTechnologies({ limit: 200 }, { signal })) {
        counts.set(category, (counts.get(category) ?? 0) + 1);
      }
      const text = JSON.stringify(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
    },
  );

  const guides = async (signal: AbortSignal) => {
    const { documentation_url } = await client.getHost({ signal });
    const index = new URL('/llms.txt', documentation_url);
    return linksOf(await readPage(index.href, signal), index);
  };
  server.registerResource(
    'guides',
    new ResourceTemplate('shopscope://guides/{guide}', {
      list: async ({ signal }) => ({
        resources: (await guides(signal)).map(({ guide, title }) => ({
          uri: `shopscope://guides/${guide}`,
          name: guide,
          title,
          mimeType: 'text/markdown',
        })),
      }),
    }),
    { title: 'Guides', description: 'The documentation for developers', mimeType: 'text/markdown' },
    async (uri, { guide }, { signal }) => {
      const found = (await guides(signal)).find((each) => each.guide === guide);
      if (!found) throw new Error(`There is no guide ${guide}.`);
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: await readPage(found.url, signal) }] };
    },
  );
}

/** Markdown pages of the same origin that a file in the form of llms.txt lists. */
function linksOf(text: string, index: URL): { guide: string; title: string; url: string }[] {
  return [...text.matchAll(/^- \[([^\]]+)\]\(([^)\s]+\.md)\)/gm)].flatMap(([, title = '', href = '']) => {
    const url = new URL(href, index);
    const guide = url.pathname.replace(/^\/(docs\/)?|\.md$/g, '').replaceAll('/', '-');
    return url.origin === index.origin ? [{ guide, title, url: url.href }] : [];
  });
}
