import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The violations of the page that axe-core calls serious or critical, as `rule: selector`. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
