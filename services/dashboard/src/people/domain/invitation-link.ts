import { isSignature, sign } from './signature.ts';

/**
 * The last part of an invitation's link: its id and a signature. Only the mail contains the signature. Admins see the id, so the id alone
 * does not prove access to the mailbox of the invited address.
 */
export const invitationToken = (secret: string, id: string): string => `${id}.${sign(secret, 'invitation', id)}`;

/** The id in a token; undefined if the signature is wrong. */
export function invitationIdOf(secret: string, token: string): string | undefined {
  const [id = '', signature = ''] = token.split('.');
  return isSignature(signature, sign(secret, 'invitation', id)) ? id : undefined;
}
