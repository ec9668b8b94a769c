import { randomUUID } from 'node:crypto';
import { usageByKey } from '../checker/billing.ts';
import { recoveryBoundMs } from '../checker/timeline.ts';
import { createStoresCustomer } from '../clients/customers.ts';
import { noUnits, type Units } from '../clients/history.ts';
import { poll, sleep } from '../wait.ts';
import { signUp } from './dashboard-pages.ts';
import type { FaultContext } from './scenario.ts';
import { knownDomains, listOf, usageOfDashboard } from './stores-workspace.ts';

/** A request of the person. Instants are on the monotonic clock of this process, in ms. */
export interface StoresRequest {
  kind: 'list' | 'look-up' | 'scan';
  startMs: number;
  /** Infinite while there is no response. */
  endMs: number;
  /** 0 if there is no response. */
  status: number;
  text: string;
  location: string | null;
}

export type StoresUser = Awaited<ReturnType<typeof useStores>>;

interface StoreForm {
  kind: 'look-up' | 'scan';
  domain: string;
  token: string;
  /** The path to which the response to the form redirected. Null until a response was a success. */
  path: string | null;
}

const finishBoundMs = 60_000;
const countedBoundMs = 30_000;
/** This many batches end before the fault, so that the fault interrupts a list that runs. */
const batchesBefore = 3;
const pauseMs = { list: 50, 'look-up': 500, scan: 1_000 };
/** After this time a request has reached the gateway. */
const inProgressMs = 500;
const inProgressBoundMs = 15_000;

export const isAnswered = ({ kind, status }: StoresRequest): boolean => status === (kind === 'list' ? 200 : 302);

/**
 * Simulates a person who looks stores up, scans stores and runs a list, in a workspace of their own. What fails during the fault is sent again
 * afterwards. Every known domain of the list and every form must then be billed once, in the ledger and in /v1/usage.
 */
