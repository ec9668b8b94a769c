import { redirect } from 'react-router';
import type { Route } from './+types/theme';
import { themeCookie } from './preferences.ts';
import { act, contextOf, localPath } from './server.ts';

export const loader = () => redirect('/');

/** Stores the theme in a cookie of the browser. The action needs no session. */
export async function action({ request, context }: Route.ActionArgs) {
  return act(context, async () => {
    const form = await contextOf(context).readForm(request);
    const theme = form.text('theme');
    const next = localPath(form.text('next'), '/account');
    return redirect(next, {
      headers: { 'Set-Cookie': themeCookie(theme === 'light' || theme === 'dark' ? theme : undefined) },
    });
  });
}
