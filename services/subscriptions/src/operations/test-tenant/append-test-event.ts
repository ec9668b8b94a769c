import type { Tenant } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { type WorkspaceEventType, workspaceEventTypes } from '@shopscope/proto';
import type { SequencedEvent } from '../../domain/event.ts';
import { testEvent } from '../../domain/test-event.ts';
import { appendEventsWithin } from '../append-events.ts';
import type { EventDependencies } from '../event-dependencies.ts';

/** The gateway has the same bound. */
const maxDataBytes = 16 * 1024;

/**
 * Appends an event with the type and data of the caller. As every event, it has a place in the sequence, is listed by ListEvents and is
 * published through the outbox. A repeated call appends another event.
 */
export async function appendTestEvent(
  deps: EventDependencies<'test'>,
  tenant: Tenant<'test'>,
  request: { type: string; data: string },
  { origin, deadline }: CallContext,
): Promise<SequencedEvent<'test'>> {
  const type = parseType(request.type);
  const data = parseData(request.data);
  const event = testEvent(tenant, newId('evt', deps.clock.now()), type, data);
  const [appended] = await deps.transact((tx) => appendEventsWithin(deps, tx, [{ event, origin }]), { deadline });
  if (!appended) throw new AppError('not_found', 'The workspace is deleted.');
  return appended;
}

function parseType(text: string): WorkspaceEventType {
  const type = workspaceEventTypes.find((each) => each === text);
  if (!type) throw invalidField('type', 'must be a type of event');
  return type;
}

function parseData(text: string): Record<string, unknown> {
  if (Buffer.byteLength(text) > maxDataBytes) throw invalidField('data', `must have at most ${maxDataBytes} bytes`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The text is refused below, like every other text that is not an object.
  }
  throw invalidField('data', 'must be a JSON object');
}
