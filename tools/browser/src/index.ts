/** A browser for tests and pictures of the dashboard. */
export { seriousViolations } from './accessibility.ts';
export { chromiumPath, launchBrowser, newPage, signIn, type Viewport, viewports } from './browser.ts';