export async function useStores(context: FaultContext) {
  const { system, databases, billingProblems, recordProblem, recordFigure } = context;
  // The reconciliation of the run compares only the charges of its clients, so the person has another workspace.
  const { workspaceId, keys } = await createStoresCustomer(system.direct.keys);
  const secret = keys[0]?.secret ?? '';
  const visitor = await signUp(context, workspaceId);
  const base = `/workspaces/${workspaceId}/stores`;
  const known = await knownDomains(system.direct.demoStoresUrl);
  const requests: StoresRequest[] = [];
  const forms: StoreForm[] = [];

  const send = async (kind: StoresRequest['kind'], path: string, form: Record<string, string>) => {
    const startMs = performance.now();
    const none = { endMs: Number.POSITIVE_INFINITY, status: 0, text: '', location: null };
    const request: StoresRequest = { kind, startMs, ...none };
    requests.push(request);
    try {
      const response = await visitor.submit(path, form);
      request.text = await response.text();
      request.location = response.headers.get('location');
      request.status = response.status;
    } catch {
      // The dashboard does not run, or its response is not complete. The status stays 0.
    }
    request.endMs = performance.now();
    return request;
  };
  const sendForm = async (form: StoreForm) => {
    const { kind, domain, token } = form;
    const request = await send(kind, kind === 'scan' ? `${base}/${domain}/scan` : base, { domain, token });
    if (isAnswered(request)) form.path = request.location;
    return form.path;
  };
  const sendNewForm = (kind: StoreForm['kind'], domain: string) => {
    const form: StoreForm = { kind, domain, token: randomUUID(), path: null };
    forms.push(form);
    return sendForm(form);
  };
  const firstPath = async (kind: StoreForm['kind']) => {
    const path = await sendNewForm(kind, known[0] ?? '');
    if (path === null) throw new Error(`a ${kind} before the fault responded with ${requests.at(-1)?.status}`);
    return path;
  };

  const created = await visitor.submit(`${base}/lists/new`, {
    token: randomUUID(),
    name: '',
    domains: listOf(known).join('\n'),
  });
  const list = created.headers.get('location');
  if (list === null) throw new Error(`the creation of a list responded with ${created.status}`);
  const runNext = async (): Promise<Progress | undefined> => {
    const request = await send('list', `${list}/run`, {});
    return isAnswered(request) ? (JSON.parse(request.text) as { progress: Progress }).progress : undefined;
  };
  const paths = { lookUp: await firstPath('look-up'), scan: await firstPath('scan'), list };
  for (let n = 0; n < batchesBefore; n++) await runNext();

  let isOver = false;
  const runList = async () => {
    while (!isOver && (await runNext())?.state !== 'done') await sleep(pauseMs.list);
  };
  // Each form is for another domain, because a scan that this workspace has already requested would be joined.
  const sendForms = async (kind: StoreForm['kind']) => {
    for (const domain of known.slice(1)) {
      if (isOver) return;
      await sendNewForm(kind, domain);
      await sleep(pauseMs[kind]);
    }
  };
  const running = Promise.all([runList(), sendForms('look-up'), sendForms('scan')]);

  const repeatFailedForms = async () => {
    const again = { timeoutMs: recoveryBoundMs, everyMs: pauseMs['look-up'] };
    const failed = forms.filter(({ path }) => path === null);
    const paths = await Promise.all(failed.map((form) => poll(async () => (await sendForm(form)) ?? undefined, again)));
    const open = paths.filter((path) => path === undefined).length;
    if (open > 0) recordProblem(`${open} forms were not answered ${recoveryBoundMs / 1_000} s after the fault`);
  };
  const finishList = async () => {
    const next = async () => {
      const progress = await runNext();
      return progress?.state === 'done' ? progress : undefined;
    };
    const end = await poll(next, { timeoutMs: finishBoundMs, everyMs: 20 });
    if (!end) return recordProblem(`the list had not ended ${finishBoundMs / 1_000} s after the fault`);
    const { billed, counts } = end;
    const found = counts.matched + counts.stale;
    if (found !== known.length || billed.lookup_cached !== known.length)
      billingProblems.push(`a list of ${known.length} known domains found ${found} and billed ${billed.lookup_cached}`);
  };
  const requireScans = async () => {
    const scans = forms.flatMap(({ kind, path }) => (kind === 'scan' && path ? [path] : []));
    const hasSucceeded = async (path: string) => {
      const response = await visitor.get(`${path}/status`);
      return response.ok && ((await response.json()) as { scan: { state: string } }).scan.state === 'succeeded';
    };
    const succeeded = async () => ((await Promise.all(scans.map(hasSucceeded))).every(Boolean) ? true : undefined);
    if (!(await poll(succeeded, { timeoutMs: finishBoundMs, everyMs: 500 })))
      recordProblem(`not every scan had succeeded ${finishBoundMs / 1_000} s after the fault`);
  };
  const reconcile = async () => {
    const billed: Units = {
      lookupCached: known.length + forms.length,
      lookupLive: forms.filter(({ kind }) => kind === 'scan').length,
    };
    let problems: string[] = [];
    const isEqual = async () => {
      const charges = await databases.charges(workspaceId);
      const usage = await usageOfDashboard(system.gateways[0]?.url ?? '', secret);
      const [ledger = noUnits] = usageByKey(charges).values();
      problems = [
        ...charges.flatMap(({ chargeId, counted }) =>
          counted > 1 ? [`charge ${chargeId} counts ${counted} times`] : [],
        ),
        ...differenceOf('the ledger', ledger, billed),
        ...differenceOf('/v1/usage', usage, billed),
      ];
      return problems.length === 0 || undefined;
    };
    if (!(await poll(isEqual, { timeoutMs: countedBoundMs, everyMs: 500 })))
      billingProblems.push(...(problems.length > 0 ? problems : ['the ledger of the list and the forms was not read']));
  };

  return {
    visitor,
    workspaceId,
    /** The paths of what the person made before the fault: a look-up, a scan, and the list. */
    paths,
    requests,
    /** Waits until as many requests as there are kinds are in progress. Resolves to the number of requests in progress. */
    async untilInProgress(): Promise<number> {
      const kinds = Object.keys(pauseMs).length;
      const inProgress = () => {
        const before = performance.now() - inProgressMs;
        return requests.filter(({ startMs, endMs }) => endMs === Number.POSITIVE_INFINITY && startMs <= before).length;
      };
      await poll(async () => inProgress() >= kinds || undefined, { timeoutMs: inProgressBoundMs, everyMs: 20 });
      return inProgress();
    },
    /** Sends failed requests again after the fault, and compares the ledger and /v1/usage with what the pages reported as billed. */
    async finish(): Promise<void> {
      isOver = true;
      await running;
      recordFigure('requests for stores that failed', requests.filter((request) => !isAnswered(request)).length);
      await repeatFailedForms();
      await finishList();
      await requireScans();
      await reconcile();
    },
  };
}

interface Progress {
  state: string;
  billed: { lookup_cached: number };
  counts: { matched: number; stale: number };
}

const differenceOf = (where: string, found: Units, billed: Units): string[] =>
  found.lookupCached === billed.lookupCached && found.lookupLive === billed.lookupLive
    ? []
    : [`a list and forms billed ${JSON.stringify(billed)}, ${where} has ${JSON.stringify(found)}`];
