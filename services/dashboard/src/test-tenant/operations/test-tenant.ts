/** The test tenant of a workspace: its reset, events that people make, and what is left of its allowance. Only admins change it. */

import { hash } from 'node:crypto';
import { AppError, invalidField, isErrorCode } from '@shopscope/errors';
import { workspaceEventTypes } from '@shopscope/proto';
import { z } from 'zod';
import { requireFormToken } from '../../app/domain/text.ts';
import { requireMaySend } from '../../app/operations/api-changes.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { GatewayResponse } from '../../app/outbound/gateway-connection.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callWithKey } from '../../keys/operations.ts';
import { type UnitName, unitNames } from '../../usage/domain.ts';

/** The types of events that can be made. */
export function open(_deps: Dependencies, visit: WorkspaceVisit): readonly string[] {
  requireTest(visit);
  return workspaceEventTypes;
}

/** Restores the test tenant. A form that is sent again resets it once. */
export async function reset(deps: Dependencies, visit: WorkspaceVisit, token: string): Promise<void> {
  requireTest(visit);
  requireMaySend(deps, visit, { id: 'resetTestTenant', scope: 'write:scans' });
  await post(deps, visit, '/v1/test/reset', {}, token);
}

/** Appends an event. `data` is the JSON text of members that replace those of the example; empty: the example itself. */
export async function appendEvent(
  deps: Dependencies,
  visit: WorkspaceVisit,
  input: { type: string; data: string },
  token: string,
): Promise<{ id: string; sequence: number }> {
  requireTest(visit);
  requireMaySend(deps, visit, { id: 'appendTestEvent', scope: 'write:webhooks' });
  const data = input.data.trim() === '' ? undefined : parseData(input.data);
  const answer = await post(deps, visit, '/v1/test/events', { type: input.type, ...(data && { data }) }, token);
  return eventAnswer.parse(JSON.parse(answer.text)).event;
}

/** Sets what is left of a unit in this period. */
export async function setAllowance(
  deps: Dependencies,
  visit: WorkspaceVisit,
  input: { unit: string; left: string },
  token: string,
): Promise<{ unit: UnitName; left: number }> {
  requireTest(visit);
  requireMaySend(deps, visit, { id: 'setTestAllowance', scope: 'write:scans' });
  const unit = unitNames.find((name) => name === input.unit);
  if (!unit) throw invalidField('unit', 'Choose a unit.');
  if (!/^\d{1,12}$/.test(input.left.trim())) throw invalidField('left', 'Enter a whole number, for example 3.');
  const left = Number(input.left);
  await post(deps, visit, '/v1/test/allowance', { [unit]: left }, token, { [unit]: 'left' });
  return { unit, left };
}

function requireTest({ origin }: WorkspaceVisit): void {
  if (origin.environment !== 'test') throw new AppError('not_found', 'Only the test environment has this page.');
}

const eventAnswer = z.object({ event: z.object({ id: z.string(), sequence: z.number() }) });
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** `fields`: the fields of the form for members of the body that have another name. */
async function post(
  deps: Dependencies,
  visit: WorkspaceVisit,
  path: string,
  body: object,
  token: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<GatewayResponse> {
  requireFormToken(token);
  const { address, origin } = visit;
  const text = JSON.stringify(body);
  const idempotencyKey = `test-${hash('sha256', JSON.stringify([path, token, text]), 'base64url')}`;
  const answer = await callWithKey(
    deps,
    visit,
    (secret) => deps.gateway.call({ method: 'POST', path, body: text, idempotencyKey, secret, address, origin }),
    ({ status }) => status === 401,
  );
  if (answer.status === 200) return answer;
  throw errorOf(answer, fields);
}

function errorOf({ status, text }: GatewayResponse, fields: Readonly<Record<string, string>>): AppError {
  const parsed = errorAnswer.safeParse(parse(text));
  if (!parsed.success || !isErrorCode(parsed.data.error.code)) {
    return new AppError('internal', 'The API did not answer. Send the form again.', { internal: `status ${status}` });
  }
  const { code, message } = parsed.data.error;
  const [, member = '', words = ''] = /^(\w+)[\w.[\]]*: (.*)$/s.exec(message) ?? [];
  const field = fields[member] ?? member;
  return member === '' ? new AppError(code, message) : invalidField(field, words);
}

function parseData(text: string): object {
  const value = parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidField('data', 'Enter a JSON object, for example {"domain": "matched.test"}.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
