import { useRouteError } from 'react-router';
import { failureText, failureTitle } from '../domain/failure-title.ts';
import { failureOf } from '../pages/page-failure.ts';
import { FailureHelp } from './failure-help.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

/** The error boundary of a page in the shell: the navigation stays. */
export function PageProblem() {
  const problem = failureOf(useRouteError());
  const { status } = problem;
  const message =
    status === 403
      ? 'Admins of this workspace can open it. Ask one of them, or ask them to make you an admin.'
      : (problem.message ?? failureText(status));
  return (
    <Page title={failureTitle(status)}>
      <Notice kind={status >= 500 ? 'danger' : 'info'}>
        <p>{message}</p>
        {status >= 500 && <FailureHelp of={problem.isReading ? 'page' : 'unknown'} requestId={problem.requestId} />}
      </Notice>
    </Page>
  );
}
