import { type Place, priorities } from './fair-order.ts';

/**
 * Background scans are scans that no API request asked for. They have no job when they start. Nobody is therefore billed for them.
 *
 * - They are leased only while no requested scan is due. Each source has a separate queue in the order of leases.
 * - A job that asks for the domain joins the waiting scan. The scan then gets the place of the job, and is not a background scan any more.
 */
export const backgroundSources = ['refresh', 'list'] as const;
export type BackgroundSource = (typeof backgroundSources)[number];

/** No workspace id has this prefix. */
const prefix = 'background:';

export const backgroundQueue = (source: BackgroundSource): string => `${prefix}${source}`;

/** Returns the source of a background scan. Undefined for a requested scan. */
export function backgroundSourceOf(place: Place | null): BackgroundSource | undefined {
  if (place?.priority !== priorities.background) return undefined;
  return backgroundSources.find((source) => backgroundQueue(source) === place.queue);
}

/**
 * The maximum number of undecided attempts of a scan without a job (for example, when no name server answers). With their pauses they take
 * more than half an hour. Scans with jobs end by the time limit of their jobs.
 */
export const maxBackgroundInterruptions = 8;
