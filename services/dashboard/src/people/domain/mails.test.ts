import { describe, expect, it } from 'vitest';
import { type MailText, mails } from './mails.ts';

const hostile = `Shopscope support” https://evil.example\u202e\r\nBcc: x@evil.example ${'win '.repeat(100)}`;
const person = (name: string) => ({ email: 'ann@example.com', name });
const link = 'https://dashboard.example/link';

/** Every mail, of a person or a workspace with this name. */
const all = (name: string): Record<keyof typeof mails, MailText> => ({
  verifyAddress: mails.verifyAddress(person(name), link),
  accountExists: mails.accountExists(person(name), link),
  resetPassword: mails.resetPassword(person(name), link),
  invitation: mails.invitation(
    { email: 'bob@example.com', role: 'member', organization: { name }, inviter: { user: person(name) } },
    link,
  ),
  passwordChanged: mails.passwordChanged(person(name), link),
  secondFactorChanged: mails.secondFactorChanged(person(name), true, link),
  confirmNewAddress: mails.confirmNewAddress('new@example.com', link),
  addressInUse: mails.addressInUse(person(name)),
  addressChanged: mails.addressChanged('ann@example.com', 'new@example.com'),
  accountDeleted: mails.accountDeleted(person(name)),
  operatorInvitation: mails.operatorInvitation({ email: 'bob@example.com', role: 'admin', workspaceName: name }, link),
});
const names = Object.keys(mails) as (keyof typeof mails)[];

describe('mails', () => {
  it.each(names)('every mail has a fixed subject: %s', (name) => {
    expect(all(hostile)[name].subject).toBe(all('Acme')[name].subject);
    expect(all(hostile)[name].subject).toMatch(/^[A-Za-z -]+$/);
  });

  it.each(names.filter((name) => !name.endsWith('nvitation')))('a mail has no text that a person chose: %s', (name) => {
    expect(all(hostile)[name].text).toBe(all('Acme')[name].text);
  });

  it.each(['invitation', 'operatorInvitation'] as const)(
    'a mail quotes what a person chose, within bounds: %s',
    (name) => {
      const { text } = all(hostile)[name];
      const quotations = text.match(/“[^”]*”/g) ?? [];
      expect(quotations).toHaveLength(name === 'invitation' ? 2 : 1);
      for (const quoted of quotations) expect([...quoted.replaceAll('\u2060', '')].length).toBeLessThanOrEqual(62);
      // Outside of the quotations it is the text of every invitation.
      const fixed = (of: string) => of.replace(/“[^”]*”/g, '“”');
      expect(fixed(text)).toBe(fixed(all('Acme')[name].text));
      expect(text).not.toMatch(/:\/\/evil|evil\.example|[\r\u202e]/);
      expect(text.match(/https:\/\/\S+/g)).toEqual([link]);
    },
  );
});

it('the mail of an invitation names the address of the sender before the name', () => {
  expect(all('Ann').invitation.text).toContain(
    'ann@example.com (“Ann”) invites you to the workspace “Ann” as a member.',
  );
});
