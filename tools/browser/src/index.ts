/** A browser for tests and pictures of the dashboard. */
export { seriousViolations } from './accessibility.ts';
export {
  chromiumPath,
  contentOf,
  launchBrowser,
  newPage,
  openPage,
  showIn,
  signIn,
  type Viewport,
  viewports,
} from './browser.ts';
export {
  accountPages,
  findPageIds,
  type PageIds,
  type PageOfDashboard,
  publicPages,
  type Role,
  workspacePages,
} from './pages.ts';
