import { contextOf, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';

/** Whether the Dashboard key was revoked, and whether the person may switch it on again. */
export async function loadStoresAccess(context: PageContext) {
  const visit = workspaceVisit(context);
  const access = await loadPart(context, contextOf(context).application.dashboardKeys.state(visit));
  return { isOff: access.value === 'off', isAdmin: visit.membership.role === 'admin' };
}
