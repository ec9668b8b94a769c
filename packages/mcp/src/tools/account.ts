import type { operations } from '@shopscope/client';
import { z } from 'zod';
import { type DefinedTool, defineTool, withoutEmpty } from './tool.ts';

type TechnologyQuery = NonNullable<operations['listTechnologies']['parameters']['query']>;

const counters = z.object({
  lookup_cached: z.number(),
  lookup_live: z.number(),
  history_query: z.number(),
  refresh_requested: z.number(),
});

export const accountTools: readonly DefinedTool[] = [
  defineTool('list_technologies', {
    title: 'Technologies',
    description:
      'The vocabulary: slugs of platforms, apps, services and themes, as profiles and changes use them. Search by the beginning of a name ' +
      'or slug, or begin with those of the most stores. Free.',
    input: {
      kind: z.enum(['platform', 'app', 'service', 'theme']).optional(),
      category: z.string().optional().describe('Slug of a category; the resource shopscope://categories has all'),
      q: z.string().min(2).max(64).optional().describe('Beginning of a name or slug'),
      sort: z.enum(['slug', '-stores']).optional().describe('-stores: the most stores first. Default: slug'),
      limit: z.int().min(1).max(100).default(25),
      cursor: z.string().optional().describe('next_cursor of the page before'),
    },
    output: {
      technologies: z.array(
        z.object({
          slug: z.string(),
          name: z.string(),
          kind: z.string(),
          category: z.string(),
          stores: z.number().nullable().describe('null: hidden, or not known now'),
        }),
      ),
      next_cursor: z.string().nullable(),
    },
    unitsAtMost: () => 0,
    async run(query, { client, signal }) {
      const { data, next_cursor } = await client.listTechnologies(withoutEmpty(query) as TechnologyQuery, { signal });
      const technologies = data.map(({ slug, name, kind, category, stores }) => ({
        slug,
        name,
        kind,
        category,
        stores,
      }));
      return { result: { technologies, next_cursor }, spent: 0 };
    },
  }),
  defineTool('describe_technology', {
    title: 'A technology',
    description:
      'One technology of the vocabulary: what it is, how many stores have it, by platform, country and industry, and what they use ' +
      'beside it. Small numbers are hidden. Free.',
    input: { slug: z.string().min(1).max(100).describe('Slug, as list_technologies has it') },
    output: {
      slug: z.string(),
      name: z.string(),
      kind: z.string(),
      category: z.string(),
      vendor: z.string(),
      website: z.string(),
      stores: z.number().nullable().describe('null: hidden, or not known now'),
      by_platform: z.array(z.object({ platform: z.string(), stores: z.number() })).nullable(),
      by_country: z.array(z.object({ country: z.string(), stores: z.number() })).nullable(),
      by_industry: z.array(z.object({ industry: z.string(), stores: z.number() })).nullable(),
      found_beside: z.array(z.object({ technology: z.string(), stores: z.number() })).nullable(),
    },
    unitsAtMost: () => 0,
    async run({ slug }, { client, signal }) {
      const { listing_url: _url, edition: _edition, ...details } = await client.getTechnology(slug, { signal });
      return { result: structuredClone(details) as never, spent: 0 };
    },
  }),
  defineTool('get_usage', {
    title: 'Units used',
    description: 'Units that the plan includes and that the workspace has used in this period, by unit. Free.',
    input: {},
    output: {
      period: z.object({ starts_at: z.string(), ends_at: z.string() }),
      included: counters,
      used: counters,
    },
    unitsAtMost: () => 0,
    async run(_, { client, signal }) {
      const { period } = await client.getUsage({ signal });
      const { starts_at, ends_at, included, used } = period;
      return { result: { period: { starts_at, ends_at }, included, used }, spent: 0 };
    },
  }),
];
