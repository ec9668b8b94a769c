import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { verifyKey } from '../../operations/verify-key.ts';
import { encodeKey, encodePlan, encodeState, encodeWorkspace } from './encode.ts';

export const verifyKeyHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['verifyKey'] =>
  async (request, context) => {
    const verified = await verifyKey(deps, request.keyDigest, context);
    const status = encodeState(verified.state);
    if (verified.state !== 'active') return { status, key: undefined, workspace: undefined, plan: undefined };
    return {
      status,
      key: encodeKey(verified.key, verified.atMs),
      workspace: encodeWorkspace(verified.workspace),
      plan: encodePlan(verified.plan),
    };
  };
