import { z } from 'zod';
import type { Finding, Table } from '../table.ts';
import { slug } from './technologies.ts';

const slugs = z.array(slug);
const lists = z.strictObject({ samples: slugs, sources: slugs });

/** Entries that are older than the rule that each entry has samples and the sources of its traces. */
const unfinishedEntries = z.strictObject({ platforms: lists, technologies: lists });

export type Unfinished = z.infer<typeof unfinishedEntries>;

/** The list may only get shorter. Lower a number after lines have been removed. */
const most: Record<'platforms' | 'technologies', Record<keyof Unfinished['platforms'], number>> = {
  platforms: { samples: 0, sources: 30 },
  technologies: { samples: 482, sources: 245 },
};

export const unfinished: Table<Unfinished> = {
  source: 'unfinished.yaml',
  schema: unfinishedEntries,
  check: (data) =>
    (['platforms', 'technologies'] as const).flatMap((table) =>
      (['samples', 'sources'] as const).flatMap((member): Finding[] =>
        data[table][member].length <= most[table][member]
          ? []
          : [{ path: [table, member], message: `more than ${most[table][member]} lines: a new entry is complete` }],
      ),
    ),
};
