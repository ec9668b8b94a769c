import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { confirmationPath } from '../pages/confirmation-path.ts';
import type { FailedForm } from '../pages/failed-form.ts';
import { FailureHelp } from './failure-help.tsx';
import { Notice } from './notice.tsx';

/**
 * The failure of a form that concerns no single field. Moves the focus to the first wrong field. `fields` are the fields
 * that show their failures themselves; by default every field does.
 */
export function FormNotice({
  problem,
  fields,
}: {
  problem: FailedForm['problem'] | undefined;
  fields?: readonly string[] | undefined;
}) {
  useEffect(() => {
    if (problem) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  if (!problem || (problem.field && (!fields || fields.includes(problem.field)))) return null;
  if (problem.needsConfirmation) return <ConfirmationNotice />;
  return (
    <Notice kind="danger">
      <p>{problem.message}</p>
      {problem.status !== undefined && problem.status >= 500 && <FailureHelp of="form" requestId={problem.requestId} />}
    </Notice>
  );
}

/** A new tab, because the form keeps what was typed. */
function ConfirmationNotice() {
  const { pathname, search } = useLocation();
  return (
    <Notice kind="warning" title="Confirm that it is you">
      <p>
        This needs a sign-in of the last 15 minutes. Nothing was changed, and what you typed is kept.{' '}
        <a href={confirmationPath(pathname + search)} target="_blank" rel="noreferrer" className="link">
          Confirm in a new tab
        </a>
        , then send this form again.
      </p>
    </Notice>
  );
}
