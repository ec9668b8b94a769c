import { unitKeyOf } from '@shopscope/charging';
import { AppError, invalidField } from '@shopscope/errors';
import { validate } from '@shopscope/text';
import { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import { periodOf } from '../account/get-account.ts';
import type { Dependencies } from '../dependencies.ts';
import { eventTypeEntries } from '../events/event-types.ts';
import { eventText } from '../events/list-events.ts';
import type { testAllowanceRequest, testEventRequest } from './contract.ts';

type TestTenant = Pick<Dependencies, 'testTenant'>;

const maxDataBytes = 16_384;

/**
 * Resets the workspace in every service. Then no kept answer is replayed, and no balance from before is shown. Another gateway shows it for 2 s at
 * most. Any failure is `internal`: the reset is incomplete, and a retry completes it.
 */
export async function reset(
  { testTenant, resets, balances, clock }: TestTenant & Pick<Dependencies, 'resets' | 'balances' | 'clock'>,
  request: CallerRequest,
): Promise<object> {
  const { workspaceId } = request.caller;
  try {
    await testTenant.reset(workspaceId, request);
    await resets.add(workspaceId);
  } catch (cause) {
    throw new AppError('internal', 'The reset is not complete; repeat it in a few seconds.', { cause });
  }
  balances.drop(workspaceId);
  return { reset_at: new Date(clock.now()).toISOString() };
}

/** Appends an event to the sequence of the workspace. Its data is that of the example, except for the members that are sent. */
export async function appendEvent(
  { testTenant, publicApiUrl }: TestTenant & Pick<Dependencies, 'publicApiUrl'>,
  request: CallerRequest,
  { type, data = {} }: z.output<typeof testEventRequest>,
): Promise<Buffer> {
  const { workspaceId, keyEnvironment: environment } = request.caller;
  const entry = eventTypeEntries.find((each) => each.type === type);
  if (!entry) throw new Error(`the catalogue has no type ${type}`);
  const merged = { ...(entry.exampleOf(publicApiUrl).data as object), ...data };
  validate(z.object({ data: entry.data.strict() }), { data: merged }, 'body');
  const text = JSON.stringify(merged);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxDataBytes) {
    const [most, sent] = [maxDataBytes, bytes].map((count) => count.toLocaleString('en-US'));
    throw invalidField('data', `must have at most ${most} bytes of JSON, not ${sent}`);
  }
  const { event } = await testTenant.appendEvent({ workspaceId, type, data: text }, request);
  if (!event) throw new Error('the response has no event');
  return Buffer.from(`{"event":${eventText(event, { environment, publicApiUrl })}}`);
}

/** Sets what is left of the named units in this period. Returns the period. */
export async function setAllowance(
  { testTenant, balances }: TestTenant & Pick<Dependencies, 'balances'>,
  request: CallerRequest,
  units: z.output<typeof testAllowanceRequest>,
): Promise<object> {
  const { workspaceId, plan } = request.caller;
  const left = Object.entries(units).flatMap(([unit, amount]) =>
    amount === undefined ? [] : [{ unit, left: amount }],
  );
  for (const { unit, left: amount } of left) {
    const key = unitKeyOf(unit);
    const included = key ? plan.included[key] : 0;
    if (amount > included)
      throw invalidField(unit, `must be at most ${included}, which the plan includes, not ${amount}`);
  }
  const { balance } = await testTenant.setAllowance({ workspaceId, included: plan.included, left }, request);
  if (!balance) throw new Error('the response has no balance');
  balances.put(workspaceId, balance);
  return periodOf(plan, balance);
}
