import { dayMs } from '@shopscope/clock';
import type { EndpointSecret, Header } from '../domain/endpoint.ts';
import type { Vault } from '../domain/vault.ts';
import type { SealedParts } from '../outbound/mongo/endpoints.ts';

/** What is stored encrypted. */
export interface OpenParts {
  secrets: EndpointSecret[];
  headers: Header[];
}

/** The place of a sealed text. A text that was copied to another endpoint does not open. */
const contextOf = (id: string, part: 'secret' | 'headers') => `${id}/${part}`;

export function seal(vault: Vault, id: string, { secrets, headers }: OpenParts): SealedParts {
  const sealSecret = ({ secret, until }: EndpointSecret) => ({
    sealed: vault.seal(secret, contextOf(id, 'secret')),
    until,
  });
  return {
    keyId: vault.keyId,
    secrets: secrets.map(sealSecret),
    headers: vault.seal(JSON.stringify(headers), contextOf(id, 'headers')),
  };
}

export const open = (vault: Vault, id: string, { secrets, headers }: SealedParts): OpenParts => ({
  secrets: secrets.map(({ sealed, until }) => ({ secret: vault.open(sealed, contextOf(id, 'secret')), until })),
  headers: JSON.parse(vault.open(headers, contextOf(id, 'headers'))) as Header[],
});

/** The time in which calls with the same token have one effect. Gateways store the responses of an Idempotency-Key for this time. */
export const requestTokenLifeMs = dayMs;
