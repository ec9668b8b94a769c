import { generatedStores } from '../domains.ts';
import { generatedStore, staleEvery } from './generated-store.ts';

/** The number of generated stores with each value, the largest number first. */
export interface GeneratedCounts {
  stores: number;
  stale: number;
  platform: Counts;
  country: Counts;
  industry: Counts;
  status: Counts;
  technology: Counts;
}
type Counts = [value: string, stores: number][];

/** Counts the generated stores as their latest scans see them. */
export function countGenerated(): GeneratedCounts {
  const latest = Array.from({ length: generatedStores }, (_, at) => generatedStore(at + 1).at(-1)).flatMap(
    (scan) => scan?.seen ?? [],
  );
  return {
    stores: latest.length,
    stale: Math.floor(latest.length / staleEvery),
    platform: counted(latest.map(({ platform }) => platform)),
    country: counted(latest.map(({ country }) => country)),
    industry: counted(latest.map(({ industry }) => industry)),
    status: counted(latest.map(({ state }) => state)),
    technology: counted(latest.flatMap(({ technologies }) => technologies)),
  };
}

function counted(values: readonly string[]): Counts {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts]
    .map(([value, each]): Counts[number] => [value, each.length])
    .sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1));
}
