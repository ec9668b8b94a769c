import { useEffect } from 'react';
import type { Problem } from '../../src/inbound/http/problem.ts';
import { Notice } from './notice.tsx';

type Shown = Pick<Problem, 'message' | 'field'> & Partial<Pick<Problem, 'status' | 'requestId'>>;

/** The text of a problem at a field of the form. */
export const problemAt = (problem: Shown | undefined, field: string): string | undefined =>
  problem?.field === field ? problem.message : undefined;

/**
 * Shows why the form was not accepted, unless one of its fields shows it. Moves the focus to the first wrong field.
 * `fields` are the fields of the form that show their problems.
 */
export function FormProblem({ problem, fields }: { problem: Shown | undefined; fields: readonly string[] }) {
  useEffect(() => {
    if (problem) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  if (!problem || (problem.field !== undefined && fields.includes(problem.field))) return null;
  return (
    <Notice kind="danger">
      <p>{problem.message}</p>
      {(problem.status ?? 0) >= 500 && problem.requestId && (
        <p className="text-sm text-quiet">
          Try again in a few seconds. Request id: <span className="code">{problem.requestId}</span>
        </p>
      )}
    </Notice>
  );
}
