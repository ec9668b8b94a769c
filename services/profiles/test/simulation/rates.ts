/**
 * How often stores flap and change in the model, per store and year unless the name says otherwise. "Assumed": no public source was
 * found. Durations are means of exponential distributions.
 */
export interface Rates {
  /**
   * Shares of stores, and the share of the time in which they do not answer. CloudEndure measured the 100,000 most visited sites of
   * the United States in the first quarter of 2017 (cloudendure.com, "website-availability-top-100k-sites-q1-2017"): 17 % without downtime,
   * 27 % from 99.99 %, 36 % from 99.9 %. The mean within each class is assumed.
   */
  downtimes: readonly { stores: number; down: number }[];
  /** Assumed. */
  outageHours: number;
  /** Outages of days, for example a lapsed certificate or domain. Assumed. */
  longOutages: number;
  longOutageHours: number;
  /**
   * Share of stores that sometimes answer with a wall: a challenge, a consent, age or login page, a waiting room, an error text. Assumed;
   * Cloudflare alone protects 21 % of all sites (W3Techs, January 2026).
   */
  walledShare: number;
  /** Times in which a walled store shows its wall. Assumed. */
  walls: number;
  wallHours: number;
  /** Share of walls that the scanner does not recognise. Assumed. The scans of the others fail. */
  unrecognisedShare: number;
  /** Times in which a store is behind its password page or says that it is closed for now. Assumed. */
  pauses: number;
  pauseHours: number;
  /** Releases, caches and themes that leave out one to three technologies for hours. Assumed. */
  brokenReleases: number;
  brokenReleaseHours: number;
  /** Probability that one visit misses one technology. Assumed. */
  missPerVisit: number;
  /** A/B tests on the server that show a technology to half of the visitors. Assumed. */
  abTests: number;
  abTestDays: number;
  /** Share of stores whose tag manager shows one technology only in a part of the visits. Assumed. */
  tagManagedShare: number;
  tagManagedMissPerVisit: number;
  /** Share of observations that are partial. Assumed. */
  partialShare: number;
  /** Share of stores whose home page links a page that a scan can read: 71 of 88 saved pages of shops (docs/accuracy.md). */
  linkedShare: number;
  /** Share of scans after which somebody asks again within three hours. Assumed. */
  askedAgainShare: number;

  /** True changes. Assumed. */
  removals: number;
  closures: number;
  migrations: number;
}

export const assumedRates: Rates = {
  downtimes: [
    { stores: 0.17, down: 0 },
    { stores: 0.27, down: 0.00005 },
    { stores: 0.36, down: 0.0005 },
    { stores: 0.2, down: 0.005 },
  ],
  outageHours: 1,
  longOutages: 0.02,
  longOutageHours: 36,
  walledShare: 0.05,
  walls: 6,
  wallHours: 36,
  unrecognisedShare: 0.03,
  pauses: 0.3,
  pauseHours: 12,
  brokenReleases: 0.5,
  brokenReleaseHours: 8,
  missPerVisit: 0.0003,
  abTests: 0.001,
  abTestDays: 21,
  tagManagedShare: 0.005,
  tagManagedMissPerVisit: 0.02,
  partialShare: 0.01,
  linkedShare: 71 / 88,
  askedAgainShare: 0.1,
  removals: 1.2,
  closures: 0.12,
  migrations: 0.03,
};

/**
 * An older and worse figure for outages: Pingdom measured 1 h 59 min a month on 2,000 sites (royal.pingdom.com, "Four million days of
 * website downtime in March 2007").
 */
export const olderOutages: Rates = { ...assumedRates, downtimes: [{ stores: 1, down: 119 / (31 * 24 * 60) }] };

/** Causes of false changes, in the words of the report. */
export const causes = ['outages', 'walls', 'pauses', 'broken releases', 'misses', 'A/B tests', 'tag managers'] as const;
export type Cause = (typeof causes)[number];

const off: Record<Cause, Partial<Rates>> = {
  outages: { downtimes: [], longOutages: 0 },
  walls: { walls: 0 },
  pauses: { pauses: 0 },
  'broken releases': { brokenReleases: 0 },
  misses: { missPerVisit: 0 },
  'A/B tests': { abTests: 0 },
  'tag managers': { tagManagedShare: 0 },
};

/** The rates without flapping. */
export const noFlapping = (rates: Rates = assumedRates): Rates => Object.assign({}, rates, ...Object.values(off));

/** The rates with this cause alone. */
export const only = (cause: Cause, rates: Rates = assumedRates): Rates =>
  Object.assign({}, rates, ...causes.filter((other) => other !== cause).map((other) => off[other]));

/** The rates with every cause of flapping `factor` times as frequent. */
export const times = (factor: number, rates: Rates = assumedRates): Rates => ({
  ...rates,
  downtimes: rates.downtimes.map(({ stores, down }) => ({ stores, down: down * factor })),
  longOutages: rates.longOutages * factor,
  walls: rates.walls * factor,
  pauses: rates.pauses * factor,
  brokenReleases: rates.brokenReleases * factor,
  missPerVisit: rates.missPerVisit * factor,
  abTests: rates.abTests * factor,
  tagManagedShare: rates.tagManagedShare * factor,
});
