import type { ExaminationKind } from '../../domain/examination.ts';

/** Messages between the scanner and its examiner process. At most one request is under way, so they need no number. */
export interface ExaminationRequest {
  kind: ExaminationKind;
  input: unknown;
}

export type ExaminerMessage =
  /** The rules are loaded. */
  { type: 'ready' } | { type: 'result'; result: unknown } | { type: 'failure'; error: unknown };
