import { createContext, type MiddlewareFunction, redirect } from 'react-router';
import type { Membership, SignedIn } from '../operations/visit.ts';
import { contextOf, load } from './server.ts';

/** The person of the request. Set by {@link requireSession}. */
export const sessionContext = createContext<SignedIn>();
/** The workspace in the path and the person's role in it. Set by {@link requireMembership}. */
export const membershipContext = createContext<Membership>();

/** Sends people without a session to the sign-in page, and back afterwards. Extends the session's cookie when it is due. */
export const requireSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { application, path } = contextOf(context);
  const found = await load(context, () => application.sessions.open(request.headers));
  if (!found) {
    throw redirect(path === '/workspaces' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`);
  }
  context.set(sessionContext, found.session);
  const response = await next();
  // A session cookie that an action has set is newer.
  if (response.headers.getSetCookie().length === 0) {
    for (const cookie of found.cookies) response.headers.append('Set-Cookie', cookie);
  }
  return response;
};

/** Responds 404 for every workspace that the person is no member of. */
export const requireMembership: MiddlewareFunction<Response> = async ({ params, context }, next) => {
  const { userId } = context.get(sessionContext);
  const { workspaces } = contextOf(context).application;
  context.set(membershipContext, await load(context, () => workspaces.open(userId, params.workspaceId ?? '')));
  return next();
};
