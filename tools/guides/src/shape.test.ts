import { expect, test } from 'vitest';
import { differences } from './shape.ts';

test.each<[string, unknown, unknown, string[]]>([
  ['values that vary may differ', { id: 'job_1', at: 'x' }, { id: 'job_2', at: 'y' }, []],
  ['another type is found', { id: 'job_1' }, { id: 1 }, ['$.id is number, shown as string']],
  ['a figure is not known', { stores: 310 }, { stores: null }, []],
  ['another value is null', { website: 'x' }, { website: null }, ['$.website is null, shown as string']],
  ['an object in place of null is found', { error: null }, { error: {} }, ['$.error is object, shown as null']],
  ['a member that does not exist is found', { a: 1 }, {}, ['$.a does not exist']],
  ['a member that is not shown is found', {}, { a: 1 }, ['$.a is not shown']],
  ['an item that is not shown is found', [1], [1, 2], ['$ has 2 items, shown with 1']],
  [
    'a value that is the same in every run may not differ',
    [{ match: 'stale' }],
    [{ match: 'matched' }],
    ['$[0].match is "matched", shown as "stale"'],
  ],
])('the comparison of a response with the shown one is exact: %s', (_, shown, actual, found) => {
  expect(differences(shown, actual, false)).toEqual(found);
});

test('a shortened output in a guide may leave members and items out, and invents none', () => {
  expect(differences({ a: [{ b: 1 }] }, { a: [{ b: 2, c: 3 }, {}], d: 4 }, true)).toEqual([]);
  expect(differences({ a: [{ b: 1 }] }, { a: [] }, true)).toEqual(['$.a has 0 items, shown with 1']);
  expect(differences({ x: 1 }, { a: 1 }, true)).toEqual(['$.x does not exist']);
});
