import type { Event, operations } from '@shopscope/client';
import { z } from 'zod';
import { quoted } from '../quoted.ts';
import { type DefinedTool, defineTool, withoutEmpty } from './tool.ts';

type EventQuery = NonNullable<operations['listEvents']['parameters']['query']>;

const change = z.object({
  sequence: z.number().describe('The place among the events of the workspace'),
  type: z.string(),
  created_at: z.string(),
  related: z.object({ type: z.string(), id: z.string() }).nullable().describe('What the event is about'),
  data: z.record(z.string(), z.unknown()).describe('The members depend on the type'),
});

const changeOf = ({ sequence, type, created_at, related, data }: Event): z.infer<typeof change> => ({
  sequence,
  type,
  created_at,
  related: related && { type: related.type, id: related.id },
  data: plainData(data),
});

const maxMembers = 50;

/** Returns the texts of the data as short lines. Lists and objects keep their first {@link maxMembers} members. */
function plainData(data: Event['data']): Record<string, unknown> {
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return quoted(value);
    if (Array.isArray(value)) return value.slice(0, maxMembers).map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, maxMembers)
        .map(([name, member]) => [quoted(name), plain(member)]),
    );
  };
  return plain(data) as Record<string, unknown>;
}

export const eventTools: readonly DefinedTool[] = [
  defineTool('list_changes', {
    title: 'What changed for the workspace',
    description:
      'Events of the workspace in the last 30 days, newest first: signals of the stores in its watchlists, scans that it asked for, jobs, ' +
      'allowance, keys. For changes of any store, use search_signals. Free.',
    input: {
      types: z
        .array(z.string())
        .min(1)
        .max(20)
        .optional()
        .describe(
          'Only these types, such as signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished',
        ),
      watchlist_id: z
        .string()
        .optional()
        .describe('Only signals that reached the workspace by this watchlist, and changes of the watchlist itself'),
      order: z.enum(['desc', 'asc']).default('desc').describe('asc: oldest first, in pages'),
      limit: z.int().min(1).max(50).default(20),
      cursor: z.string().optional().describe('next_cursor of the page before. Implies order asc'),
    },
    output: {
      changes: z.array(change),
      next_cursor: z.string().nullable().describe('null with order desc. With asc it also finds later events'),
      has_more: z.boolean(),
    },
    unitsAtMost: () => 0,
    async run({ cursor, order, ...query }, { client, signal }) {
      const isFollowing = cursor !== undefined && cursor !== '';
      const sent = withoutEmpty({ ...query, after: cursor, order: isFollowing ? 'asc' : order }) as EventQuery;
      const { data, next_cursor, has_more } = await client.listEvents(sent, { signal });
      return { result: { changes: data.map(changeOf), next_cursor, has_more }, spent: 0 };
    },
  }),
];
