import { ScanUnit } from '@shopscope/proto';
import type * as domain from '../domain/job.ts';

/** Callers of earlier versions name no unit and bill lookup_live. */
export const decodeUnit = (unit: ScanUnit | undefined): domain.ScanUnit =>
  unit === ScanUnit.REFRESH_REQUESTED ? 'refresh_requested' : 'lookup_live';
