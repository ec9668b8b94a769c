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
  webhookFailing: mails.webhookFailing(
    { ...webhook, workspaceName: name, endpoint: `https://a.example/${name}` },
    link,
  ),
  webhookDisabled: mails.webhookDisabled(
    { ...webhook, workspaceName: name, endpoint: `https://a.example/${name}` },
    link,
  ),
  operatorInvitation: mails.operatorInvitation({ email: 'bob@example.com', role: 'admin', workspaceName: name }, link),
});
const webhook = {
  email: 'ann@example.com',
  since: new Date('2026-01-15T12:00:00Z'),
  status: undefined,
  error: 'timeout',
};
const names = Object.keys(mails) as (keyof typeof mails)[];
const quoting = ['invitation', 'operatorInvitation', 'webhookFailing', 'webhookDisabled'] as const;

describe('mails', () => {
  it.each(names)('every mail has a fixed subject: %s', (name) => {
    expect(all(hostile)[name].subject).toBe(all('Acme')[name].subject);
    expect(all(hostile)[name].subject).toMatch(/^[A-Za-z -]+$/);
  });

  it.each(names.filter((name) => !quoting.some((other) => other === name)))(
    'a mail has no text that a person chose: %s',
    (name) => {
      expect(all(hostile)[name].text).toBe(all('Acme')[name].text);
    },
  );

  it.each(quoting)('a mail quotes what a person chose, within bounds: %s', (name) => {
    const { text } = all(hostile)[name];
    const quotations = text.match(/“[^”]*”/g) ?? [];
    expect(quotations).toHaveLength(name === 'operatorInvitation' ? 1 : 2);
    for (const quoted of quotations) expect([...quoted.replaceAll('\u2060', '')].length).toBeLessThanOrEqual(62);
    // Outside of the quotations it is the text of every invitation.
    const fixed = (of: string) => of.replace(/“[^”]*”/g, '“”');
    expect(fixed(text)).toBe(fixed(all('Acme')[name].text));
    expect(text).not.toMatch(/:\/\/evil|evil\.example|[\r\u202e]/);
    expect(text.match(/https:\/\/\S+/g)).toEqual([link]);
  });
});

it('the mail of an invitation names the address of the sender before the name', () => {
  expect(all('Ann').invitation.text).toContain(
    'ann@example.com (“Ann”) invites you to the workspace “Ann” as a member.',
  );
});

it('the mail about a webhook says since when nothing succeeded, and what the latest attempt got', () => {
  const facts = { ...webhook, workspaceName: 'Acme', endpoint: 'https://a.example/hook' };
  const { text } = mails.webhookFailing(facts, link);
  expect(text).toContain('has succeeded since 15 January 2026 at 12:00 UTC.');
  expect(text).toContain('The latest attempt got no answer (timeout).');
  expect(mails.webhookFailing({ ...facts, status: 500, error: '' }, link).text).toContain(
    'The latest answer had the status 500.',
  );
});
