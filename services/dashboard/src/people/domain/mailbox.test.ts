import { describe, expect, it } from 'vitest';
import { mailboxKey, mailboxOf } from './mailbox.ts';

describe('mailboxes', () => {
  it.each([
    ['a+1@example.com', 'a@example.com'],
    ['a+2+3@example.com', 'a@example.com'],
    ['A+Tag@EXAMPLE.com', 'a@example.com'],
    ['a@example.com.', 'a@example.com'],
    ['first.last+x@example.com', 'first.last@example.com'],
    ['f.i.r.s.t+x@gmail.com', 'first@gmail.com'],
    ['first@googlemail.com', 'first@gmail.com'],
    ['a@k\u00e4se.example', 'a@xn--kse-qla.example'],
    ['a@XN--KSE-QLA.example', 'a@xn--kse-qla.example'],
    ['+@example.com', '+@example.com'],
    ['+a@example.com', '+a@example.com'],
    ['no address', '@no address'],
  ])('the mailbox of the address %s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });

  it('a mailbox has one key for all of its addresses, and another mailbox has another one', () => {
    const keys = ['ann@example.com', 'ANN+1@example.com', 'ann+2@Example.COM'].map(mailboxKey);
    expect(new Set(keys).size).toBe(1);
    expect(mailboxKey('anna@example.com')).not.toBe(keys[0]);
    expect(mailboxKey('ann@example.org')).not.toBe(keys[0]);
  });
});
