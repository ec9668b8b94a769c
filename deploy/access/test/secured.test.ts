import { afterAll, beforeAll, describe } from 'vitest';
import { describeKafkaMatrix } from './kafka-matrix.ts';
import { canRunSecured, type Secured, startSecured } from './secured.ts';

/** One start of the servers for everything that needs them. */
describe.skipIf(!canRunSecured())('with TLS and credentials everywhere', { timeout: 180_000 }, () => {
  let started: Secured;
  const secured = () => started;
  beforeAll(async () => {
    started = await startSecured();
  }, 300_000);
  afterAll(() => started?.stop(), 60_000);

  describeKafkaMatrix(secured);
});
