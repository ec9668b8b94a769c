import { createContext, type MiddlewareFunction, redirect } from 'react-router';
import type { SignedIn } from '../src/operations/sessions.ts';
import type { Membership } from '../src/operations/workspaces.ts';
import { contextOf, load } from './server.ts';

/** The person of the request. Set by {@link requireSession}. */
export const sessionContext = createContext<SignedIn>();
/** The workspace in the path and the person's role in it. Set by {@link requireMembership}. */
export const membershipContext = createContext<Membership>();

/** Sends people without a session to the sign-in page, and back afterwards. */
export const requireSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const session = await load(context, () => contextOf(context).application.sessions.current(request.headers));
  if (!session) {
    const { pathname, search } = new URL(request.url);
    const path = pathname.replace(/\.data$/, '') + search;
    throw redirect(path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`);
  }
  context.set(sessionContext, session);
  return next();
};

/** Responds 404 for every workspace that the person is no member of. */
export const requireMembership: MiddlewareFunction<Response> = async ({ params, context }, next) => {
  const { userId } = context.get(sessionContext);
  const { workspaces } = contextOf(context).application;
  context.set(membershipContext, await load(context, () => workspaces.open(userId, params.workspaceId ?? '')));
  return next();
};
