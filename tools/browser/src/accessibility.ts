import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The violations of the page that axe-core calls serious or critical, as `rule: selector`. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Loading axe-core takes as long as an analysis, so one load serves all viewports of a document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(analysis);
}

/**
 * A violation has the impact of its rule, so only the rules with these impacts run. Rules that axe-core does not run by default stay out.
 * The reporter `no-passes` does not describe the elements that pass.
 */
const analysis = `axe.run({
  reporter: 'no-passes',
  runOnly: axe._audit.rules
    .filter(({ enabled, impact, tags }) =>
      enabled && !tags.includes('experimental') && (impact === 'serious' || impact === 'critical'))
    .map(({ id }) => id),
}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`;
