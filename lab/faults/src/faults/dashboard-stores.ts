import { randomUUID } from 'node:crypto';
import { usageByKey } from '../checker/billing.ts';
import { recoveryBoundMs } from '../checker/timeline.ts';
import { createStoresCustomer } from '../clients/customers.ts';
import { noUnits, type Units } from '../clients/history.ts';
import { poll, sleep } from '../wait.ts';
import { signUp } from './dashboard-pages.ts';
import type { FaultContext } from './scenario.ts';
import { knownDomains, usageOfDashboard } from './stores-workspace.ts';

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
  kind: StoresRequest['kind'];
  /** If undefined, the whole list is sent. */
  domain: string | undefined;
  token: string;
  /** The path to which the response to the form redirected. Null until a response was a success. */
  path: string | null;
}

const finishBoundMs = 60_000;
const countedBoundMs = 30_000;
const pauseMs = { list: 1_000, 'look-up': 500, scan: 1_000 };
/** A form for the list can be sent this often. */
const maxLists = 100;
/** After this time a request has reached the gateway. */
const inProgressMs = 500;
const inProgressBoundMs = 15_000;

export const isAnswered = ({ status }: StoresRequest): boolean => status === 302;

/**
 * Simulates a person who looks stores up, scans stores and enriches a list by jobs, in a workspace of their own. What fails during the fault is
 * sent again afterwards. Every form must then be billed once, in the ledger and in /v1/usage.
 */
export async function useStores(context: FaultContext) {
  const { system, databases, billingProblems, recordProblem, recordFigure } = context;
  // The reconciliation of the run compares only the charges of its clients, so the person has another workspace.
  const { workspaceId, keys } = await createStoresCustomer(system.direct.keys);
  const secret = keys[0]?.secret ?? '';
  const visitor = await signUp(context, workspaceId);
  const workspace = `/workspaces/${workspaceId}`;
  const base = `${workspace}/stores`;
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
    const request =
      domain === undefined
        ? await send(kind, `${list}/enrich`, { token, mode: 'cached', max_cached: String(known.length) })
        : await send(kind, kind === 'scan' ? `${base}/${domain}/scan` : base, { domain, token });
    if (isAnswered(request)) form.path = request.location;
    return form.path;
  };
  const sendNewForm = (kind: StoreForm['kind'], domain: string | undefined) => {
    const form: StoreForm = { kind, domain, token: randomUUID(), path: null };
    forms.push(form);
    return sendForm(form);
  };
  const firstPath = async (kind: StoreForm['kind']) => {
    const path = await sendNewForm(kind, kind === 'list' ? undefined : known[0]);
    if (path === null) throw new Error(`a ${kind} before the fault responded with ${requests.at(-1)?.status}`);
    return path;
  };

  const list = `${workspace}/lists/${await createList(system.gateways[0]?.url ?? '', secret, known)}`;
  const paths = { lookUp: await firstPath('look-up'), scan: await firstPath('scan'), list };
  await firstPath('list');

  let isOver = false;
  // Each form is for another domain, because a scan that this workspace has already requested would be joined.
  const sendForms = async (kind: StoreForm['kind'], domains: readonly (string | undefined)[]) => {
    for (const domain of domains) {
      if (isOver) return;
      await sendNewForm(kind, domain);
      await sleep(pauseMs[kind]);
    }
  };
  const running = Promise.all([
    sendForms('list', Array.from({ length: maxLists })),
    sendForms('look-up', known.slice(1)),
    sendForms('scan', known.slice(1)),
  ]);

  const repeatFailedForms = async () => {
    const again = { timeoutMs: recoveryBoundMs, everyMs: pauseMs['look-up'] };
    const failed = forms.filter(({ path }) => path === null);
    const paths = await Promise.all(failed.map((form) => poll(async () => (await sendForm(form)) ?? undefined, again)));
    const open = paths.filter((path) => path === undefined).length;
    if (open > 0) recordProblem(`${open} forms were not answered ${recoveryBoundMs / 1_000} s after the fault`);
  };
  const requireEnds = async () => {
    const paths = forms.flatMap(({ kind, path }) => (kind !== 'look-up' && path ? [path] : []));
    const hasSucceeded = async (path: string) => {
      const response = await visitor.get(`${path}/status`);
      const body = (await response.json()) as Record<'scan' | 'job', { state: string } | undefined>;
      return response.ok && (body.scan ?? body.job)?.state === 'succeeded';
    };
    const succeeded = async () => ((await Promise.all(paths.map(hasSucceeded))).every(Boolean) ? true : undefined);
    if (!(await poll(succeeded, { timeoutMs: finishBoundMs, everyMs: 500 })))
      recordProblem(`not every job had succeeded ${finishBoundMs / 1_000} s after the fault`);
  };
  const reconcile = async () => {
    const billed: Units = {
      lookupCached: forms.reduce((sum, { domain }) => sum + (domain === undefined ? known.length : 1), 0),
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
      billingProblems.push(...(problems.length > 0 ? problems : ['the ledger of the forms was not read']));
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
      await requireEnds();
      await reconcile();
    },
  };
}

async function createList(url: string, secret: string, domains: readonly string[]): Promise<string> {
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path} responded with ${response.status}`);
    return (await response.json()) as { id: string };
  };
  const { id } = await post('/v1/lists', { name: 'Faults' });
  await post(`/v1/lists/${id}/stores`, { domains });
  return id;
}

const differenceOf = (where: string, found: Units, billed: Units): string[] =>
  found.lookupCached === billed.lookupCached && found.lookupLive === billed.lookupLive
    ? []
    : [`forms billed ${JSON.stringify(billed)}, ${where} has ${JSON.stringify(found)}`];
