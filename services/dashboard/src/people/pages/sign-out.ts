import { redirect } from 'react-router';
import { act, cookieHeaders } from '../../app/pages/server.ts';
import type { Route } from './+types/sign-out';

export const loader = () => redirect('/');

export async function action({ request, context }: Route.ActionArgs) {
  const cookies = await act(context, ({ sessions }) => sessions.signOut(request.headers));
  return redirect('/sign-in', { headers: cookieHeaders(cookies) });
}
