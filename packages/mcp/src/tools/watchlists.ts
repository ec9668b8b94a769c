import type { Client } from '@shopscope/client';
import { z } from 'zod';
import { quoted } from '../quoted.ts';
import { type DefinedTool, defineTool } from './tool.ts';

export const watchlistTools: readonly DefinedTool[] = [
  defineTool('watch_stores', {
    title: 'Watch stores',
    description:
      'Adds stores to a watchlist, so that the workspace receives their confirmed changes. A watchlist of that name is created when there is ' +
      'none. Free. It switches no rescans on. Needs a key with read:watchlists and write:watchlists.',
    input: {
      watchlist: z.string().min(1).max(200).describe('The name of the watchlist, or its id (wl_…)'),
      domains: z.array(z.string().min(1).max(2_048)).min(1).max(100).describe('Host names or URLs of the stores'),
    },
    output: {
      watchlist_id: z.string(),
      name: z.string(),
      created: z.boolean(),
      results: z.array(
        z.object({
          input: z.string(),
          domain: z.string().nullable(),
          result: z.string().describe('added, present, or invalid_domain'),
        }),
      ),
    },
    readOnly: false,
    unitsAtMost: () => 0,
    async run({ watchlist, domains }, { client, signal }) {
      const found = await findWatchlist(client, watchlist, signal);
      const { id, name } = found ?? (await client.createWatchlist({ name: watchlist }, { signal }));
      const { results } = await client.addWatchlistStores(id, { domains }, { signal });
      const view = results.map((each) => ({ ...each, input: quoted(each.input, 120) }));
      return { result: { watchlist_id: id, name: quoted(name, 200), created: !found, results: view }, spent: 0 };
    },
  }),
];

/** The service stores names like this. */
const storedName = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim();

/** Finds a watchlist by its id or its name. The plan bounds the number of watchlists, and so the pages. */
async function findWatchlist(client: Client, text: string, signal: AbortSignal) {
  if (text.startsWith('wl_')) return client.getWatchlist(text, { signal });
  const wanted = storedName(text);
  for await (const watchlist of client.listWatchlists({ limit: 200 }, { signal })) {
    if (watchlist.name === wanted) return watchlist;
  }
  return undefined;
}
