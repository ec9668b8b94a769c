import { describe, expect, it } from 'vitest';
import { parseNamedSecrets } from './named-secrets.ts';

const a = 'a'.repeat(32);
const b = 'b'.repeat(32);

describe('parseNamedSecrets', () => {
  it('a list of secrets is separated by commas or lines, keeps its order, and allows colons in a secret', () => {
    const { secrets, problems } = parseNamedSecrets(`new:${a}:x, 1:${b}\n`);
    expect(problems).toEqual([]);
    expect(secrets).toEqual([
      { id: 'new', secret: `${a}:x` },
      { id: '1', secret: b },
    ]);
    expect(parseNamedSecrets(`2:${a}\n1:${b}\n`).secrets).toHaveLength(2);
  });

  it.each([
    ['', 'at least one entry'],
    [a, 'entry 1 must be id:secret'],
    [`:${a}`, 'entry 1 must be id:secret'],
    [`Upper:${a}`, 'entry 1 must be id:secret'],
    [`1:${a},2:short`, 'entry 2: the secret must have at least 32 characters'],
    [`1:${a},1:${b}`, 'entry 2 has the id of an earlier entry'],
    [`1:${a},2:${a}`, 'entry 2 has the secret of an earlier entry'],
    [[1, 2, 3, 4, 5].map((n) => `${n}:${String(n).repeat(32)}`).join(), 'at most 4 entries'],
  ])('a wrong entry is refused with its position and without its text: %#', (text, problem) => {
    const { problems } = parseNamedSecrets(text);
    expect(problems.join()).toContain(problem);
    expect(problems.join()).not.toContain(a);
  });
});
