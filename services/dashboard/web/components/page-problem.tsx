import { isRouteErrorResponse, useRouteError } from 'react-router';
import { pageFailureOf } from '../page-failure.ts';
import { FailureHelp } from './failure-help.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

const titles: Record<number, string> = {
  403: 'This page is for admins',
  404: 'There is no such page',
};

/** The error boundary of a page in the shell: the navigation stays. */
export function PageProblem() {
  const error = useRouteError();
  const problem = isRouteErrorResponse(error) ? pageFailureOf(error) : undefined;
  const status = problem?.status ?? 500;
  const message =
    status === 403
      ? 'Admins of this workspace can open it. Ask one of them, or ask them to make you an admin.'
      : (problem?.message ?? 'The page failed.');
  return (
    <Page title={titles[status] ?? 'This page is not available right now'}>
      <Notice kind={status >= 500 ? 'danger' : 'info'}>
        <p>{message}</p>
        {status >= 500 && <FailureHelp of={problem?.isReading ? 'page' : 'unknown'} requestId={problem?.requestId} />}
      </Notice>
    </Page>
  );
}
