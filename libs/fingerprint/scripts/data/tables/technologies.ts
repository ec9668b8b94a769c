import { z } from 'zod';
import type { OwnTechnology } from '../../../src/rules/tables.ts';
import { examples } from '../samples.ts';
import { type Table, uniqueAndSorted } from '../table.ts';
import { evidence, patternsOf } from '../traces.ts';

const name = z.string().min(1);
export const slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not a slug');

const entry = z.strictObject({
  slug,
  name: name.exactOptional(),
  kind: z.enum(['app', 'service', 'theme']).exactOptional(),
  category: slug.exactOptional(),
  vendor: name.exactOptional(),
  website: z.url().exactOptional(),
  requires: z.array(slug).min(1).exactOptional(),
  sources: z.array(z.url()).min(1).exactOptional(),
  ...evidence,
  ...examples,
});

export type TechnologyEntry = z.infer<typeof entry>;

export const technologies: Table<TechnologyEntry[]> = {
  source: 'technologies',
  output: 'technologies',
  schema: z.array(entry),
  check: (entries, parts) => [
    ...uniqueAndSorted(entries, 'slug', ({ slug }) => slug, parts),
    ...entries.flatMap(({ category }, index) =>
      category === undefined || category === parts.partOf(index)
        ? []
        : [{ path: [index, 'category'], message: `belongs into ${category}.yaml` }],
    ),
  ],
  // An entry that has only samples is about traces of another table.
  compile: (entries) => entries.filter(({ traces, unsourcedTraces }) => traces ?? unsourcedTraces).map(compiled),
};

function compiled({
  slug,
  name,
  kind,
  category,
  vendor,
  website,
  requires,
  ...traces
}: TechnologyEntry): OwnTechnology {
  const names = name && website ? { name, vendor: vendor ?? name, website, requires: requires ?? [] } : {};
  return { slug, ...names, ...(kind && category && { kind, category }), patterns: patternsOf(traces) };
}
