import { z } from 'zod';
import type { OwnPlatform } from '../../../src/rules/tables.ts';
import { examples } from '../samples.ts';
import { type Table, uniqueAndSorted } from '../table.ts';
import { evidence, patternsOf } from '../traces.ts';
import { slug } from './technologies.ts';

const entry = z.strictObject({
  slug,
  name: z.string().min(1),
  vendor: z.string().min(1).exactOptional(),
  website: z.url(),
  use: z.enum(['shop', 'mixed']),
  implies: z.array(slug).min(1).exactOptional(),
  succeeds: z.array(slug).min(1).exactOptional(),
  sources: z.array(z.url()).min(1).exactOptional(),
  ...evidence,
  ...examples,
});

export type PlatformEntry = z.infer<typeof entry>;

export const platforms: Table<PlatformEntry[]> = {
  source: 'platforms.yaml',
  output: 'platforms',
  schema: z.array(entry),
  check: (entries, parts) => [
    ...uniqueAndSorted(entries, 'slug', ({ slug }) => slug, parts),
    ...entries.flatMap(({ traces, unsourcedTraces }, index) =>
      traces || unsourcedTraces ? [] : [{ path: [index, 'traces'], message: 'the platform has no traces' }],
    ),
  ],
  compile: (entries) =>
    entries.map(({ slug, name, vendor, website, use, implies, succeeds, ...evidence }): OwnPlatform => {
      const names = { slug, name, vendor: vendor ?? name, website };
      const relations = { implies: implies ?? [], ...(succeeds && { succeeds }) };
      return { ...names, use, ...relations, patterns: patternsOf(evidence) };
    }),
};
