import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient } from '@shopscope/grpc';
import { DashboardServiceService } from '@shopscope/proto';
import { recoveryBoundMs, replyBoundMs } from '../checker/timeline.ts';
import { poll, sleep } from '../wait.ts';
import type { FaultContext } from './scenario.ts';

/** What a page shows during the fault. A page that needs the missing service is an error page, or says what is missing. */
export interface PageDuringFault {
  path: string;
  status: 200 | 503;
  text?: string;
}

const readEveryMs = 500;
/** A call that began before the cut may still succeed, and its page is complete. */
const graceMs = 2_000;
/** A killed consumer stays a member of its group for 30 s. */
const logBoundMs = 60_000;
const password = 'correct horse battery staple';
export const notAvailable = 'not available right now';
const emailOf = (workspaceId: string) => `${workspaceId}@faults.example`;

export type Reader = Pick<Visitor, 'get'>;

/** Signs an admin of a workspace up, as `npm run admin -- person invite` begins it. */
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

/** The pages show everything again within 15 s after the fault. The person is still signed in. */
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

/** The request log has requests from after the fault within a minute. */
export async function requireRequestLog({ customers, recordProblem }: FaultContext, visitor: Visitor): Promise<void> {
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

/** People sign in during the fault, and open their workspace. */
export async function requireSignIn({ system, recordProblem }: FaultContext, workspaceId: string): Promise<void> {
  const visitor = createVisitor(system.direct.dashboard.url);
  const response = await visitor.submit('/sign-in', { email: emailOf(workspaceId), password });
  const page = await visitor.get(`/workspaces/${workspaceId}`);
  if (response.status !== 302 || page.status !== 200)
    recordProblem(
      `a sign-in during the fault responded with ${response.status}, and its workspace with ${page.status}`,
    );
}
