import type { ExaminationInput, ExaminationKind, ExaminationResult } from '../domain/examination.ts';

/**
 * Examines something that the site of a scan sent.
 *
 * - It takes too long or too much memory -> throws NotExaminableError.
 * - The scan is aborted -> throws the reason of the abort.
 */
export type Examine = <K extends ExaminationKind>(kind: K, input: ExaminationInput<K>) => Promise<ExaminationResult<K>>;
