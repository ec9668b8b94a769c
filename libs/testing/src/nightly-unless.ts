/**
 * Options of a test that is one row of a matrix. `.ci/nightly` runs every row. `.ci/run` runs the rows that stand for the others, because
 * the others take long and rarely decide about a change.
 */
export const nightlyUnless = (standsForOthers: boolean): { tags: string[] } => ({
  tags: standsForOthers ? [] : ['nightly'],
});
