import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../shared/api.ts';
import { ApiFailure } from '../shared/api-failure.ts';

/** What n8n stores between two polls. */
export interface Position extends IDataObject {
  /** The event after which the trigger reports. */
  sequence?: number;
  /** Where the next page begins. Absent: with the oldest event. */
  cursor?: string;
}

type Event = IDataObject & { sequence: number };

interface EventPage {
  data: Event[];
  next_cursor: string | null;
  has_more: boolean;
}

const pageSize = 200;
/** The rest comes with the next poll. */
const maxPagesPerPoll = 20;
const path = '/v1/events';

export async function latestEvent(api: Api, types?: string): Promise<Event | undefined> {
  const query: IDataObject = { order: 'desc', limit: 1 };
  if (types !== undefined) query.types = types;
  return (await api<EventPage>({ path, query })).data[0];
}

/**
 * Returns the events since the last poll, in the order of their sequence, and the position after them.
 * The first poll returns none: the trigger reports what happens from then on.
 */
export async function readNewEvents(
  api: Api,
  position: Position,
  types: string,
): Promise<{ events: Event[]; position: Position }> {
  const first = position.sequence ?? (await latestEvent(api))?.sequence ?? 0;
  if (position.sequence === undefined) return { events: [], position: { sequence: first } };
  const events: Event[] = [];
  let { cursor } = position;
  for (let pages = 0; pages < maxPagesPerPoll; pages++) {
    const page = await readPage(api, cursor, types);
    events.push(...page.data.filter(({ sequence }) => sequence > first));
    cursor = page.next_cursor ?? cursor;
    if (!page.has_more) break;
  }
  const sequence = events.at(-1)?.sequence ?? first;
  return { events, position: cursor === undefined ? { sequence } : { sequence, cursor } };
}

/** A cursor behind which events were deleted is refused: reading goes on with the oldest event. */
async function readPage(api: Api, cursor: string | undefined, types: string): Promise<EventPage> {
  const query: IDataObject = { limit: pageSize, types };
  if (cursor === undefined) return api<EventPage>({ path, query });
  const fromOldest = (failure: unknown) => {
    if (failure instanceof ApiFailure && failure.status === 400) return readPage(api, undefined, types);
    throw failure;
  };
  return api<EventPage>({ path, query: { ...query, after: cursor } }).catch(fromOldest);
}
