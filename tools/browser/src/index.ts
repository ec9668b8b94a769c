/** A browser for tests and pictures of the dashboard. */
export { seriousViolations } from './accessibility.ts';
export { chromiumPath, type Look, launchBrowser, looks, newPage, signIn } from './browser.ts';
