import { z } from 'zod';
import { fault, re2Fault } from '../marks.ts';
import { duplicates, type Table } from '../table.ts';

/** Decisions on the imported data. `compile-technologies.ts` reads them. */
const names = z.array(z.string().min(1));

const selectionData = z.strictObject({
  droppedCategories: names,
  categoryOrder: names,
  kindOfCategory: z.record(z.string(), z.enum(['app', 'theme', 'platform'])),
  notPlatforms: names,
  rewrittenPlatforms: names,
  droppedTechnologies: names,
  genericGlobals: names,
  looseScripts: names,
  unimpliedCategories: names,
  retiredTechnologies: names,
  renamedTechnologies: names,
  mixedPlatforms: names,
});

export type Selection = z.infer<typeof selectionData>;

export const selection: Table<Selection> = {
  source: 'imported/selection.yaml',
  schema: selectionData,
  check: (data) =>
    Object.entries(data).flatMap(([list, values]) =>
      Array.isArray(values)
        ? duplicates(values, 'name', (name) => [name]).map(({ path: [index], message }) => ({
            path: [list, Number(index)],
            message,
          }))
        : [],
    ),
};

const form = z.string().superRefine(fault((text) => re2Fault(text.split('\\;')[0] ?? '')));

const channels = ['script', 'asset', 'image', 'inline', 'init', 'html', 'comment'] as const;

const review = z
  .strictObject({
    technology: z.string().min(1),
    channel: z.enum(['script', 'html', 'dom', 'inline', 'js', 'implies']),
    /** `*` stands for all patterns of the channel. */
    pattern: z.string().min(1),
    keep: z.literal(true).exactOptional(),
    instead: z
      .array(z.partialRecord(z.enum([...channels, 'dom']), z.string().min(1)))
      .min(1)
      .exactOptional(),
    reason: z.string().min(1),
  })
  .superRefine(({ keep, instead = [] }, context) => {
    if (keep && instead.length > 0)
      context.addIssue({ code: 'custom', message: 'keep and instead exclude each other' });
    for (const [index, patterns] of instead.entries())
      for (const [channel, text] of Object.entries(patterns)) {
        const parsed = channel === 'dom' ? undefined : form.safeParse(text).error?.issues[0];
        if (parsed) context.addIssue({ code: 'custom', path: ['instead', index, channel], message: parsed.message });
      }
  });

export type Review = z.infer<typeof review>;

export const reviews: Table<Review[]> = {
  source: 'imported/reviews.yaml',
  schema: z.array(review),
  check: (rows) =>
    duplicates(rows, 'pattern', ({ technology, channel, pattern }) => [`${technology} ${channel} ${pattern}`]),
};
