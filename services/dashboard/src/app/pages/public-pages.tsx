import { PublicPage } from '../components/public-page.tsx';
import { failureTitle } from '../domain/failure-title.ts';
import type { Route } from './+types/public-pages';
import { failureOf } from './page-failure.ts';

/** Shows a failure in the frame of the site, so that its navigation stays. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { status } = failureOf(error);
  return (
    <PublicPage title={failureTitle(status)}>
      <p>{status === 404 ? 'The address may be mistyped, or the page was removed.' : 'Open it again in a moment.'}</p>
    </PublicPage>
  );
}
