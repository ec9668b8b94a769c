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
import { introspect } from './introspect.ts';
import type { Plan } from './plan-document.ts';
import { free } from './prepared-field.ts';
import { type DocumentRequest, openSource } from './source.ts';
import { Work } from './work.ts';

/** A document with so many pages is not delayed for them. */
const freePages = 10;
/** To read a page takes about as long as to look up so many domains. */
const pageDomains = 10;
/** The characters of a large store. To encode more of them for each domain counts as further domains. */
const domainCharacters = 16_384;

/**
 * Answers a planned document when it is the turn of its workspace. The steps have this order:
 *
 * 1. Answer the introspection, which needs no data. A dry run ends here.
 * 2. Read everything that the document selects, at the same time.
 * 3. Encode the data. A fault of a field therefore fails the request before anything is billed.
 * 4. Charge the sum of the units that the operations of REST would bill, all or nothing.
 * 5. Respond.
 *
 * The work of steps 1 and 3 counts for the workspace even if the document fails.
 */
export async function answerDocument(
  deps: Dependencies,
  request: DocumentRequest,
  plan: Plan,
  charge: PendingCharge,
  { isDryRun = false } = {},
): Promise<IdempotentResponse> {
  const work = new Work();
  const answer = async () => {
    // Step 1: the introspection.
    const introspection = await deps.slices.run(introspect(plan, work), request.deadline);
    if (isDryRun) return unchargedReply(200, { extensions: { cost: costOf(plan, noUnits) } });
    // Step 2: the data.
    const source = openSource(deps, request, plan);
    const read = await Promise.all(
      plan.fields.map(async ({ selected, prepared }) => {
        const field = prepared ? await prepared.read(source) : free(introspection.get(selected));
        return { selected, ...field };
      }),
    );
    // Step 3: the body.
    const data = await deps.slices.run(encodeData(read, work), request.deadline);
    // Step 4: the charge.
    const units = unitsOf({
      lookupCached: sum(read.map((field) => field.units.lookupCached)),
      historyQuery: sum(read.map((field) => field.units.historyQuery)),
    });
    const emptyPages = sum(read.map((field) => field.emptyPages));
    const { billed, remaining, voidCharge } = await chargeDocument(deps, charge, { units, emptyPages });
    // Step 5: the response.
    const cost = JSON.stringify({ cost: costOf(plan, billed) });
    const body = Buffer.concat([Buffer.from('{"data":'), ...data, Buffer.from(`,"extensions":${cost}}`)]);
    return { ...storableReply(200, body, remaining), voidCharge };
  };
  const { caller, deadline } = request;
  const morePages = Math.max(0, plan.pages - freePages);
  const domains = isDryRun ? 1 : Math.max(1, plan.inputs.length + morePages * pageDomains);
  return deps.turns.run({ caller, domains, deadline, doneDomains: () => work.done / domainCharacters }, answer);
}

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
