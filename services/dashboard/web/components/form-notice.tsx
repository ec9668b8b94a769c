import { useEffect } from 'react';
import type { FailedForm } from '../failed-form.ts';
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
  return (
    <Notice kind="danger">
      <p>{problem.message}</p>
      {problem.status !== undefined && problem.status >= 500 && <FailureHelp of="form" requestId={problem.requestId} />}
    </Notice>
  );
}
