import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The claims of the issuer about the person that signs in next. */
export interface IssuedPerson {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  /** Seconds since 1970. */
  auth_time?: number;
}

interface Pending {
  challenge: string;
  nonce: string;
  person: IssuedPerson;
}

/** A small OpenID Connect issuer. It signs everybody in as `next`, and requires PKCE with S256. */
export async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' };
  const pending = new Map<string, Pending>();
  const state = {
    next: undefined as IssuedPerson | undefined,
    /** Replaces the nonce of the id token. */
    nonce: undefined as string | undefined,
    requests: [] as URLSearchParams[],
  };

  const idToken = (claims: Record<string, unknown>) => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const body = `${encode({ alg: 'RS256', kid: 'test', typ: 'JWT' })}.${encode(claims)}`;
    return `${body}.${createSign('RSA-SHA256').update(body).sign(privateKey, 'base64url')}`;
  };

  const server = createServer(async (request, response) => {
    const requested = new URL(request.url ?? '', issuer);
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    switch (requested.pathname) {
      case '/.well-known/openid-configuration':
        return json(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
        });
      case '/jwks':
        return json(200, { keys: [key] });
      case '/authorize': {
        const query = requested.searchParams;
        state.requests.push(query);
        const code = randomBytes(16).toString('hex');
        const challenge = query.get('code_challenge_method') === 'S256' ? query.get('code_challenge') : null;
        if (!challenge || !state.next) return json(400, { error: 'invalid_request' });
        pending.set(code, { challenge, nonce: query.get('nonce') ?? '', person: state.next });
        const back = new URL(query.get('redirect_uri') as string);
        back.searchParams.set('code', code);
        back.searchParams.set('state', query.get('state') as string);
        return response.writeHead(302, { Location: back.href }).end();
      }
      case '/token': {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const form = new URLSearchParams(Buffer.concat(chunks).toString());
        const found = pending.get(form.get('code') ?? '');
        pending.delete(form.get('code') ?? '');
        const verifier = form.get('code_verifier') ?? '';
        if (found?.challenge !== createHash('sha256').update(verifier).digest('base64url')) {
          return json(400, { error: 'invalid_grant' });
        }
        const now = Math.floor(Date.now() / 1_000);
        const claims = { iss: issuer, aud: 'dashboard', iat: now, exp: now + 300, nonce: state.nonce ?? found.nonce };
        return json(200, {
          access_token: 'access',
          token_type: 'Bearer',
          expires_in: 300,
          id_token: idToken({ ...claims, ...found.person }),
        });
      }
      default:
        return json(404, {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    state,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
