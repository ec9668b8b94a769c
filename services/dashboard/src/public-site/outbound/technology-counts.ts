import { type Clock, minuteMs, secondMs } from '@shopscope/clock';
import type { CountStoresRequest, CountStoresResponse, Technology } from '@shopscope/proto';
import {
  type CountOfEdition,
  decodeCount,
  type TechnologyFigures,
  type TechnologyNumbers,
  technologyFiguresOf,
  technologyFiguresRequest,
  technologyNumbersOf,
  technologyNumbersRequest,
  unknownFigures,
} from '@shopscope/store-search';
import type { Origin } from '@shopscope/telemetry';

const freshMs = minuteMs;
const retryAfterMs = 10 * secondMs;

/** The part of search that is called. */
interface Search {
  countStores(request: CountStoresRequest, origin: Origin): Promise<CountStoresResponse>;
}

export type TechnologyCounts = ReturnType<typeof createTechnologyCounts>;

/**
 * The stores of technologies, which search counts.
 *
 * - search does not answer -> the numbers are not known, and search is not asked for them again for {@link retryAfterMs}.
 * - Bounds: the numbers of all technologies are one entry, kept for {@link freshMs}. The figures of a technology are kept with its page.
 */
export function createTechnologyCounts({ search, clock }: { search: Search; clock: Pick<Clock, 'monotonicMs'> }) {
  let kept: { numbers: Promise<TechnologyNumbers | undefined>; untilMs: number } | undefined;
  let figuresFailedUntilMs = Number.NEGATIVE_INFINITY;

  async function count(origin: Origin): Promise<TechnologyNumbers> {
    return technologyNumbersOf(countOf(await search.countStores(technologyNumbersRequest({ editionId: '' }), origin)));
  }

  return {
    /** Numbers of all technologies in an edition of a few minutes ago. Undefined while they are not known. */
    numbers(origin: Origin): Promise<TechnologyNumbers | undefined> {
      if (kept && clock.monotonicMs() < kept.untilMs) return kept.numbers;
      const entry = {
        untilMs: clock.monotonicMs() + freshMs,
        numbers: count(origin).catch(() => {
          entry.untilMs = clock.monotonicMs() + retryAfterMs;
          return undefined;
        }) as Promise<TechnologyNumbers | undefined>,
      };
      kept = entry;
      return entry.numbers;
    },

    async figures(technology: Pick<Technology, 'slug' | 'kind'>, origin: Origin): Promise<TechnologyFigures> {
      if (clock.monotonicMs() < figuresFailedUntilMs) return unknownFigures;
      try {
        const counted = await search.countStores(technologyFiguresRequest(technology, {}), origin);
        return technologyFiguresOf(technology.slug, countOf(counted));
      } catch {
        figuresFailedUntilMs = clock.monotonicMs() + retryAfterMs;
        return unknownFigures;
      }
    },
  };
}

function countOf(counted: CountStoresResponse): CountOfEdition {
  if (!counted.edition) throw new Error('search names no edition');
  return { edition: counted.edition, count: decodeCount(counted) };
}
