import { type Place, priorities } from './fair-order.ts';

/**
 * Background scans: nobody asked for them in a request of the API. They have no job when they start, so they are billed to nobody.
 *
 * - They are leased only while no scan is due that somebody asked for. Each source has a queue of its own in the order of leases.
 * - A job that asks for the domain joins the waiting scan, which then has the place of the job and is no background scan any more.
 */
export const backgroundSources = ['refresh', 'list'] as const;
export type BackgroundSource = (typeof backgroundSources)[number];

/** No workspace has such an id. */
const prefix = 'background:';

export const backgroundQueue = (source: BackgroundSource): string => `${prefix}${source}`;

/** The source of a background scan; undefined for a scan that somebody asked for. */
export function backgroundSourceOf(place: Place | null): BackgroundSource | undefined {
  if (place?.priority !== priorities.background) return undefined;
  return backgroundSources.find((source) => backgroundQueue(source) === place.queue);
}

/**
 * Most attempts of a scan without a job that decide nothing (no name server answers, for example). With their pauses they take more
 * than half an hour. The time limit of jobs ends the others.
 */
export const maxBackgroundInterruptions = 8;
