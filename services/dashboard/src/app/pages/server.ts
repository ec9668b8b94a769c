import { data, type RouterContextProvider, redirect } from 'react-router';
import type { Problem } from '../inbound/problem.ts';
import type { SentForm } from '../inbound/read-form.ts';
import type { WebRequest } from '../operations/visit.ts';
import { confirmationPath } from './confirmation-path.ts';
import type { FailedForm } from './failed-form.ts';
import type { PageFailure } from './page-failure.ts';
import { requestContext } from './request-context.ts';

/** Functions of loaders and actions. They run on the server only. */
export const contextOf = (context: Readonly<RouterContextProvider>) => context.get(requestContext);

/** The request as operations take it. */
export function webRequestOf(request: Request, context: Readonly<RouterContextProvider>): WebRequest {
  const { address, origin } = contextOf(context);
  return { headers: request.headers, address, origin };
}

/** Headers that set these cookies. `cookies` are Set-Cookie values. */
export const cookieHeaders = (cookies: readonly string[]): Headers =>
  new Headers(cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]));

/**
 * Runs the work of a loader. A failure becomes the error page with the status and the text of the problem.
 * The work needs a recent sign-in -> the person confirms at /confirm and comes back to this page.
 */
export async function load<T>(context: Readonly<RouterContextProvider>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failedPage(context, error, { isReading: true });
  }
}

/** Runs the work of an action that has no form of its own to show a failure in. Otherwise as {@link load}. */
export async function act<T>(context: Readonly<RouterContextProvider>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failedPage(context, error, { isReading: false });
  }
}

/** Runs a part of a page. When it fails, the rest of the page is shown, and this part says what is missing. */
export async function loadPart<T>(
  context: Readonly<RouterContextProvider>,
  work: Promise<T>,
): Promise<{ value: T; problem?: undefined } | { value?: undefined; problem: Problem }> {
  try {
    return { value: await work };
  } catch (error) {
    return { problem: contextOf(context).toProblem(error) };
  }
}

/**
 * Reads the form of an action and runs its work. A failure is returned to the form, with what the person typed except secrets.
 * The work needs a recent sign-in -> so is that, and the person confirms in another tab, so that nothing typed is lost.
 */
export async function submit<T>(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  work: (form: SentForm) => Promise<T>,
): Promise<T | ReturnType<typeof data<FailedForm>>> {
  let form: SentForm | undefined;
  try {
    form = await contextOf(context).readForm(request);
    return await work(form);
  } catch (error) {
    const problem = problemOf(context, error);
    return data({ problem, values: form?.typed() ?? {} }, { status: problem.status });
  }
}

/**
 * The path in `next` when it is a path of this dashboard, else `fallback`. Dot segments are resolved before the path is
 * checked: `/.//host` becomes `//host`, which browsers read as another site.
 */
export function localPath(next: string | null, fallback: string): string {
  if (!next?.startsWith('/') || /[\\\s]/.test(next)) return fallback;
  const base = 'http://dashboard.invalid';
  if (!URL.canParse(next, base)) return fallback;
  const url = new URL(next, base);
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : fallback;
}

/** The local path that the query parameter `next` names: where a sign-in or a confirmation leads. */
export const nextOf = (request: Request): string =>
  localPath(new URL(request.url).searchParams.get('next'), '/workspaces');

/** A file to download. */
export const fileResponse = (
  content: string | ReadableStream<Uint8Array>,
  { type, name }: { type: string; name: string },
): Response =>
  new Response(content, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });

/**
 * The parts as a body. A part is taken when the client has read the one before; a client that goes away ends the parts. A part fails ->
 * the failure is logged and the connection breaks, so that the client does not take the rest for the whole.
 */
export function streamOf(
  context: Readonly<RouterContextProvider>,
  parts: AsyncIterable<string>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  async function* encoded() {
    try {
      for await (const part of parts) yield encoder.encode(part);
    } catch (error) {
      contextOf(context).toProblem(error);
      throw error;
    }
  }
  const iterator = encoded();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

const isRouterControl = (thrown: unknown) =>
  thrown instanceof Response ||
  (typeof thrown === 'object' && thrown !== null && 'type' in thrown && thrown.type === 'DataWithResponseInit');

/** The problem of a failure. Throws on what the router throws itself. */
function problemOf(context: Readonly<RouterContextProvider>, error: unknown): Problem {
  if (isRouterControl(error)) throw error;
  return contextOf(context).toProblem(error);
}

/** What the error boundary of a page shows, or the way to a confirmation that the work needs. */
function failedPage(context: Readonly<RouterContextProvider>, error: unknown, { isReading }: { isReading: boolean }) {
  const problem: PageFailure & Problem = { ...problemOf(context, error), isReading };
  if (problem.needsConfirmation) return redirect(confirmationPath(contextOf(context).path));
  return data(problem, { status: problem.status });
}
