import { describe, expect, it } from 'vitest';
import { createCleanupStack } from './index.ts';

describe('resources', () => {
  it('resources stop in the reverse order of their creation', async () => {
    const order: string[] = [];
    const resources = createCleanupStack({ timeoutMs: 1_000, onError: () => {} });
    for (const name of ['database', 'consumer', 'server']) resources.onStop(name, () => order.push(name));
    await resources.stop();
    expect(order).toEqual(['server', 'consumer', 'database']);
  });

  it('resources stop once, and all of them stop when one fails or hangs', async () => {
    const stopped: string[] = [];
    const failed: string[] = [];
    const resources = createCleanupStack({ timeoutMs: 5, onError: (name) => failed.push(name) });
    resources.onStop('first', () => stopped.push('first'));
    resources.onStop('hangs', () => new Promise(() => {}));
    resources.onStop('throws', () => {
      throw new Error('no');
    });
    await Promise.all([resources.stop(), resources.stop()]);
    expect(stopped).toEqual(['first']);
    expect(failed).toEqual(['throws', 'hangs']);
  });
});
