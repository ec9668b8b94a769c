import { afterAll, beforeAll, describe } from 'vitest';
import { describeConnections } from './connections.ts';
import { describeMongodbMatrix, describeRedisLimits } from './data-matrix.ts';
import { describeKafkaMatrix } from './kafka-matrix.ts';
import { describeSecrets } from './secrets.ts';
import { canRunSecured, type Secured, startSecured } from './secured.ts';
import { describeWholeStory } from './whole-story.ts';

/** The servers start once for all tests of this file. */
describe.skipIf(!canRunSecured())('with TLS and credentials everywhere', { timeout: 180_000 }, () => {
  let started: Secured;
  const secured = () => started;
  beforeAll(async () => {
    started = await startSecured();
  }, 300_000);
  afterAll(() => started?.stop(), 60_000);

  // These two are concurrent, so they run at the same time.
  describeKafkaMatrix(secured);
  describeSecrets(secured);
  describeMongodbMatrix(secured);
  describeRedisLimits(secured);
  describeConnections(secured);
  describeWholeStory(secured);
});
