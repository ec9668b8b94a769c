import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** Providers that ignore dots before the @. A name at both domains is the same mailbox. */
const dotless = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox of an address, for limits only. Mail is sent to the address as typed. Many providers deliver ann+1@ and ann+2@ to ann@. Where
 * "+" is an ordinary character, these people share one limit.
 *
 * It does not cover other separators, or domains of which all addresses belong to one person.
 */
export function mailboxOf(address: string): string {
  const text = address.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  const typed = text.slice(at + 1).replace(/\.+$/, '');
  const domain = domainToASCII(typed) || typed;
  const local = at < 0 ? '' : text.slice(0, at);
  const tagAt = local.indexOf('+');
  const name = tagAt > 0 ? local.slice(0, tagAt) : local;
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** The key under which a mailbox is counted. The address itself is stored only in the account. */
export const mailboxKey = (address: string): string => hash('sha256', mailboxOf(address), 'base64url');
