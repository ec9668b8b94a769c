import { invalidField } from '@shopscope/errors';
import { ScanUnit } from '@shopscope/proto';
import type * as domain from '../domain/job.ts';

export function decodeUnit(unit: ScanUnit): domain.ScanUnit {
  if (unit === ScanUnit.LOOKUP_LIVE) return 'lookup_live';
  if (unit === ScanUnit.REFRESH_REQUESTED) return 'refresh_requested';
  throw invalidField('unit', 'must be what a scan bills');
}
