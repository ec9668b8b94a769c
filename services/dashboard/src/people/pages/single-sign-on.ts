import { redirect } from 'react-router';
import { contextOf, cookieHeaders, load, nextOf } from '../../app/pages/server.ts';
import type { Route } from './+types/single-sign-on';

/** Redirects to the issuer. Another site cannot start a sign-in. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { singleSignOn } = contextOf(context).application;
  const query = new URL(request.url).searchParams;
  if (!singleSignOn || request.headers.get('sec-fetch-site') === 'cross-site') throw redirect('/sign-in');
  const next = nextOf(request);
  const again = query.get('again') === '1';
  const { url, cookies } = await load(context, () => singleSignOn.start(next, request.headers, { again }));
  throw redirect(url, { headers: cookieHeaders(cookies) });
}
