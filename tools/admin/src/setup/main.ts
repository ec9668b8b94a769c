import { createGrpcClient, operatorSecurity } from '@shopscope/grpc';
import { KeysServiceService, ScanSchedulerServiceService } from '@shopscope/proto';
import { loadConfig } from './config.ts';
import { setUp } from './set-up.ts';

/** Prepares a new installation and exits: the `setup` container of deploy/compose runs it. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const security = operatorSecurity(process.env);
  const keys = createGrpcClient({
    definition: KeysServiceService,
    address: config.KEYS_ADDRESS,
    security: security.towards('keys'),
  });
  const scheduler = createGrpcClient({
    definition: ScanSchedulerServiceService,
    address: config.SCAN_SCHEDULER_ADDRESS,
    security: security.towards('scan-scheduler'),
  });
  try {
    await setUp({ config, keys, scheduler, nowMs: Date.now, say: (line) => process.stdout.write(`${line}\n`) });
  } finally {
    keys.close();
    scheduler.close();
    security.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`setup: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
