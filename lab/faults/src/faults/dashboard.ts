import { randomUUID } from 'node:crypto';
import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { replyBoundMs } from '../checker/timeline.ts';
import {
  notAvailable,
  type PageDuringFault,
  type Reader,
  readPages,
  requireRequestLog,
  requireSignIn,
  requireWholePages,
  signUp,
} from './dashboard-pages.ts';
import { isAnswered, type StoresUser, useStores } from './dashboard-stores.ts';
import { unaffected } from './expectations.ts';
import { cut, kill, slow, suspend } from './inject.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';

/** Responses are delayed by this time before a cut. The cut then loses responses to requests that the gateway has executed. */
const slowResponseMs = 2_000;
const canBeSentAgain = 'The API did not answer. Send the form again: it bills nothing twice.';
const apiUnaffected = unaffected('API requests', () => true);

/** Returns an injection in which a person signs in before the fault. After it, the person must read complete pages and later requests. */
const failing =
  (fault: (context: FaultContext, visitor: Visitor) => Promise<Heal>): Scenario['inject'] =>
  async (context) => {
    const visitor = await signUp(context);
    const heal = await fault(context, visitor);
    return async () => {
      const healedMs = await heal();
      await requireWholePages(context, visitor, [`/workspaces/${context.customers.main.workspaceId}/usage`]);
      await requireRequestLog(context, visitor);
      return healedMs;
    };
  };

/** Cuts the dashboard from a service, and reads the pages until the end of the fault. */
async function cutAndRead(
  context: FaultContext,
  { service, reader, pages }: { service: string; reader: Reader; pages: readonly PageDuringFault[] },
): Promise<Heal> {
  const heal = await cut(linksTo(context, service));
  context.recordFaultStart();
  let isOver = false;
  const reading = readPages(context, reader, pages, () => isOver);
  // The heal function reports the rejection.
  reading.catch(() => {});
  return async () => {
    isOver = true;
    const healedMs = await heal();
    await reading;
    return healedMs;
  };
}

const linksTo = ({ system }: FaultContext, service: string) => system.links(new RegExp(`^dashboard-1>${service}-`));

/** Returns an injection in which the dashboard cannot reach a service, and the person reads these pages of the workspace meanwhile. */
const cutFrom = (service: string, pagesOf: (workspace: string) => readonly PageDuringFault[]) =>
  failing((context, reader) =>
    cutAndRead(context, { service, reader, pages: pagesOf(`/workspaces/${context.customers.main.workspaceId}`) }),
  );

interface CutDuringStores {
  /** Whether look-ups, scans and lists need the service. If they do not, they must work during the fault. */
  stopsStores: boolean;
  /** Returns pages that nobody has read before the fault. */
  pages(user: StoresUser): readonly PageDuringFault[];
}

/** Returns an injection in which the dashboard cannot reach a service while a person uses Stores and somebody reads public pages without a session. */
const cutDuringStores = (service: string, { stopsStores, pages }: CutDuringStores) =>
  failing(async (context) => {
    const { system, recordFigure } = context;
    const user = await useStores(context);
    const stranger = createVisitor(system.direct.dashboard.url);
    const reader: Reader = {
      get: (path) => (path.startsWith('/workspaces/') ? user.visitor : stranger).get(path),
    };
    const always = [newPublicPage(), ...unaffectedPages(user)].map((path) => ({ path, status: 200 as const }));
    for (const { path } of always) await reader.get(path);
    const shown = [...always, ...pages(user)];
    if (stopsStores) {
      await slow(linksTo(context, service), 'down', slowResponseMs);
      recordFigure('requests for stores interrupted', await user.untilInProgress());
    }
    const heal = await cutAndRead(context, { service, reader, pages: shown });
    const cutMs = performance.now();
    const signingIn = requireSignIn(context, user.workspaceId);
    // The heal function reports the rejection.
    signingIn.catch(() => {});
    return async () => {
      const overMs = performance.now();
      const healedMs = await heal();
      await signingIn;
      await requireWholePages(
        context,
        reader,
        shown.map(({ path }) => path),
      );
      await user.finish();
      checkRequests(context, user, { cutMs, overMs, stopsStores });
      return healedMs;
    };
  });

/** Returns the path of a public page that needs profiles. The path is new, so no earlier run has put the page in memory. */
const newPublicPage = () => `/technologies?q=${randomUUID()}`;

/** Returns the paths of pages that need neither the gateways nor profiles nor scan-scheduler, or that are in memory. */
const unaffectedPages = ({ workspaceId, paths }: StoresUser): string[] => [
  `/workspaces/${workspaceId}`,
  `/workspaces/${workspaceId}/usage`,
  `/workspaces/${workspaceId}/stores`,
  paths.lookUp,
  ...['/', '/docs', '/status', '/sign-in'],
];

