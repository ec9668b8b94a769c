import { contextOf, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import { type EventType, eventTypesOf } from './event-catalogue.server.ts';

/** What the form of a webhook offers. The watchlists are undefined if the API does not answer or Stores is switched off. */
export async function loadChoices(context: PageContext) {
  const { watchlists } = contextOf(context).application;
  const { value } = await loadPart(context, watchlists.choices(workspaceVisit(context)));
  const events: EventType[] = eventTypesOf(context);
  return { events, watchlists: value?.watchlists.map(({ id, name }) => ({ id, name })) };
}
