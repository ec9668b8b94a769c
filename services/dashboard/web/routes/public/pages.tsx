import { isRouteErrorResponse, Outlet } from 'react-router';
import { PublicPage } from '../../components/public/public-page.tsx';
import type { Route } from './+types/pages';

export default function PublicPages() {
  return <Outlet />;
}

/** A failure in the frame of the site, so that its navigation stays. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <PublicPage title={isMissing ? 'There is no such page' : 'This page is not available right now'}>
      <p>{isMissing ? 'The address may be mistyped, or the page was removed.' : 'Open it again in a moment.'}</p>
    </PublicPage>
  );
}
