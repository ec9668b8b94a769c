import { Form, useLocation, useRouteError } from 'react-router';
import { failureText, failureTitle } from '../domain/failure-title.ts';
import { failureOf, type PageFailure, type SentAgain } from '../pages/page-failure.ts';
import { Button, ButtonLink } from './button.tsx';
import { Notice, Page } from './page.tsx';

/**
 * Explains the effect of a failure on the server, and the next step, and shows the request id.
 *
 * - `page`: loaders only read, so nothing was changed.
 * - `form`: the change may have been stored before the failure.
 * - `unanswered`: the form called the API once and must not be sent again.
 * - `unknown`: either is possible, for example after a lost connection.
 */
export function FailureHelp({ of, requestId }: { of: keyof typeof texts; requestId: string | undefined }) {
  return (
    <p className="text-sm text-quiet">
      {texts[of]}
      {requestId && (
        <>
          {' '}
          Request id: <span className="code">{requestId}</span>
        </>
      )}
    </p>
  );
}

const texts = {
  page: 'Opening this page changed nothing. Try again in a few seconds. If it fails again, send Shopscope support the request id.',
  form: 'Your last change may or may not have been saved. Send the form again, or open the page anew to see.',
  unanswered: 'Look there before you send another request.',
  unknown: 'If you were saving a change, it may or may not have been saved. Reload the page to see, then try again.',
};

/** The error boundary of a page in the shell. The navigation stays. */
export function PageProblem() {
  const problem = failureOf(useRouteError());
  const { status, sent } = problem;
  if (sent) return <SentFormProblem title={failureTitle(status)} sent={sent} />;
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

/**
 * A form failed, and its page cannot be read. The same form, with its token, can be sent again, unless the API has not answered a call
 * that must not be repeated. It is sent without script, because the
 * router would load the page in a request of its own and lose the form.
 */
function SentFormProblem({ title, sent: { problem, entries } }: { title: string; sent: SentAgain }) {
  const { pathname, search } = useLocation();
  const isFault = problem.status !== undefined && problem.status >= 500 && !problem.isUnanswered;
  return (
    <Page title={title}>
      <Notice kind="danger">
        <p>{problem.message}</p>
        <p className="text-sm text-quiet">
          Request id: <span className="code">{problem.requestId}</span>
        </p>
      </Notice>
      {isFault && entries && (
        <Form method="post" action={pathname + search} reloadDocument>
          {entries.map(([name, value], index) => (
            <input key={`${index} ${name}`} type="hidden" name={name} value={value} />
          ))}
          <Button kind="primary">Send the form again</Button>
        </Form>
      )}
    </Page>
  );
}

/** The page for a failure: what happened, its effect, the next step, and the request id. */
export function ErrorPage({ problem, requestId }: { problem: PageFailure; requestId: string | undefined }) {
  const { status, retryAfterSeconds, rightAddress } = problem;
  const { pathname, search } = useLocation();
  const message = problem.message ?? failureText(status);
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-4 px-4 py-16">
      <p className="text-sm text-quiet">Error {status}</p>
      <h1 className="text-2xl text-balance">{failureTitle(status)}</h1>
      <p className="text-pretty">{message}</p>
      {status >= 500 && !problem.isRefused && (
        <FailureHelp of={problem.isReading ? 'page' : 'unknown'} requestId={problem.requestId ?? requestId} />
      )}
      {problem.isRefused && (
        <p className="text-sm text-quiet">
          Request id: <span className="code">{problem.requestId}</span>
        </p>
      )}
      <p>
        {rightAddress !== undefined ? (
          <a href={rightAddress} className="link [overflow-wrap:anywhere]">
            {rightAddress}
          </a>
        ) : retryAfterSeconds === undefined ? (
          <ButtonLink to="/" kind="primary" reloadDocument>
            Go to the start page
          </ButtonLink>
        ) : (
          <ButtonLink to={pathname + search} kind="primary" reloadDocument>
            Open the page again
          </ButtonLink>
        )}
      </p>
    </main>
  );
}
