/**
 * Requests that a person sends from the documentation. They go through the gateways like every other request of the workspace, with the
 * workspace's key `Dashboard`. The plan therefore limits and bills them, and they are in the request log.
 *
 * - Only an admin sends requests that change webhooks or make events.
 * - A request that is billed is refused until the person has agreed to the bill.
 * - POST has an Idempotency-Key made of the form's token and the request: a form that is sent again is executed and billed once.
 * - Bounds: one attempt of 12 s, 64 KiB of the response.
 */

import { hash } from 'node:crypto';
import { invalidField } from '@shopscope/errors';
import { requireFormToken } from '../../app/domain/text.ts';
import { keeperOf, requireAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { GatewayResponse } from '../../app/outbound/gateway-connection.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callWithKey } from '../../keys/operations.ts';
import type { Operation } from '../domain/reference.ts';
import { takesIdempotencyKey } from '../domain/request-samples.ts';
import { typedRequestOf } from '../domain/typed-request.ts';

export interface TriedForm {
  /** Returns the text that was typed into a field. */
  typed(field: string): string;
  /** A token that was created with the form. */
  token: string;
  /** Whether the person has agreed to the bill of the request. */
  isConfirmed: boolean;
}

export type TriedAnswer = Awaited<ReturnType<typeof send>>;

const maxShown = 64 * 1024;
const maxHeaders = 40;
/** Headers of the connection, not of the response. */
const hidden = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length', 'x-powered-by']);

export async function send(deps: Dependencies, visit: WorkspaceVisit, operation: Operation, form: TriedForm) {
  const { token, isConfirmed } = form;
  // On their own pages, too, only admins change webhooks and make events.
  if (operation.scope === 'write:webhooks') requireAdmin(visit.membership);
  const request = typedRequestOf(operation, form.typed);
  requireFormToken(token);
  if (operation.units.length > 0 && !isConfirmed) {
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
  return { request, ...shown(answer, deps.clock.monotonicMs() - startedMs) };
}

/** The response of the API, as a page shows it. */
function shown({ status, headers, text }: GatewayResponse, durationMs: number) {
  const whole = indented(text);
  return {
    status,
    headers: Object.entries(headers)
      .filter(([name]) => !hidden.has(name))
      .slice(0, maxHeaders),
    /** A JSON body is shown indented. */
    text: whole.slice(0, maxShown).toWellFormed(),
    isCut: whole.length > maxShown,
    durationMs: Math.round(durationMs),
  };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
