import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { recordAuditEntry } from '../../operations/record-audit-entry.ts';
import { encodeAuditEntry } from './encode.ts';

export const recordAuditEntryHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['recordAuditEntry'] =>
  async (request, context) => ({ entry: encodeAuditEntry(await recordAuditEntry(deps, request, context)) });
