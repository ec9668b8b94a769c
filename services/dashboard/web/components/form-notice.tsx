import { useEffect } from 'react';
import type { Problem } from '../../src/inbound/http/problem.ts';
import { FailureHelp } from './failure-help.tsx';
import { Notice } from './notice.tsx';

/** The failure of a form, in the words of the API. */
type FormProblem = Pick<Problem, 'message' | 'field'> & Partial<Problem>;

/** A form that was sent and failed: what is wrong, and what the person typed, except secrets. */
export interface FailedForm {
  problem: FormProblem;
  values: Record<string, string>;
}

/**
 * The failure of a form that concerns no single field. Moves the focus to the first wrong field. `fields` are the fields
 * that show their failures themselves; by default every field does.
 */
export function FormNotice({
  problem,
  fields,
}: {
  problem: FormProblem | undefined;
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
