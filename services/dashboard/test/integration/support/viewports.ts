import type { Viewport } from '@shopscope/browser';
import { isNightly } from '@shopscope/testing';

/**
 * The viewports for each further page of a test. `.ci/nightly` looks at each page in all of them. By day each page has one, in turn, because
 * an analysis takes most of the time of such a test.
 */
export function viewportsInTurn(all: readonly Viewport[]): () => readonly Viewport[] {
  let pages = 0;
  return () => {
    if (isNightly) return all;
    const turn = pages++ % all.length;
    return all.slice(turn, turn + 1);
  };
}
