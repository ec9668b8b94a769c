/** Alerts about webhook endpoints: mail to the admins, and the banner on the pages of the workspace. */

import { withTimeout } from '@shopscope/async';
import { unlessNotFound } from '@shopscope/grpc';
import { originFields } from '@shopscope/telemetry';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type Alert, type AlertKind, isOpen } from '../domain/alert.ts';
import { shownUrl } from '../domain/shown-url.ts';

/** An endpoint in the banner. */
export interface OpenAlert {
  endpointId: string;
  kind: AlertKind;
  url: string;
}

/** The banner names one endpoint and counts the others. */
const maxAlerts = 20;
/** A page does not wait longer for its banner. */
const bannerTimeoutMs = 500;

/** Stores the alert for the banner, and a mail for each admin. A repeated event changes nothing. */
export async function record(deps: Dependencies, alert: Alert, at: Date): Promise<void> {
  await deps.alerts.add(alert, at);
  const userIds = await deps.team.listAdmins(alert.workspaceId);
  await deps.alertMails.add(alert, userIds, new Date(deps.clock.now()));
}

/**
 * The endpoints of the workspace that are failing or disabled.
 *
 * - A workspace without alerts -> one read of the database.
 * - An endpoint was mended or deleted -> its alert is removed.
 * - Endpoints of the test environment -> no banner.
 * - webhooks or the database does not answer in time -> no banner.
 */
export async function listOpen(deps: Dependencies, visit: WorkspaceVisit): Promise<OpenAlert[]> {
  if (visit.origin.environment !== 'live') return [];
  try {
    return await withTimeout(readOpen(deps, visit), bannerTimeoutMs, 'the alerts took too long');
  } catch (error) {
    deps.logger.warn({ err: error, ...originFields(visit.origin) }, 'a page has no banner of webhooks');
    return [];
  }
}

async function readOpen({ alerts, webhooks }: Dependencies, { membership, origin }: WorkspaceVisit) {
  const { workspaceId } = membership;
  const found = await alerts.list(workspaceId, maxAlerts, bannerTimeoutMs);
  const checked = found.map(async (alert): Promise<OpenAlert | undefined> => {
    const { endpointId, kind } = alert;
    const { endpoint } = (await unlessNotFound(webhooks.getEndpoint({ workspaceId, endpointId }, origin))) ?? {};
    if (endpoint && isOpen(alert, endpoint)) return { endpointId, kind, url: shownUrl(endpoint.url) };
    await alerts.remove(alert);
    return undefined;
  });
  return (await Promise.all(checked)).filter((alert) => alert !== undefined);
}
