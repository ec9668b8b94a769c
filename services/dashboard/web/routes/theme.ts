import { redirect } from 'react-router';
import { themeCookie } from '../preferences.ts';
import { field, localPath } from '../server.ts';
import type { Route } from './+types/theme';

export const loader = () => redirect('/');

/** Remembers the theme in this browser. Works without a session. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const theme = field(form, 'theme');
  const next = localPath(field(form, 'next'), '/account');
  return redirect(next, {
    headers: { 'Set-Cookie': themeCookie(theme === 'light' || theme === 'dark' ? theme : undefined) },
  });
}
