import { MarkIndex } from '../profile/mark-index.ts';
import type { WallMarks } from './wall-marks.ts';

/**
 * The expressions of several walls for a text of one kind, behind one literal scan. A text of a usual page has none of their literals.
 *
 * - Compiled when a text is first asked for.
 */
export class WallTexts {
  private readonly walls: readonly WallMarks[];
  private readonly kinds: readonly ('titles' | 'heads' | 'texts')[];
  private index: MarkIndex<{ form: RegExp; marks: WallMarks }> | undefined;

  constructor(walls: readonly WallMarks[], ...kinds: ('titles' | 'heads' | 'texts')[]) {
    this.walls = walls;
    this.kinds = kinds;
  }

  /** The walls of which an expression matches `text`. */
  matching(text: string): ReadonlySet<WallMarks> {
    if (text === '') return new Set();
    this.index ??= new MarkIndex(
      this.walls.flatMap((marks) =>
        this.kinds
          .flatMap((kind) => marks.wall[kind] ?? [])
          .map((source) => ({ form: new RegExp(source, 'iu'), marks })),
      ),
    );
    return new Set(this.index.matching(text).map(({ marks }) => marks));
  }
}
