import { useLocation } from 'react-router';
import { failureText, failureTitle } from '../domain/failure-title.ts';
import type { PageFailure } from '../pages/page-failure.ts';
import { ButtonLink } from './button.tsx';
import { FailureHelp } from './failure-help.tsx';

/** The page for a failure: what happened, what it left behind, what to do, and the request id. */
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
