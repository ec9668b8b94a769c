import {
  listingResources,
  lookAtPage,
  observeSite,
  observeStore,
  type PageFailure,
  type SiteObservation,
  type StoreObservation,
} from '@shopscope/fingerprint';
import type { FurtherPageVisit, HomeVisit } from './page.ts';
import { toFurtherPageInputs, toPageInput } from './page-input.ts';
import { type RobotsGroup, readRobotsGroup, robotsAllow } from './robots-policy.ts';

/**
 * All functions that read the contents that a site sent. They run in the examiner process, because hostile contents may take too much time
 * or memory. Inputs and results are plain data.
 *
 * - The functions do no I/O. This module loads the rules of detection, therefore the scanner's own process imports only its types.
 */
export const examinations = {
  robotsGroup: ({ url, body, product }: RobotsInput): RobotsGroup =>
    readRobotsGroup(url, new TextDecoder().decode(body), product),

  robotsAllow: ({ group, target }: { group: RobotsGroup; target: string }): boolean => robotsAllow(group, target),

  home: ({ domain, visit }: HomeInput): HomeLook => {
    const { seen, failure } = lookAtPage(toPageInput(domain, visit));
    if (failure) return { failure };
    return { seen, listing: listingResources(seen.platform.slug, new URL(visit.page.url).origin) };
  },

  site: ({ domain, home, further }: SiteInput): SiteObservation =>
    observeSite(
      'seen' in home ? home.seen : observeStore(toPageInput(domain, home.visit)),
      toFurtherPageInputs(domain, further),
    ),
};

export interface RobotsInput {
  url: string;
  body: Uint8Array;
  /** The product token (RFC 9309) of this robot. */
  product: string;
}

export interface HomeInput {
  domain: string;
  visit: HomeVisit;
}

export type HomeLook =
  | {
      failure?: never;
      seen: StoreObservation;
      /** The URLs of the platform's public listing. */
      listing: readonly string[];
    }
  /** The page is not the store's own page. */
  | { failure: PageFailure; seen?: never };

export interface SiteInput {
  domain: string;
  /** The first result for the home page, or the visit if the page has to be examined again. */
  home: { seen: StoreObservation } | { visit: HomeVisit };
  further: readonly FurtherPageVisit[];
}

type Examinations = typeof examinations;
export type ExaminationKind = keyof Examinations;
export type ExaminationInput<K extends ExaminationKind> = Parameters<Examinations[K]>[0];
export type ExaminationResult<K extends ExaminationKind> = ReturnType<Examinations[K]>;

/**
 * Examines data that the site of one scan sent.
 *
 * - The scan's examinations take too much CPU time, or this one takes too much memory -> throws NotExaminableError.
 * - The scan is aborted -> throws the reason of the abort.
 */
export type Examine = <K extends ExaminationKind>(kind: K, input: ExaminationInput<K>) => Promise<ExaminationResult<K>>;
