import type { Problem } from '../inbound/problem.ts';

/** The failure of a form, in the words of the API. */
type FormProblem = Pick<Problem, 'message' | 'field'> & Partial<Problem>;

/** A form that was sent and failed: what is wrong, and what the person typed, except secrets. */
export interface FailedForm {
  problem: FormProblem;
  values: Record<string, string>;
}
