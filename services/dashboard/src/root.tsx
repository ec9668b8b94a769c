import { CSPProvider } from '@base-ui/react/csp-provider';
import { useEffect } from 'react';
import {
  data,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRevalidator,
  useRouteLoaderData,
} from 'react-router';
import type { Route } from './+types/root';
import { ErrorPage } from './app/components/failure.tsx';
import { LoadingBar } from './app/components/loading-bar.tsx';
import { OfflineNotice } from './app/components/offline-notice.tsx';
import { TimeProvider } from './app/components/time.tsx';
import stylesheet from './app/pages/app.css?url';
import icon from './app/pages/icon.svg?url';
import { failureMeta, failureOf } from './app/pages/page-failure.ts';
import { readPreferences, rememberTimeZone } from './app/pages/preferences.ts';
import publicScript from './app/pages/public.js?url';
import { contextOf } from './app/pages/server.ts';

export const links: Route.LinksFunction = () => [
  { rel: 'icon', type: 'image/svg+xml', href: icon },
  { rel: 'stylesheet', href: stylesheet },
];

/** If a limit refused the request, no loader and no action runs. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const { refusal } = contextOf(context);
    if (refusal) throw data({ ...refusal, isRefused: true }, { status: refusal.status });
  },
];

/** The title of layouts without their own title. It is therefore also the title of failures. */
export const meta: Route.MetaFunction = ({ error }) => (error ? failureMeta(error) : [{ title: 'Shopscope' }]);

export function loader({ request, context }: Route.LoaderArgs) {
  const { nonce, origin, application } = contextOf(context);
  return {
    /** Undefined on a public page, because such a page is the same for everybody and is not hydrated. */
    nonce,
    requestId: origin.requestId,
    nowMs: application.usage.nowMs(),
    preferences: readPreferences(request.headers.get('cookie')),
  };
}

export function Layout({ children }: { children: React.ReactNode }) {
  const loaded = useRouteLoaderData<typeof loader>('root');
  const nonce = typeof document === 'undefined' ? loaded?.nonce : nonceOfDocument();
  const isPublic = loaded !== undefined && loaded.nonce === undefined;
  return (
    <html lang="en" data-theme={loaded?.preferences.theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {!isPublic && <meta property="csp-nonce" nonce={nonce} />}
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links nonce={nonce} />
        {isPublic && <script src={publicScript} />}
      </head>
      <body>
        {children}
        {!isPublic && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

/** The browser hides the nonce attribute. The nonce property keeps the value of the first document. */
function nonceOfDocument(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
}

export default function App({ loaderData: { preferences, nonce, nowMs } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (rememberTimeZone(preferences.timeZone)) revalidate();
  }, [preferences.timeZone, revalidate]);
  return (
    <CSPProvider nonce={nonce}>
      <TimeProvider nowMs={nowMs} timeZone={preferences.timeZone}>
        <LoadingBar />
        <Outlet />
        {nonce !== undefined && <OfflineNotice />}
      </TimeProvider>
    </CSPProvider>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const loaded = useRouteLoaderData<typeof loader>('root');
  return <ErrorPage problem={failureOf(error)} requestId={loaded?.requestId} />;
}
