import { type MiddlewareFunction, redirect } from 'react-router';
import { tenantOfSegment } from '../domain/workspace-segment.ts';
import { contextOf, environmentContext, load, membershipContext, sessionContext } from './server.ts';

/** Sends people without a session to the sign-in page, from which they return. Extends the session's cookie when it is due. */
export const requireSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { path } = contextOf(context);
  const found = await load(context, ({ sessions }) => sessions.open(request.headers));
  if (!found) {
    throw redirect(path === '/workspaces' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`);
  }
  context.set(sessionContext, found.session);
  const response = await next();
  // If an action has set a session cookie, that cookie is newer.
  if (response.headers.getSetCookie().length === 0) {
    for (const cookie of found.cookies) response.headers.append('Set-Cookie', cookie);
  }
  return response;
};

/** Reads workspace and environment from the path. Responds 404 if the person is not a member of the workspace. */
export const requireMembership: MiddlewareFunction<Response> = async ({ params, context }, next) => {
  const { userId } = context.get(sessionContext);
  const { workspaceId, environment } = tenantOfSegment(params.workspaceId ?? '');
  contextOf(context).onEnvironment(environment);
  context.set(membershipContext, await load(context, ({ workspaces }) => workspaces.open(userId, workspaceId)));
  context.set(environmentContext, environment);
  return next();
};
