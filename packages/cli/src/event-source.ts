import type { Client, Event, EventsOptions } from '@shopscope/client';
import { storeCursor } from './cursor-file.ts';
import { UsageError } from './exit-codes.ts';

interface EventSource extends Omit<EventsOptions, 'onCursor'> {
  /** Events before this instant are left out. */
  sinceMs: number;
  /** Has the position when the events before it were taken. */
  cursorFile: string | undefined;
}

/** The instant of the option --since. */
export function sinceMsOf(since: string | undefined): number {
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  if (Number.isNaN(sinceMs)) throw new UsageError('--since must be a time such as 2026-01-15T12:00:00Z.');
  return sinceMs;
}

export async function* eventsFrom(
  client: Client,
  { sinceMs, cursorFile, ...options }: EventSource,
): AsyncGenerator<Event, void, undefined> {
  const onCursor = (cursor: string) => (cursorFile ? storeCursor(cursorFile, cursor) : undefined);
  for await (const event of client.events({ ...options, onCursor }))
    if (Date.parse(event.created_at) >= sinceMs) yield event;
}
