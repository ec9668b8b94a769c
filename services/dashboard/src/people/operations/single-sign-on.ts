import { AppError } from '@shopscope/errors';
import { type Auth, singleSignOnProvider } from '../outbound/auth.ts';

export type SingleSignOnStart = ReturnType<typeof createSingleSignOn>;

/** OpenID Connect with PKCE and a nonce. The callback is at /auth/callback. */
export function createSingleSignOn({ auth, name }: { auth: Auth; name: string }) {
  return {
    /** Name on the button. */
    name,
    /**
     * The issuer's page, and the cookies that bind its answer to this browser. `next` is a local path. With `again`, the
     * issuer is asked to authenticate the person again. A browser can remove that wish from the address, so only the
     * `auth_time` of the id token shows that it was done.
     */
    async start(
      next: string,
      headers: Headers,
      options: { again: boolean },
    ): Promise<{ url: string; cookies: string[] }> {
      try {
        const { response, headers: set } = await auth.api.signInSocial({
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
        throw new AppError('unavailable', `${name} does not answer. Try again in a few seconds.`, { cause: error });
      }
    },
  };
}
