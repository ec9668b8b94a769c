/** What a person tries before or after an endpoint is saved: its URL, its filters, and a test message. Only admins may. */

import type { WorkspaceEventType } from '@shopscope/proto';
import { requireAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type FilterForm, filtersOf } from '../domain/endpoint-form.ts';
import { type AttemptView, attemptView } from '../domain/endpoint-view.ts';
import { withFormField } from '../domain/field-of.ts';
import { checkFilters } from './check-filters.ts';

export interface MatchCount {
  matched: number;
  /** Whether more events than were counted may match. */
  isCut: boolean;
}

export interface SentTest {
  type: string;
  eventId: string;
  body: string;
  attempt: AttemptView;
}

/** Throws `invalid_request` at `url` if an endpoint must not have this URL. Its name is resolved, and nothing is sent. */
export async function checkUrl(deps: Dependencies, visit: WorkspaceVisit, url: string): Promise<void> {
  requireAdmin(visit.membership);
  await deps.webhooks.checkUrl({ workspaceId: visit.membership.workspaceId, url }, visit.origin);
}

/** The events of the last 7 days that an endpoint with these members would have received. */
export async function countMatches(
  deps: Dependencies,
  visit: WorkspaceVisit,
  form: { eventTypes: string[]; watchlistIds: string[]; filters: FilterForm },
): Promise<MatchCount> {
  requireAdmin(visit.membership);
  const { workspaceId } = visit.membership;
  const { eventTypes, watchlistIds } = form;
  try {
    const filters = await checkFilters(deps, visit, filtersOf(form.filters));
    return await deps.webhooks.countMatches({ workspaceId, eventTypes, watchlistIds, filters }, visit.origin);
  } catch (error) {
    throw withFormField(error);
  }
}

/** Sends an example at once, whatever the state of the endpoint. `data`: the JSON text of the example's data. */
export async function sendTest(
  deps: Dependencies,
  visit: WorkspaceVisit,
  endpointId: string,
  { type, data }: { type: WorkspaceEventType | string; data: string },
): Promise<SentTest> {
  requireAdmin(visit.membership);
  const { workspaceId } = visit.membership;
  const request = { workspaceId, endpointId, eventType: type, data };
  const { eventId, body, attempt } = await deps.webhooks.testEndpoint(request, visit.origin);
  if (!attempt) throw new Error('the service returned no attempt');
  return { type, eventId, body, attempt: attemptView(attempt) };
}
