import { AppError } from '@shopscope/errors';
import { createGrpcServer, type Handlers } from '@shopscope/grpc';
import { type PageFailures, ScanSchedulerServiceService } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';

type Scheduler = Handlers<typeof ScanSchedulerServiceService>;

/** A fake scan-scheduler that knows how the latest scans of these domains ended. Other calls fail. */
export async function startScanTargets(rows: Readonly<Record<string, PageFailures>>) {
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry('stub') });
  const absent = async () => {
    throw new AppError('internal', 'not in this test');
  };
  const methods = Object.keys(ScanSchedulerServiceService) as (keyof Scheduler)[];
  const handlers = Object.fromEntries(methods.map((method) => [method, absent])) as unknown as Scheduler;
  server.addService(ScanSchedulerServiceService, {
    ...handlers,
    getScanTarget: async ({ domain }) => ({ pageFailures: rows[domain] }),
  });
  const address = await server.listen();
  return { address, stop: () => server.stop() };
}
