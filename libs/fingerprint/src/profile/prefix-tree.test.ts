import { describe, expect, it } from 'vitest';
import { PrefixTree } from './prefix-tree.ts';

/** The numbers of the texts that start at `at`. */
function found(tree: PrefixTree, text: string, at: number): number[] {
  const numbers: number[] = [];
  for (let node = 0, end = at; end < text.length; ) {
    node = tree.step(node, text.charCodeAt(end++));
    if (node === 0) break;
    if (tree.endAt(node) !== -1) numbers.push(tree.endAt(node));
  }
  return numbers;
}

describe('tree of prefixes', () => {
  it('the tree of prefixes finds all texts that start at a place, and no others', () => {
    const tree = new PrefixTree(['tea', 'tea towel', 'team', 'чай', '茶']);
    expect(found(tree, 'a tea towel', 2)).toEqual([0, 1]);
    expect(found(tree, 'a tea towel', 3)).toEqual([]);
    expect(found(tree, 'teams', 0)).toEqual([0, 2]);
    expect(found(tree, 'чайник', 0)).toEqual([3]);
    expect(found(tree, '緑茶', 1)).toEqual([4]);
  });

  it('the tree of prefixes is empty without texts', () => {
    expect(found(new PrefixTree([]), 'tea', 0)).toEqual([]);
  });

  it('the tree of prefixes finds each of many texts', () => {
    const texts = Array.from({ length: 5000 }, (_, at) => `w${at.toString(36)}e`);
    const tree = new PrefixTree(texts);
    expect(texts.every((text, at) => found(tree, text, 0).at(-1) === at)).toBe(true);
  });
});
