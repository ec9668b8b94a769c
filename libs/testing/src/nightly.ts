/** `.ci/nightly` sets the variable. */
export const isNightly = process.env.SHOPSCOPE_NIGHTLY === 'true';

/**
 * Options of a test that is one row of a matrix. `.ci/nightly` runs every row. `.ci/run` runs the rows that stand for the others, because
 * the others take long and rarely decide about a change.
 */
export const nightlyUnless = (standsForOthers: boolean): { tags: string[] } => ({
  tags: standsForOthers ? [] : ['nightly'],
});

/** The number of random runs of a property. A fault is usually found by the first runs, so `.ci/nightly` alone has many. */
export const runsOf = ({ byDay, atNight }: { byDay: number; atNight: number }): { numRuns: number } => ({
  numRuns: isNightly ? atNight : byDay,
});
