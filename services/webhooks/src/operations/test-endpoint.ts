import { secondMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { workspaceEventTypes } from '@shopscope/proto';
import type { Attempt } from '../domain/delivery.ts';
import { maxBodyBytes, testBody } from '../domain/message.ts';
import { attemptMs, sendAttempt } from './deliveries/send-attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { oneWithHealth, type ShownEndpoint } from './endpoint-health.ts';
import { findEndpoint } from './find-endpoint.ts';

/** The caller waits, so the attempt ends this long before the call. */
const reserveMs = secondMs;

/** Sends an example at once, whatever the state of the endpoint. It is no delivery and counts neither as success nor as failure. */
export async function testEndpoint<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { endpointId, eventType: type, data }: { endpointId: string; eventType: string; data: string },
  context: CallContext,
): Promise<{ eventId: string; body: string; attempt: Attempt; endpoint: ShownEndpoint }> {
  if (!workspaceEventTypes.some((known) => known === type)) throw invalidField('event_type', 'must be a type of event');
  if (Buffer.byteLength(data) > maxBodyBytes || !isJson(data)) {
    throw invalidField('data', `must be JSON of at most ${maxBodyBytes} bytes`);
  }
  const endpoint = await findEndpoint(deps, tenant, endpointId, context);
  const at = new Date(deps.clock.now());
  const eventId = newId('evt', at.getTime());
  const body = testBody({ type, data, at }, deps);
  const timeoutMs = Math.max(1, context.deadline.timeoutMs(attemptMs + reserveMs) - reserveMs);
  const { attempt } = await sendAttempt(deps, endpoint, { id: eventId, body }, timeoutMs);
  const maxTimeMS = context.deadline.timeoutMs();
  return { eventId, body, attempt, endpoint: await oneWithHealth(deps, tenant, endpoint, { maxTimeMS }) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
