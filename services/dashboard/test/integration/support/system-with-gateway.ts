import { afterAll, beforeAll } from 'vitest';
import { startGatewayOf, type TestGateway } from './gateway.ts';
import { startTestSystem, type TestSystem } from './system.ts';

/**
 * Starts a dashboard and a gateway before the tests of a file, and stops them afterwards. Each group of tests makes people and workspaces of
 * its own.
 */
export function systemWithGateway(options?: Parameters<typeof startGatewayOf>[1]) {
  let system: TestSystem;
  let gateway: TestGateway;
  beforeAll(async () => {
    system = await startTestSystem();
    gateway = await startGatewayOf(system, options);
  });
  afterAll(async () => {
    await gateway?.stop();
    await system?.stop();
  });
  return { system: () => system, gateway: () => gateway };
}
