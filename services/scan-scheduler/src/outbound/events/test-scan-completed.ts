import type { TestScanCompleted } from '@shopscope/proto';
import type { CompletedScan } from '../../domain/simulated-scan.ts';

/** Creates the event about a simulated scan that has found its store. */
export function testScanCompletedOf({
  id,
  workspaceId,
  domain,
  sequence,
  completedAt,
}: CompletedScan): TestScanCompleted {
  return { scanId: id, workspaceId, domain, sequence, completedAtMs: completedAt.getTime() };
}
