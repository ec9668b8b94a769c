import { z } from 'zod';
import { type Wall, wallKinds } from '../../../src/gate/wall.ts';
import { regexFault } from '../marks.ts';
import type { Finding, Table } from '../table.ts';

const isPattern = (text: string): boolean => regexFault(text, 'iu') === undefined;
const pattern = z.string().min(2).refine(isPattern, 'is not a regular expression');
const patterns = z.array(pattern).min(1).exactOptional();
const texts = z.array(z.string().min(3)).min(1).exactOptional();

const sample = z.union([
  z.string().min(1),
  z.strictObject({
    url: z.url().exactOptional(),
    status: z.int().exactOptional(),
    headers: z.record(z.string(), z.string()).exactOptional(),
    body: z.string(),
  }),
]);

const marks = {
  headers: z
    .record(z.string().regex(/^[a-z0-9-]+$/), z.string().refine(isPattern, 'is not a regular expression'))
    .exactOptional(),
  hosts: z
    .array(z.string().regex(/^[a-z0-9.-]+\.[a-z]+$/))
    .min(1)
    .exactOptional(),
  paths: patterns,
  leadsTo: patterns,
  elements: texts,
  titles: patterns,
  heads: patterns,
  texts: patterns,
  ends: patterns,
  scripts: texts,
};

const row = z.strictObject({
  kind: z.enum(wallKinds),
  by: z.string().min(2).exactOptional(),
  ...marks,
  anySize: z.literal(true).exactOptional(),
  source: z.union([z.url(), z.literal('unsourced')]),
  sample,
});

export type WallRow = z.infer<typeof row>;

export const walls: Table<WallRow[]> = {
  source: 'walls',
  output: 'walls',
  schema: z.array(row),
  check: (rows) =>
    rows.flatMap((one, index): Finding[] => [
      ...(Object.keys(one).some((member) => member in marks)
        ? []
        : [{ path: [index, 'kind'], message: 'the row has no mark' }]),
      // Words that are not specific to one maker decide nothing on a long page.
      ...(one.by === undefined && one.anySize ? [{ path: [index, 'anySize'], message: 'needs a maker' }] : []),
    ]),
  compile: (rows): Wall[] => rows.map(({ source: _, sample: __, ...wall }) => wall),
};
