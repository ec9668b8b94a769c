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
  entrancePages,
  findPageIds,
  type PageIds,
  type PageOfDashboard,
  type Role,
  workspacePages,
} from './pages.ts';
