import type { ExaminationKind } from '../../domain/examination.ts';

/** Messages between the scanner and its examiner process. They need no number, because at most one request is in progress. */
export interface ExaminationRequest {
  kind: ExaminationKind;
  input: unknown;
}

export type ExaminerOutcome =
  /** The rules are loaded. */
  { type: 'ready' } | { type: 'result'; result: unknown } | { type: 'failure'; error: unknown };

/** `cpuMs` is the CPU time of the process since its start, in milliseconds. */
export type ExaminerMessage = ExaminerOutcome & { cpuMs: number };
