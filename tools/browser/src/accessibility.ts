import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The violations of the page that axe-core calls serious or critical, as `rule: selector`. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Loading axe-core takes as long as an analysis, so one load serves all viewports of a document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(analysis);
}

/** The reporter `no-passes` does not describe the elements that pass. */
const analysis = `axe.run({ reporter: 'no-passes' }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`;
