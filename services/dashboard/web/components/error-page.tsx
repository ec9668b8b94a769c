import { ButtonLink } from './button.tsx';

interface Shown {
  status: number;
  code?: string;
  message?: string;
  requestId?: string;
}

const titles: Record<number, string> = {
  403: 'You cannot open this page',
  404: 'There is no such page',
  503: 'This page is not available right now',
};

/** The page for a failure: what happened, what was not done, what to do, and the request id. */
export function ErrorPage({ problem, requestId }: { problem: Shown | undefined; requestId: string | undefined }) {
  const status = problem?.status ?? 500;
  const message =
    problem?.message ??
    (status === 404
      ? 'The address may be mistyped, or the page was removed.'
      : 'The page failed. Nothing was changed.');
  const id = problem?.requestId ?? requestId;
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-4 px-4 py-16">
      <p className="text-sm text-quiet">Error {status}</p>
      <h1 className="text-2xl">{titles[status] ?? 'Something failed'}</h1>
      <p>{message}</p>
      {status >= 500 && (
        <p className="text-quiet">
          Nothing was changed. Try again in a few seconds; if it fails again, tell support the request id
          {id && <span className="code"> {id}</span>}.
        </p>
      )}
      <p>
        <ButtonLink to="/" kind="primary">
          Go to the overview
        </ButtonLink>
      </p>
    </main>
  );
}
