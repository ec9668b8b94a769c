import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Client } from '@shopscope/client';
import { readGuides } from './guides.ts';

/** Bounds the requests of one reading. The vocabulary has a few pages. */
const maxTechnologies = 10_000;

/** Adds the guides of the documentation and the categories of the vocabulary as resources. */
export function addResources(server: McpServer, client: Client): void {
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
      let technologies = 0;
      for await (const { category } of client.listTechnologies({ limit: 200 }, { signal })) {
        counts.set(category, (counts.get(category) ?? 0) + 1);
        technologies += 1;
        if (technologies === maxTechnologies) break;
      }
      const text = JSON.stringify(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
    },
  );

  server.registerResource(
    'guides',
    new ResourceTemplate('shopscope://guides/{guide}', {
      list: async () => ({
        resources: (await readGuides()).map(({ name, title, description }) => ({
          uri: `shopscope://guides/${name}`,
          name,
          title,
          description,
          mimeType: 'text/markdown',
        })),
      }),
    }),
    { title: 'Guides', description: 'The documentation for developers', mimeType: 'text/markdown' },
    async (uri, { guide }) => {
      const found = (await readGuides()).find(({ name }) => name === guide);
      if (!found) throw new Error(`There is no guide ${guide}.`);
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: `# ${found.title}\n\n${found.text}` }] };
    },
  );
}
