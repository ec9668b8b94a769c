import type { Subscription } from '@shopscope/kafka';
import { type ScanRequested, scanRequested } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { requestScans } from '../../operations/request-scans.ts';
import { decodeUnit } from '../grpc/encode.ts';

export const scanRequestedSubscription = (deps: Dependencies): Subscription<ScanRequested> => ({
  type: scanRequested.live,
  handle: (events) =>
    requestScans(
      deps,
      events.map(({ event, meta: origin }) => ({ request: { ...event, unit: decodeUnit(event.unit) }, origin })),
    ),
});
