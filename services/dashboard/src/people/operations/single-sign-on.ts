import { AppError } from '@shopscope/errors';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { singleSignOnProvider } from '../outbound/auth.ts';

/**
 * Starts OpenID Connect with PKCE and a nonce. Returns the issuer's page, and the cookies that bind its answer to this browser. The
 * callback is at /auth/callback. `next` is a local path. With `again`, the issuer is asked to authenticate the person again. A browser can
 * remove this parameter, so only the `auth_time` of the id token proves the authentication.
 */
export async function start(deps: Dependencies, next: string, headers: Headers, options: { again: boolean }) {
  try {
    const { response, headers: set } = await deps.auth.api.signInSocial({
      body: {
        provider: singleSignOnProvider,
        callbackURL: next,
        errorCallbackURL: `/sign-in?next=${encodeURIComponent(next)}`,
        disableRedirect: true,
        ...(options.again && { additionalParams: { prompt: 'login', max_age: '0' } }),
      },
      headers,
      returnHeaders: true,
    });
    if (!response.url) throw new Error('the provider has no address');
    return { url: response.url, cookies: set.getSetCookie() };
  } catch (error) {
    throw new AppError('unavailable', `${deps.singleSignOnName} does not answer. Try again in a few seconds.`, {
      cause: error,
    });
  }
}
