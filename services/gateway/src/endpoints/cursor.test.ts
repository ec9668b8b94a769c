import { describe, expect, it } from 'vitest';
import { createCursorSigner } from './cursor.ts';

const signer = createCursorSigner('a secret of at least thirty-two characters');
const query = ['technologies', 'app', '', 'kl'];

describe('cursors', () => {
  it('a cursor returns the position that was signed', () => {
    expect(signer.verify(query, signer.sign(query, 'klaviyo'))).toBe('klaviyo');
    expect(signer.verify(query, signer.sign(query, 'ümlaut.x'))).toBe('ümlaut.x');
  });

  it('a cursor of another query is refused with an error that names the cursor', () => {
    const cursor = signer.sign(query, 'klaviyo');
    expect(() => signer.verify(['technologies', 'app', '', 'k'], cursor)).toThrow(/^cursor: /);
    expect(() => signer.verify(['technologies', 'app', 'kl', ''], cursor)).toThrow(/^cursor: /);
  });

  it('a cursor with any character changed is refused', () => {
    const cursor = signer.sign(query, 'klaviyo');
    for (let i = 0; i < cursor.length; i++) {
      const other = cursor[i] === 'A' ? 'B' : 'A';
      expect(() => signer.verify(query, cursor.slice(0, i) + other + cursor.slice(i + 1)), `at ${i}`).toThrow(
        /^cursor: /,
      );
    }
    for (const text of ['x', '.', 'a.b.c', `${cursor}=`, `${cursor} `, '', `${cursor}.${cursor}`]) {
      expect(() => signer.verify(query, text), text).toThrow(/^cursor: /);
    }
  });

  it('a cursor signed with another secret is refused', () => {
    const foreign = createCursorSigner('another secret of thirty-two characters').sign(query, 'klaviyo');
    expect(() => signer.verify(query, foreign)).toThrow(/^cursor: /);
  });
});
