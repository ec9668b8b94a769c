import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient } from '@shopscope/grpc';
import { DashboardServiceService } from '@shopscope/proto';
import { poll, sleep } from '../wait.ts';
import { startList } from './dashboard-list.ts';
import { unaffected } from './expectations.ts';
import { cut, kill, suspend } from './inject.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';

/** What a page shows during the fault. A page that needs the missing service is an error page. */
interface PageDuringFault {
  path: string;
  status: 200 | 503;
  text?: string;
}

const readEveryMs = 500;
/** A call that began before the cut may still succeed, and its page is complete. */
const graceMs = 2_000;
const recoveryBoundMs = 15_000;
/** A killed consumer stays a member of its group for 30 s. */
const logBoundMs = 60_000;
const password = 'correct horse battery staple';
const apiUnaffected = unaffected('API requests', () => true);

/** Signs an admin of a workspace up, as `npm run admin -- person invite` begins it. */
async function signUp({ system, customers }: FaultContext, workspaceId = customers.main.workspaceId): Promise<Visitor> {
  const { url, grpcAddress } = system.direct.dashboard;
  const client = createGrpcClient({ definition: DashboardServiceService, address: grpcAddress });
  const person = { email: `${workspaceId}@faults.example`, role: 'admin', actor: 'operator:faults' };
  const invitation = await client.invitePerson({ workspaceId, ...person }).finally(() => client.close());
  const visitor = createVisitor(url);
  const form = { intent: 'sign-up', name: 'Reader', password };
  const response = await visitor.submit(new URL(invitation.url).pathname, form);
  if (response.status !== 302) throw new Error(`the sign-up responded with ${response.status}`);
  return visitor;
}

/** The pages show everything again within 15 s after the fault. The person is still signed in. */
async function requireWholePages({ customers, recordProblem }: FaultContext, visitor: Visitor): Promise<void> {
  const isWhole = async () => {
    const page = await visitor.get(`/workspaces/${customers.main.workspaceId}/usage`);
    const text = await page.text();
    return page.status === 200 && !text.includes('not available right now') ? true : undefined;
  };
  if (!(await poll(isWhole, { timeoutMs: recoveryBoundMs, everyMs: readEveryMs })))
    recordProblem(`the pages were not complete ${recoveryBoundMs / 1_000} s after the fault`);
}

/** The request log has requests from after the fault within a minute. */
async function requireRequestLog({ customers, recordProblem }: FaultContext, visitor: Visitor): Promise<void> {
  const healedAtMs = Date.now();
  const goesOn = async () => {
    const page = await visitor.get(`/workspaces/${customers.main.workspaceId}/requests?time=15m`);
    const newest = /<td[^>]*>.*?dateTime="([^"]+)"/s.exec(await page.text())?.[1];
    return newest !== undefined && Date.parse(newest) > healedAtMs ? true : undefined;
  };
  if (!(await poll(goesOn, { timeoutMs: logBoundMs, everyMs: readEveryMs })))
    recordProblem(`the request log had no later request ${logBoundMs / 1_000} s after the fault`);
}

/** Reads the pages again and again while the fault is active. */
async function readPages(
  context: FaultContext,
  visitor: Visitor,
  pages: readonly PageDuringFault[],
  isOver: () => boolean,
): Promise<void> {
  let read = 0;
  await sleep(graceMs);
  while (!isOver()) {
    for (const { path, status, text = '' } of pages) {
      const page = await visitor.get(path.replace('WORKSPACE', context.customers.main.workspaceId));
      const html = await page.text();
      if (isOver()) break;
      if (page.status !== status) context.recordProblem(`${path} responded with ${page.status} instead of ${status}`);
      else if (!html.includes(text)) context.recordProblem(`${path} does not say "${text}"`);
      read++;
    }
    await sleep(readEveryMs);
  }
  context.recordFigure('pages read during the fault', read);
}

/** A person signs in before the fault, and reads whole pages and later requests after it. */
const failing =
  (fault: (context: FaultContext, visitor: Visitor) => Promise<Heal>): Scenario['inject'] =>
  async (context) => {
    const visitor = await signUp(context);
    const heal = await fault(context, visitor);
    return async () => {
      const healedMs = await heal();
      await requireWholePages(context, visitor);
      await requireRequestLog(context, visitor);
      return healedMs;
    };
  };

/** The dashboard cannot reach a service. The person reads these pages meanwhile. */
const cutFrom = (service: string, pages: readonly PageDuringFault[]) =>
  failing(async (context, visitor) => {
    const heal = await cut(context.system.links(new RegExp(`^dashboard-1>${service}-`)));
    context.recordFaultStart();
    let isOver = false;
    const reading = readPages(context, visitor, pages, () => isOver);
    // The rejection is reported by the heal function.
    reading.catch(() => {});
    return async () => {
      isOver = true;
      const healedMs = await heal();
      await reading;
      return healedMs;
    };
  });

const awayRow = {
  row: 'dashboard KILL, STOP',
  expected: 'the API does not notice; people stay signed in',
  check: apiUnaffected,
};
const cutRow = { row: 'dashboard cut from keys, from metering', check: apiUnaffected };
const cutDurationMs = [8_000, 14_000] as const;
const workspace = '/workspaces/WORKSPACE';

export const dashboardScenarios: Scenario[] = [
  {
    ...awayRow,
    name: 'dashboard-kill',
    durationMs: [500, 2_000],
    inject: failing(async (context) => {
      const list = await startList(context, (workspaceId) => signUp(context, workspaceId));
      const heal = await kill(context, 'dashboard-1');
      return async () => {
        const healedMs = await heal();
        await list.finish();
        return healedMs;
      };
    }),
  },
  {
    ...awayRow,
    name: 'dashboard-stop',
    durationMs: [14_000, 20_000],
    inject: failing((context) => suspend(context, 'dashboard-1')),
  },
  {
    ...cutRow,
    name: 'dashboard-keys-cut',
    expected: 'the pages say that keys and plan are missing, and show the rest; the API does not notice',
    durationMs: cutDurationMs,
    requiredFigures: ['pages read during the fault'],
    inject: cutFrom('keys', [
      { path: workspace, status: 200 },
      { path: `${workspace}/usage`, status: 200, text: 'Keys and the plan are not available right now' },
      { path: `${workspace}/requests`, status: 200, text: 'getStore' },
      { path: `${workspace}/settings/plan`, status: 200, text: 'The plan is not available right now' },
      { path: `${workspace}/settings/keys`, status: 503, text: 'not available right now' },
      { path: `${workspace}/settings/members`, status: 200, text: 'Reader' },
    ]),
  },
  {
    ...cutRow,
    name: 'dashboard-metering-cut',
    expected: 'the pages say that usage is missing, and show the rest; the API does not notice',
    durationMs: cutDurationMs,
    requiredFigures: ['pages read during the fault'],
    inject: cutFrom('metering', [
      { path: workspace, status: 200, text: 'Usage is not available right now' },
      { path: `${workspace}/usage`, status: 200, text: 'Usage is not available right now' },
      { path: `${workspace}/requests`, status: 200, text: 'getStore' },
      { path: `${workspace}/settings/plan`, status: 200, text: 'Usage is not available right now' },
      { path: `${workspace}/settings/keys`, status: 200, text: 'API keys' },
      { path: `${workspace}/settings/members`, status: 200, text: 'Reader' },
    ]),
  },
];
