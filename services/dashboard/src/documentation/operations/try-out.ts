/**
 * Requests that a person sends from the documentation. They go through the gateways like every other request of the workspace, with the
 * workspace's key `Dashboard`. The plan therefore limits and bills them, and they are in the request log.
 *
 * - A person may send what the person's own pages allow (`requireMaySend`).
 * - In the live environment, a request that is billed is refused until the person has agreed to the bill.
 * - POST has an Idempotency-Key made of the form's token and the request: a form that is sent again is executed and billed once.
 * - Bounds: one attempt of 12 s, 64 KiB of the response.
 */

import { hash } from 'node:crypto';
import { invalidField } from '@shopscope/errors';
import { requireFormToken } from '../../app/domain/text.ts';
import { requireMaySend } from '../../app/operations/api-changes.ts';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { GatewayResponse } from '../../app/outbound/gateway-connection.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callWithKey } from '../../keys/operations.ts';
import { needsAgreement } from '../domain/agreement.ts';
import type { Operation } from '../domain/reference.ts';
import { type SampleRequest, takesIdempotencyKey } from '../domain/request-samples.ts';
import { typedRequestOf } from '../domain/typed-request.ts';

/** What the person has decided about a request. */
export interface Decision {
  /** A token that was created with the form. */
  token: string;
  /** Whether the person has agreed to the bill of the request. */
  isConfirmed: boolean;
}

export interface TriedForm extends Decision {
  /** Returns the text that was typed into a field. */
  typed(field: string): string;
}

export type TriedAnswer = Awaited<ReturnType<typeof send>>;

const maxShown = 64 * 1024;
const maxHeaders = 40;
/** Headers of the connection, not of the response. */
const hidden = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length', 'x-powered-by']);

export async function send(deps: Dependencies, visit: WorkspaceVisit, operation: Operation, form: TriedForm) {
  const request = typedRequestOf(operation, form.typed);
  return shown(request, await sendRequest(deps, visit, { operation, request }, form));
}

/** Sends a request of an operation. The operation has all units that this request can bill. */
export async function sendRequest(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { operation, request }: { operation: Operation; request: SampleRequest },
  { token, isConfirmed }: Decision,
): Promise<GatewayResponse & { durationMs: number }> {
  requireMaySend(deps, visit, operation);
  requireFormToken(token);
  if (needsAgreement(visit.origin.environment, operation) && !isConfirmed) {
    throw invalidField('confirm', 'Nothing was sent. Agree to what the request bills.');
  }
  const { address, origin } = visit;
  const idempotencyKey = takesIdempotencyKey(operation)
    ? `try-${hash('sha256', JSON.stringify([keeperOf(visit), token, request]), 'base64url')}`
    : undefined;
  const startedMs = deps.clock.monotonicMs();
  const answer = await callWithKey(
    deps,
    visit,
    (secret) => deps.gateway.call({ ...request, idempotencyKey, secret, address, origin }),
    // A key that was created before these operations could be tried out lacks their scopes. A new key has them.
    ({ status }) => status === 401 || status === 403,
  );
  return { ...answer, durationMs: Math.round(deps.clock.monotonicMs() - startedMs) };
}

/** A request and its response, as a page shows them. */
export function shown(
  request: SampleRequest,
  { status, headers, text, durationMs }: GatewayResponse & { durationMs: number },
) {
  const whole = indented(text);
  return {
    request,
    status,
    headers: Object.entries(headers)
      .filter(([name]) => !hidden.has(name))
      .slice(0, maxHeaders),
    /** A JSON body is shown indented. */
    text: whole.slice(0, maxShown).toWellFormed(),
    isCut: whole.length > maxShown,
    durationMs,
  };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
