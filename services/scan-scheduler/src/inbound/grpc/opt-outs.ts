import type { Handlers } from '@shopscope/grpc';
import type { OptOut as OptOutMessage, ScanSchedulerServiceService } from '@shopscope/proto';
import type { OptOut } from '../../domain/opt-out.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

type OptOutHandlers = Pick<Handlers<typeof ScanSchedulerServiceService>, 'addOptOut' | 'removeOptOut' | 'listOptOuts'>;

export const optOutHandlers = ({ optOuts }: Pick<Dependencies, 'optOuts'>): OptOutHandlers => ({
  async addOptOut(request, context) {
    const { optOut, created } = await optOuts.add(request, context);
    return { optOut: encodeOptOut(optOut), created };
  },
  async removeOptOut(request, context) {
    return { optOut: encodeOptOut(await optOuts.remove(request, context)) };
  },
  async listOptOuts(request, context) {
    return { optOuts: (await optOuts.list(request, context)).map(encodeOptOut) };
  },
});

const encodeOptOut = ({ createdAt, removedAt, ...rest }: OptOut): OptOutMessage => ({
  ...rest,
  createdAtMs: createdAt.getTime(),
  removedAtMs: removedAt?.getTime(),
});