/** Checks the requests for stores during the fault. Each was answered, or each says that it can be sent again. None took too long. */
function checkRequests(
  { recordProblem, recordFigure }: FaultContext,
  { requests }: StoresUser,
  { cutMs, overMs, stopsStores }: { cutMs: number; overMs: number; stopsStores: boolean },
): void {
  const isDuring = ({ startMs, endMs }: { startMs: number; endMs: number }) =>
    stopsStores ? startMs >= cutMs && endMs < overMs : startMs < overMs && endMs >= cutMs;
  const during = requests.filter(isDuring);
  const wrong = during.find((request) =>
    stopsStores ? request.status !== 503 || !request.text.includes(canBeSentAgain) : !isAnswered(request),
  );
  if (wrong) recordProblem(`a request for a ${wrong.kind} during the fault responded with ${wrong.status}`);
  const slowestMs = Math.max(0, ...requests.map(({ startMs, endMs }) => endMs - startMs));
  if (slowestMs > replyBoundMs) recordProblem(`a request for stores took ${Math.round(slowestMs)} ms`);
  recordFigure('requests for stores during the fault', during.length);
}

const dashboardDownRow = {
  row: 'dashboard KILL, STOP',
  expected: 'the API does not notice; people stay signed in',
  check: apiUnaffected,
};
const cutRow = {
  row: 'dashboard cut from keys, from metering',
  durationMs: [8_000, 14_000] as const,
  requiredFigures: ['pages read during the fault'],
  check: apiUnaffected,
};
const storesCutRow = {
  ...cutRow,
  row: 'dashboard cut from gateways, from profiles, from scan-scheduler, while people use Stores',
  requiredFigures: [...cutRow.requiredFigures, 'requests for stores during the fault'],
};

export const dashboardScenarios: Scenario[] = [
  {
    ...dashboardDownRow,
    name: 'dashboard-kill',
    durationMs: [500, 2_000],
    inject: failing(async (context) => {
      const user = await useStores(context);
      const heal = await kill(context, 'dashboard-1');
      return async () => {
        const healedMs = await heal();
        await user.finish();
        return healedMs;
      };
    }),
  },
  {
    ...dashboardDownRow,
    name: 'dashboard-stop',
    durationMs: [14_000, 20_000],
    inject: failing((context) => suspend(context, 'dashboard-1')),
  },
  {
    ...cutRow,
    name: 'dashboard-keys-cut',
    expected: 'the pages say that keys and plan are missing, and show the rest; the API does not notice',
    inject: cutFrom('keys', (workspace) => [
      { path: workspace, status: 200 },
      { path: `${workspace}/usage`, status: 200, text: 'Keys and the plan are not available right now' },
      { path: `${workspace}/requests`, status: 200, text: 'getStore' },
      { path: `${workspace}/settings/plan`, status: 200, text: 'The plan is not available right now' },
      { path: `${workspace}/settings/keys`, status: 503, text: notAvailable },
      { path: `${workspace}/settings/members`, status: 200, text: 'Reader' },
    ]),
  },
  {
    ...cutRow,
    name: 'dashboard-metering-cut',
    expected: 'the pages say that usage is missing, and show the rest; the API does not notice',
    inject: cutFrom('metering', (workspace) => [
      { path: workspace, status: 200, text: 'Usage is not available right now' },
      { path: `${workspace}/usage`, status: 200, text: 'Usage is not available right now' },
      { path: `${workspace}/requests`, status: 200, text: 'getStore' },
      { path: `${workspace}/settings/plan`, status: 200, text: 'Usage is not available right now' },
      { path: `${workspace}/settings/keys`, status: 200, text: 'API keys' },
      { path: `${workspace}/settings/members`, status: 200, text: 'Reader' },
    ]),
  },
  {
    ...storesCutRow,
    name: 'dashboard-gateway-cut',
    expected: 'look-ups, scans and lists say that they can be sent again, and are billed once; every page goes on',
    requiredFigures: [...storesCutRow.requiredFigures, 'requests for stores interrupted'],
    inject: cutDuringStores('gateway', {
      stopsStores: true,
      pages: ({ paths }) => [
        { path: paths.scan, status: 200 },
        { path: paths.list, status: 503, text: notAvailable },
        { path: newPublicPage(), status: 200 },
      ],
    }),
  },
  {
    ...storesCutRow,
    name: 'dashboard-profiles-cut',
    expected: 'public pages in memory go on, others are 503; look-ups, scans and lists go on',
    inject: cutDuringStores('profiles', {
      stopsStores: false,
      pages: ({ paths }) => [
        { path: newPublicPage(), status: 503, text: notAvailable },
        { path: paths.list, status: 200 },
      ],
    }),
  },
  {
    ...storesCutRow,
    name: 'dashboard-scan-scheduler-cut',
    expected: 'the pages of scans are 503; look-ups, scans, lists and every other page go on',
    inject: cutDuringStores('scan-scheduler', {
      stopsStores: false,
      pages: ({ paths }) => [
        { path: paths.scan, status: 503, text: notAvailable },
        { path: paths.list, status: 200 },
        { path: newPublicPage(), status: 200 },
      ],
    }),
  },
];
