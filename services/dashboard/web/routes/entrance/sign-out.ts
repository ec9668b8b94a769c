import { redirect } from 'react-router';
import { contextOf, load } from '../../server.ts';
import type { Route } from './+types/sign-out';

export const loader = () => redirect('/');

export async function action({ request, context }: Route.ActionArgs) {
  const cookies = await load(context, () => contextOf(context).application.sessions.signOut(request.headers));
  const headers = new Headers(cookies.map((cookie) => ['Set-Cookie', cookie] as [string, string]));
  return redirect('/sign-in', { headers });
}
