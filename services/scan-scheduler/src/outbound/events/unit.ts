import { ScanUnit } from '@shopscope/proto';
import type { Job } from '../../domain/job.ts';

const units = { lookup_live: ScanUnit.LOOKUP_LIVE, refresh_requested: ScanUnit.REFRESH_REQUESTED };

export const encodeUnit = (unit: Job['unit']): ScanUnit => units[unit];
