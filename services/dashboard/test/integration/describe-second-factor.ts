import { beforeAll, describe, expect, it } from 'vitest';
import { totpCode } from '../../src/people/domain/totp.ts';
import type { TestSystem } from './support/system.ts';

export function describeSecondFactor(shared: () => TestSystem): void {
  describe('second factor', () => {
    let system: TestSystem;
    beforeAll(() => {
      system = shared();
    });

    const cookieName = '__Host-shopscope.session_token';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const decode = (text: string) => {
      const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
      const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
      return Buffer.from(bytes).toString();
    };
    const codeNow = (secret: string, stepsAhead = 0) => totpCode(secret, Math.floor(Date.now() / 30_000) + stepsAhead);

    /** A person who has begun to turn on two-step sign-in, and the secret. */
    async function begunSetUp(name: string) {
      const person = await system.person(name);
      const browser = await system.signIn(person);
      const begun = await browser.submit('/account/two-factor', { intent: 'begin', password: person.password });
      expect(begun.headers.get('location')).toBe('/account/two-factor/set-up');
      const page = await (await browser.get('/account/two-factor/set-up')).text();
      expect(page).toContain('<path');
      return { person, browser, secret: decode(page.match(/secret=([A-Z2-7]+)/)?.[1] as string) };
    }

    /** A person with two-step sign-in, the browser that turned it on, the secret and the backup codes. */
    async function personWithCodes(name: string) {
      const { person, browser, secret } = await begunSetUp(name);
      const other = await system.signIn(person);
      const wrong = await browser.submit('/account/two-factor/set-up', { code: '000000' });
      expect(wrong.status).toBe(400);
      const before = browser.cookies.get('__Host-shopscope.session_token');
      const done = await browser.submit('/account/two-factor/set-up', { code: codeNow(secret, -1) });
      expect(done.status).toBe(200);
      expect(browser.cookies.get('__Host-shopscope.session_token')).not.toBe(before);
      const codes = (await done.text()).match(/(?<=<li>)[A-Za-z0-9]{5}-[A-Za-z0-9]{5}(?=<)/g) ?? [];
      expect(codes).toHaveLength(10);
      return { person, browser, other, secret, codes };
    }

    async function firstStep(person: { email: string; password: string }, next = '/account') {
      const browser = system.anonymous();
      const answer = await browser.submit(`/sign-in?next=${encodeURIComponent(next)}`, person);
      expect(answer.headers.get('location')).toBe(`/sign-in/code?next=${encodeURIComponent(next)}`);
      return browser;
    }
    const secondStep = (browser: Awaited<ReturnType<typeof firstStep>>, code: string) =>
      browser.submit('/sign-in/code?next=%2Faccount', { code });
    const isSignedIn = async (browser: { get(path: string): Promise<Response> }) =>
      (await browser.get('/account')).status === 200;

    describe('two-step sign-in', () => {
      it('two-step sign-in ends the earlier session of the browser at the first step, and a session that began meanwhile at the second step', async () => {
        const { person, browser, secret } = await personWithCodes('Earl');
        const accepted = async (token: string | undefined) =>
          isSignedIn({
            get: (path) => system.anonymous().request(path, { headers: { Cookie: `${cookieName}=${token}` } }),
          });
        const earlier = browser.cookies.get(cookieName);
        expect(await accepted(earlier)).toBe(true);
        const first = await browser.submit('/sign-in', person);
        expect([first.headers.get('location')?.split('?')[0], await accepted(earlier)]).toEqual([
          '/sign-in/code',
          false,
        ]);
        const flo = await system.person('Flo');
        await browser.submit('/sign-in', flo);
        const between = browser.cookies.get(cookieName);
        expect(await accepted(between)).toBe(true);
        expect((await secondStep(browser, codeNow(secret, 1))).status).toBe(302);
        const now = browser.cookies.get(cookieName);
        expect([await accepted(between), await accepted(now), now === between]).toEqual([false, true, false]);
        expect(await (await browser.get('/account')).text()).toContain(person.email);
      });

      it('two-step sign-in ends the other sessions when it is turned on, and asks for a code at the next sign-in', async () => {
        const { person, browser, other, secret } = await personWithCodes('Ann');
        expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
        const next = await firstStep(person);
        expect(await isSignedIn(next)).toBe(false);
        expect((await secondStep(next, '123456')).status).toBe(400);
        const signedIn = await secondStep(next, codeNow(secret));
        expect([signedIn.status, signedIn.headers.get('location')]).toEqual([302, '/account']);
        expect(await isSignedIn(next)).toBe(true);
      });

      it('two-step sign-in accepts one code once, even when two sign-ins use it at the same time', async () => {
        const { person, secret } = await personWithCodes('Ben');
        const browsers = [await firstStep(person), await firstStep(person)];
        const code = codeNow(secret);
        const answers = await Promise.all(browsers.map((browser) => secondStep(browser, code)));
        expect(answers.map(({ status }) => status).sort()).toEqual([302, 400]);
        const later = await firstStep(person);
        expect((await secondStep(later, code)).status).toBe(400);
        // The code of an earlier step is void as well.
        expect((await secondStep(later, codeNow(secret, -1))).status).toBe(400);
      });

      it('two-step sign-in accepts each backup code once, even when it is used twice at the same time, and new codes replace them', async () => {
        const { person, browser, codes } = await personWithCodes('Cas');
        const [first = '', second = ''] = codes;
        const browsers = [await firstStep(person), await firstStep(person)];
        const answers = await Promise.all(browsers.map((each) => secondStep(each, first)));
        expect(answers.map(({ status }) => status).filter((status) => status === 302)).toHaveLength(1);
        expect(await (await browser.get('/account/two-factor')).text()).toContain('9 backup codes are');
        const renewed = await browser.submit('/account/two-factor', { intent: 'codes', password: person.password });
        expect(await renewed.text()).not.toContain(second);
        expect((await secondStep(await firstStep(person), second)).status).toBe(400);
      });

      it('two-step sign-in is turned off with the password only, and ends the other sessions', async () => {
        const { person, browser, secret } = await personWithCodes('Dan');
        const other = await firstStep(person);
        await secondStep(other, codeNow(secret));
        const wrong = await browser.submit('/account/two-factor', { intent: 'disable', password: 'a wrong password' });
        expect([wrong.status, await isSignedIn(other)]).toEqual([400, true]);
        const off = await browser.submit('/account/two-factor', { intent: 'disable', password: person.password });
        expect(off.headers.get('location')).toBe('/account?notice=second-factor-off');
        expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
        expect((await system.anonymous().submit('/sign-in', person)).headers.get('location')).toBe('/workspaces');
      });

      it('a set-up of two-step sign-in shows and confirms its secret for 15 minutes and with a recent sign-in only', async () => {
        const page = '/account/two-factor/set-up';
        const { person, browser, secret } = await begunSetUp('Fay');
        const stale = (id: string) =>
          system.db.collection('session').updateMany({ userId: id as never }, { $set: { createdAt: new Date(0) } });
        await stale(person.id);
        const confirm = `/confirm?next=${encodeURIComponent(page)}`;
        expect((await browser.get(page)).headers.get('location')).toBe(confirm);
        expect((await browser.submit(page, { code: codeNow(secret) })).headers.get('location')).toBe(confirm);
        // A code of this secret does not confirm the session, and a sign-in with it does not finish the set-up.
        expect((await browser.submit(confirm, { code: codeNow(secret) })).status).toBe(400);
        expect((await browser.submit('/sign-in/code', { code: codeNow(secret) })).status).toBe(401);
        expect((await browser.submit(confirm, { password: person.password })).status).toBe(302);
        const factors = system.db.collection('twoFactor');
        const begunAt = new Date(Date.now() - 15 * 60_000);
        await factors.updateOne({ userId: person.id as never }, { $set: { begunAt } });
        expect(await (await browser.get(page)).text()).toContain('There is nothing to confirm');
        expect((await browser.submit(page, { code: codeNow(secret) })).status).toBe(409);
        expect((await system.db.collection('user').findOne({ email: person.email }))?.twoFactorEnabled).not.toBe(true);
      });

      it('two-step sign-in forgets the secret of a set-up that is cancelled', async () => {
        const { person, browser, secret } = await begunSetUp('Gil');
        const cancelled = await browser.submit('/account/two-factor/set-up', { intent: 'cancel' });
        expect(cancelled.headers.get('location')).toBe('/account');
        expect(await system.db.collection('twoFactor').countDocuments({ userId: person.id as never })).toBe(0);
        expect((await browser.submit('/account/two-factor/set-up', { code: codeNow(secret) })).status).toBe(409);
      });

      it('two-step sign-in can confirm a session', async () => {
        const { person, browser, secret } = await personWithCodes('Eva');
        const sessions = system.db.collection('session');
        await sessions.updateMany({ userId: person.id as never }, { $set: { createdAt: new Date(0) } });
        expect((await browser.get('/account/export')).status).toBe(302);
        const code = codeNow(secret);
        expect((await browser.submit('/confirm?next=/account/export', { code })).status).toBe(302);
        expect((await browser.get('/account/export')).status).toBe(200);
        expect((await browser.submit('/confirm?next=/account/export', { code })).status).toBe(400);
      });
    });
  });
}
