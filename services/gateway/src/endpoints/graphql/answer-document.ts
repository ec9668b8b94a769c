import type { Deadline } from '@shopscope/async';
import { type ChargeResult, chargeUnits, contractUnitsOf, noFingerprint, requireUnits } from '@shopscope/charging';
import { newId } from '@shopscope/ids';
import { isZero, noUnits, type Units, unitsOf } from '@shopscope/proto';
import { storableReply } from '../../http/reply/reply.ts';
import { type PendingCharge, unchargedReply } from '../../idempotency/run-idempotently.ts';
import type { IdempotentResponse } from '../../idempotency/run-once.ts';
import type { Dependencies } from '../dependencies.ts';
import { bounds } from './bounds.ts';
import { encodeData } from './encode-data.ts';
import { createIntrospection } from './introspect.ts';
import type { Plan } from './plan-document.ts';
import { free } from './prepared-field.ts';
import { type DocumentRequest, openSource } from './source.ts';

/**
 * Answers a planned document. The steps have this order:
 *
 * 1. Read everything that the document selects, at the same time.
 * 2. Encode the data. A fault of a field therefore fails the request before anything is billed.
 * 3. Charge the sum of the units that the operations of REST would bill, all or nothing.
 * 4. Respond.
 */
export async function answerDocument(
  deps: Dependencies,
  request: DocumentRequest,
  plan: Plan,
  charge: PendingCharge,
): Promise<IdempotentResponse> {
  const answer = async () => {
    const source = openSource(deps, request, plan);
    const introspect = createIntrospection(plan.variables);
    // Step 1: the data.
    const read = await Promise.all(
      plan.fields.map(async ({ selected, prepared }) => {
        if (prepared) return { selected, ...(await prepared.read(source)) };
        // The value has the selected members only, so nothing is left to select.
        return { selected: { ...selected, fields: undefined }, ...free(introspect(selected)) };
      }),
    );
    // Step 2: the body.
    const data = await deps.slices.run(encodeData(read), request.deadline);
    // Step 3: the charge.
    const units = unitsOf({
      lookupCached: sum(read.map((field) => field.units.lookupCached)),
      historyQuery: sum(read.map((field) => field.units.historyQuery)),
    });
    const emptyPages = sum(read.map((field) => field.emptyPages));
    const { billed, remaining, voidCharge } = await chargeDocument(deps, charge, { units, emptyPages });
    // Step 4: the response.
    const cost = JSON.stringify({ cost: costOf(plan, billed) });
    const body = Buffer.concat([Buffer.from('{"data":'), ...data, Buffer.from(`,"extensions":${cost}}`)]);
    return { ...storableReply(200, body, remaining), voidCharge };
  };
  const domains = plan.inputs.length;
  if (domains === 0) return answer();
  return deps.turns.run({ caller: request.caller, domains, deadline: request.deadline }, answer);
}

/** The answer of a dry run: the cost of the document, which is not executed. */
export const answerDryRun = (plan: Plan): IdempotentResponse =>
  unchargedReply(200, { extensions: { cost: costOf(plan, noUnits) } });

function costOf({ requested, nodes }: Plan, billed: Units) {
  const { lookup_cached, history_query } = contractUnitsOf(billed);
  return { requested, billed: { lookup_cached, history_query }, nodes: { requested: nodes, limit: bounds.nodes } };
}

interface Billable {
  units: Units;
  emptyPages: number;
}

/**
 * Charges the units. Like REST, it sends empty pages only if a history_query is left then: see require-units.ts. One is enough for all of
 * them, because an empty page spends none. It is checked in the commit, so that a retry of a settled charge never gets 402.
 */
async function chargeDocument(
  deps: Dependencies,
  { fingerprint, ...charge }: PendingCharge,
  { units, emptyPages }: Billable,
): Promise<{ billed: Units; remaining: number | undefined; voidCharge: ChargeResult['voidCharge'] | undefined }> {
  const required = unitsOf({ historyQuery: Math.min(emptyPages, 1) });
  const requireEmpty = (deadline: Deadline) =>
    requireUnits(deps, { ...charge, deadline, chargeId: newId('chg'), fingerprint: noFingerprint, units: required });
  // A charge with an Idempotency-Key is made even if it has no units: an earlier execution may have settled it.
  if (isZero(units) && !fingerprint) {
    const { remaining } = emptyPages === 0 ? {} : await requireEmpty(charge.deadline);
    return { billed: noUnits, remaining, voidCharge: undefined };
  }
  const charged = await chargeUnits(deps, {
    ...charge,
    fingerprint: fingerprint ?? noFingerprint,
    units,
    async beforeEvent(_units, deadline, { isSettled }) {
      if (emptyPages > 0 && !isSettled) await requireEmpty(deadline);
    },
  });
  return { billed: charged.units, remaining: charged.remaining, voidCharge: charged.voidCharge };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
