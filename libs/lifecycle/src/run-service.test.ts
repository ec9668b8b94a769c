import { describe, expect, it } from 'vitest';
import { nodeVersionProblem } from './run-service.ts';

describe('version of Node', () => {
  it.each(['20.20.2', '22.0.0', '23.11.1'])(
    'Node %s is refused with a message that names the required version',
    (version) => {
      expect(nodeVersionProblem(version)).toMatch(new RegExp(`^needs Node 24 or newer and runs on ${version};`));
    },
  );

  it.each(['24.0.0', '24.21.0', '26.1.0', process.versions.node])('Node %s is accepted', (version) => {
    expect(nodeVersionProblem(version)).toBeUndefined();
  });
});
