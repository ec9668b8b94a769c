import type { Environment } from '@shopscope/environment';
import { createContext, data, type RouterContextProvider, redirect } from 'react-router';
import type { Problem } from '../inbound/problem.ts';
import type { SentForm } from '../inbound/read-form.ts';
import type { Membership, SignedIn, WebRequest, WorkspaceVisit } from '../operations/visit.ts';
import type { Application } from '../wiring/application.ts';
import { confirmationPath, type FailedForm, type PageFailure, type SentAgain } from './page-failure.ts';
import { requestContext } from './request-context.ts';

/** Functions for loaders and actions. They run on the server only. */

export type PageContext = Readonly<RouterContextProvider>;

export const contextOf = (context: PageContext) => context.get(requestContext);

/** The signed-in person of the request. Set by `requireSession`. */
export const sessionContext = createContext<SignedIn>();
/** The workspace in the path and the person's role in it. Set by `requireMembership`. */
export const membershipContext = createContext<Membership>();
/** The environment in the path. Set by `requireMembership`. */
export const environmentContext = createContext<Environment>();
/** The failed form of the request. Set by `submit`. Without script, the loaders of the page run after it. */
const sentContext = createContext<SentAgain | null>(null);

/** The request in the form that operations take. */
export function webRequestOf(request: Request, context: PageContext): WebRequest {
  const { address, origin } = contextOf(context);
  return { headers: request.headers, address, origin };
}

/** The request to a page of a workspace, in the form that operations take. */
export function workspaceVisit(context: PageContext): WorkspaceVisit {
  const { address, origin } = contextOf(context);
  const environment = context.get(environmentContext);
  return {
    person: context.get(sessionContext),
    membership: context.get(membershipContext),
    address,
    origin: { ...origin, environment },
  };
}

/** Headers that set these cookies. `cookies` are Set-Cookie values. */
export const cookieHeaders = (cookies: readonly string[]): Headers =>
  new Headers(cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]));

/**
 * Runs the work of a loader. A failure becomes the error page with the status and the text of the problem. If the work needs a recent
 * sign-in, the person confirms at /confirm and returns to this page. After a failed form, the error page sends that form again.
 */
export const load = <T>(context: PageContext, work: (application: Application) => Promise<T>): Promise<T> =>
  orFailedPage(context, work, { isReading: true });

/** Runs the work of an action that has no form of its own in which to show a failure. Otherwise it works as {@link load}. */
export const act = <T>(context: PageContext, work: (application: Application) => Promise<T>): Promise<T> =>
  orFailedPage(context, work, { isReading: false });

/** Runs the work of a part of a page. If it fails, the rest of the page is shown, and this part shows that its data is missing. */
export async function loadPart<T>(
  context: PageContext,
  work: Promise<T>,
): Promise<{ value: T; problem?: undefined } | { value?: undefined; problem: Problem }> {
  try {
    return { value: await work };
  } catch (error) {
    return { problem: contextOf(context).toProblem(error) };
  }
}

/**
 * Reads the form of an action and runs its work. A failure is returned to the form, with what the person typed except secrets. This
 * includes the need of a recent sign-in: the person confirms in another tab and loses nothing that was typed.
 */
export async function submit<T>(
  { request, context }: { request: Request; context: PageContext },
  work: (form: SentForm, application: Application, webRequest: WebRequest) => Promise<T>,
): Promise<T | ReturnType<typeof data<FailedForm>>> {
  const { application, readForm } = contextOf(context);
  let form: SentForm | undefined;
  try {
    form = await readForm(request);
    return await work(form, application, webRequestOf(request, context));
  } catch (error) {
    const problem = problemOf(context, error);
    context.set(sentContext, { problem, entries: form?.entries() });
    return data({ problem, values: form?.typed() ?? {} }, { status: problem.status });
  }
}

/**
 * Returns `next` if it is a path of this dashboard, otherwise `fallback`. Dot segments are resolved before the check: `/.//host` becomes
 * `//host`, which browsers read as another site.
 */
export function localPath(next: string | null, fallback: string): string {
  if (!next?.startsWith('/') || /[\\\s]/.test(next)) return fallback;
  const base = 'http://dashboard.invalid';
  if (!URL.canParse(next, base)) return fallback;
  const url = new URL(next, base);
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : fallback;
}

/** The local path in the query parameter `next`. A sign-in or a confirmation leads to it. */
export const nextOf = (request: Request): string =>
  localPath(new URL(request.url).searchParams.get('next'), '/workspaces');

/** Returns the value. Throws 404 if it is undefined. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw data({}, { status: 404 });
  return value;
}

/** A redirect to a page of the person's first workspace. */
export async function toFirstWorkspace(context: PageContext, page: string): Promise<Response> {
  const { userId } = context.get(sessionContext);
  const [first] = await load(context, ({ workspaces }) => workspaces.list(userId));
  return redirect(first ? `/workspaces/${first.workspaceId}${page}` : '/workspaces');
}

const isRouterControl = (thrown: unknown) =>
  thrown instanceof Response ||
  (typeof thrown === 'object' && thrown !== null && 'type' in thrown && thrown.type === 'DataWithResponseInit');

/** The problem of a failure. Rethrows errors of the router itself. */
function problemOf(context: PageContext, error: unknown): Problem {
  if (isRouterControl(error)) throw error;
  return contextOf(context).toProblem(error);
}

/** Runs the work. A failure becomes the error page, or a redirect to the confirmation that the work needs. */
async function orFailedPage<T>(
  context: PageContext,
  work: (application: Application) => Promise<T>,
  { isReading }: { isReading: boolean },
): Promise<T> {
  const { application, path } = contextOf(context);
  try {
    return await work(application);
  } catch (error) {
    const problem: PageFailure & Problem = { ...problemOf(context, error), isReading, sent: context.get(sentContext) };
    if (problem.needsConfirmation) throw redirect(confirmationPath(path));
    throw data(problem, { status: problem.status });
  }
}
