/**
 * Requests of the documentation that a person sends. They pass the gateways like every other request of the workspace, under the
 * workspace's key `Dashboard`, so its plan limits and bills them, and its log has them.
 *
 * - A request that bills is refused until the person has agreed to it.
 * - POST has an Idempotency-Key made of the form's token and the request: a form that is sent again is carried out and billed once.
 * - Bounds: one attempt of 12 s, 64 KiB of an answer.
 */

import { hash } from 'node:crypto';
import { invalidField } from '@shopscope/errors';
import { requireFormToken } from '../../app/domain/text.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { GatewayResponse } from '../../app/outbound/gateway-connection.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callWithKey } from '../../keys/operations.ts';
import type { Operation } from '../domain/reference.ts';
import { takesIdempotencyKey } from '../domain/request-samples.ts';
import { typedRequestOf } from '../domain/typed-request.ts';

export interface TriedForm {
  /** What was typed into a field. */
  typed(field: string): string;
  /** Made with the form. */
  token: string;
  /** The person has agreed to what the request bills. */
  isConfirmed: boolean;
}

export type TriedAnswer = Awaited<ReturnType<typeof send>>;

const maxShown = 64 * 1024;
const maxHeaders = 40;
/** Of the connection, not of the answer. */
const hidden = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length', 'x-powered-by']);

export async function send(deps: Dependencies, visit: WorkspaceVisit, operation: Operation, form: TriedForm) {
  const { token, isConfirmed } = form;
  const request = typedRequestOf(operation, form.typed);
  requireFormToken(token);
  if (operation.units.length > 0 && !isConfirmed) {
    throw invalidField('confirm', 'Nothing was sent. Agree to what the request bills.');
  }
  const { address, origin } = visit;
  const idempotencyKey = takesIdempotencyKey(operation)
    ? `try-${hash('sha256', JSON.stringify([visit.membership.workspaceId, token, request]), 'base64url')}`
    : undefined;
  const startedMs = deps.clock.monotonicMs();
  const answer = await callWithKey(
    deps,
    visit,
    (secret) => deps.gateway.call({ ...request, idempotencyKey, secret, address, origin }),
    // A key that was made before these operations could be tried out lacks their scopes. A new one has them.
    ({ status }) => status === 401 || status === 403,
  );
  return { request, ...shown(answer, deps.clock.monotonicMs() - startedMs) };
}

/** The answer of the API, as a page shows it. */
function shown({ status, headers, text }: GatewayResponse, durationMs: number) {
  const whole = indented(text);
  return {
    status,
    headers: Object.entries(headers)
      .filter(([name]) => !hidden.has(name))
      .slice(0, maxHeaders),
    /** JSON is indented. */
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
