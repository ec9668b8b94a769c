import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient } from '@shopscope/grpc';
import { DashboardServiceService } from '@shopscope/proto';
import { recoveryBoundMs, replyBoundMs } from '../checker/timeline.ts';
import { poll, sleep } from '../wait.ts';
import type { FaultContext } from './scenario.ts';

/**
 * The response that a page must have during the fault. If the page needs the unavailable service, the response is an error page (503), or a
 * page (200) with a text that says what is missing.
 */
export interface PageDuringFault {
  path: string;
  status: 200 | 503;
  text?: string;
}

const readEveryMs = 500;
/**
 * The pages are read only after this time. Earlier, a call that began before the start of the fault may still succeed, and the page is then
 * complete.
 */
const graceMs = 2_000;
/** Kafka removes a killed consumer from its group after 10 s. The rebalance that follows may take 15 s. Then the log continues. */
const logBoundMs = 60_000;
const password = 'correct horse battery staple';
export const notAvailable = 'not available right now';
const emailOf = (workspaceId: string) => `${workspaceId}@faults.example`;

export type Reader = Pick<Visitor, 'get'>;

/** Signs up an admin of a workspace with an invitation, as after `npm run admin -- person invite`. */
export async function signUp(
  { system, customers }: FaultContext,
  workspaceId = customers.main.workspaceId,
): Promise<Visitor> {
  const { url, grpcAddress } = system.direct.dashboard;
  const client = createGrpcClient({ definition: DashboardServiceService, address: grpcAddress });
  const person = { email: emailOf(workspaceId), role: 'admin', actor: 'operator:faults' };
  const invitation = await client.invitePerson({ workspaceId, ...person }).finally(() => client.close());
  const visitor = createVisitor(url);
  const form = { intent: 'sign-up', name: 'Reader', password };
  const response = await visitor.submit(new URL(invitation.url).pathname, form);
  if (response.status !== 302) throw new Error(`the sign-up responded with ${response.status}`);
  return visitor;
}

/** Requires that every page is complete within 15 s after the fault. The reader still uses the session from before the fault. */
export async function requireWholePages({ recordProblem }: FaultContext, reader: Reader, paths: readonly string[]) {
  const isWhole = async (path: string) => {
    const page = await reader.get(path);
    return page.status === 200 && !(await page.text()).includes(notAvailable) ? true : undefined;
  };
  const bound = { timeoutMs: recoveryBoundMs, everyMs: readEveryMs };
  const whole = await Promise.all(paths.map((path) => poll(() => isWhole(path), bound)));
  for (const path of paths.filter((_, n) => !whole[n]))
    recordProblem(`${path} was not complete ${recoveryBoundMs / 1_000} s after the fault`);
}

/** Requires that the request log shows a request from after the fault within one minute. */
export async function requireRequestLog({ customers, recordProblem }: FaultContext, visitor: Visitor): Promise<void> {
  const healedAtMs = Date.now();
  const continues = async () => {
    const page = await visitor.get(`/workspaces/${customers.main.workspaceId}/requests?time=15m`);
    const newest = /<td[^>]*>.*?dateTime="([^"]+)"/s.exec(await page.text())?.[1];
    return newest !== undefined && Date.parse(newest) > healedAtMs ? true : undefined;
  };
  if (!(await poll(continues, { timeoutMs: logBoundMs, everyMs: readEveryMs })))
    recordProblem(`the request log had no later request ${logBoundMs / 1_000} s after the fault`);
}

/** Reads the pages repeatedly while the fault is active. Records a problem for each response that is late or not as expected. */
export async function readPages(
  { recordProblem, recordFigure }: FaultContext,
  reader: Reader,
  pages: readonly PageDuringFault[],
  isOver: () => boolean,
): Promise<void> {
  let read = 0;
  await sleep(graceMs);
  while (!isOver()) {
    for (const { path, status, text = '' } of pages) {
      const startMs = performance.now();
      const page = await reader.get(path);
      const html = await page.text();
      const tookMs = performance.now() - startMs;
      if (tookMs > replyBoundMs) recordProblem(`${path} took ${Math.round(tookMs)} ms`);
      if (isOver()) break;
      if (page.status !== status) recordProblem(`${path} responded with ${page.status} instead of ${status}`);
      else if (!html.includes(text)) recordProblem(`${path} does not say "${text}"`);
      read++;
    }
    await sleep(readEveryMs);
  }
  recordFigure('pages read during the fault', read);
}

/** Requires that a person can sign in and open the workspace during the fault. */
export async function requireSignIn({ system, recordProblem }: FaultContext, workspaceId: string): Promise<void> {
  const visitor = createVisitor(system.direct.dashboard.url);
  const response = await visitor.submit('/sign-in', { email: emailOf(workspaceId), password });
  const page = await visitor.get(`/workspaces/${workspaceId}`);
  if (response.status !== 302 || page.status !== 200)
    recordProblem(
      `a sign-in during the fault responded with ${response.status}, and its workspace with ${page.status}`,
    );
}
