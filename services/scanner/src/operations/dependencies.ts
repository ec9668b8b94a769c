import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import type { ScannerMetrics } from '../metrics.ts';
import type { ObservationPublisher } from '../outbound/events/observations.ts';
import type { Examiner } from '../outbound/examiner/examiner.ts';
import type { Visitor } from '../outbound/web/visitor.ts';
import type { VisitBounds } from './visit-store.ts';
import type { EgressWatch } from './watch-egress.ts';

/** The dependencies of the operations. service.ts creates them once. */
export interface Dependencies {
  clock: Clock;
  logger: Logger;
  metrics: ScannerMetrics;
  visitor: Visitor;
  examiner: Pick<Examiner, 'forScan'>;
  bounds: VisitBounds & { scanMs: number };
  /** The product token (RFC 9309) of this robot. */
  product: string;
  observations: Pick<ObservationPublisher, 'publish'>;
  egress: Pick<EgressWatch, 'ensureWorks'>;
}
