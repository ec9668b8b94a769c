import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getBalances } from '../../operations/get-balances.ts';
import { identifier } from '../decode.ts';
import { encodeBalance } from './encode.ts';

const maxBatchSize = 100;

export const getBalanceHandler =
  (deps: Dependencies): Handlers<typeof MeteringServiceService>['getBalance'] =>
  async ({ workspaceIds }, context) => {
    if (workspaceIds.length > maxBatchSize) throw invalidField('workspace_ids', `at most ${maxBatchSize}`);
    const ids = workspaceIds.map((id) => identifier('workspace_ids', id));
    const balances = await getBalances(deps, ids, context);
    return { balances: balances.map(encodeBalance) };
  };
