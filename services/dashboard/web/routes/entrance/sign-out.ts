import { redirect } from 'react-router';
import { contextOf, cookieHeaders, load } from '../../server.ts';
import type { Route } from './+types/sign-out';

export const loader = () => redirect('/');

export async function action({ request, context }: Route.ActionArgs) {
  const cookies = await load(context, () => contextOf(context).application.sessions.signOut(request.headers));
  return redirect('/sign-in', { headers: cookieHeaders(cookies) });
}
