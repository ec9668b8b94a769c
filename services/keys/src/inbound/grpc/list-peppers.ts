import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { listPeppers } from '../../operations/list-peppers.ts';
import { encodePepper } from './encode.ts';

export const listPeppersHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listPeppers'] =>
  async (_, context) => ({ peppers: (await listPeppers(deps, context)).map(encodePepper) });
