import type { Sample } from '../samples.ts';
import { platforms } from '../tables/platforms.ts';
import { technologies } from '../tables/technologies.ts';
import { type Unfinished, unfinished } from '../tables/unfinished.ts';
import type { Traces } from '../traces.ts';
import type { DataOf, TableFinding } from './finding.ts';

interface Entry {
  slug: string;
  traces?: Traces;
  unsourcedTraces?: Traces;
  sources?: string[];
  samples?: Sample[];
}

const lacks: Record<keyof Unfinished['platforms'], (entry: Entry) => boolean> = {
  samples: ({ traces, unsourcedTraces, samples }) => (traces ?? unsourcedTraces) !== undefined && samples === undefined,
  sources: ({ traces, sources }) => traces !== undefined && sources === undefined,
};

const advice: Record<keyof Unfinished['platforms'], string> = {
  samples: 'write down what a page has that shows the technology',
  sources: 'name the public documents that state the traces, or make them unsourcedTraces',
};

/** Checks that each entry has samples and that its traces have sources. Only entries that the table `unfinished` lists may lack them. */
export function checkCompleteness(dataOf: DataOf): TableFinding[] {
  const listed = dataOf(unfinished);
  return ([platforms, technologies] as const).flatMap((table) => {
    const name = table === platforms ? 'platforms' : 'technologies';
    const entries: readonly Entry[] = dataOf<Entry[]>(table as never);
    return (['samples', 'sources'] as const).flatMap((member): TableFinding[] => {
      const allowed = new Set(listed[name][member]);
      const lacking = new Set(entries.filter(lacks[member]).map(({ slug }) => slug));
      return [
        ...entries.flatMap(({ slug }, index) =>
          lacking.has(slug) && !allowed.has(slug)
            ? [{ table, path: [index, member], message: `missing: ${advice[member]}` }]
            : [],
        ),
        ...listed[name][member].flatMap((slug, index) =>
          lacking.has(slug)
            ? []
            : [
                {
                  table: unfinished,
                  path: [name, member, index],
                  message: `${slug} does not lack ${member}: delete the line`,
                },
              ],
        ),
      ];
    });
  });
}
