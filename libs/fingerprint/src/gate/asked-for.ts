import type { GatedPage } from './gated-page.ts';
import type { WallKind } from './wall.ts';

/** Whether the page has the form or element that such a wall needs. Words alone show no wall: shops write about cookies and ages, too. */
const maxLoginFields = 4;

/** Fields that a visitor fills in. */
const fieldsOf = ({ page: { document } }: GatedPage) =>
  document.byTag('input').filter(({ attribs }) => !/^(?:hidden|submit|button|image)$/i.test(attribs.type ?? ''));

/** Whether a form asks for one password and for little else. */
export function asksForPassword(gated: GatedPage): boolean {
  const fields = fieldsOf(gated);
  return fields.filter(({ attribs }) => attribs.type === 'password').length === 1 && fields.length <= maxLoginFields;
}

/** Whether a form takes more than the solution of a captcha. */
export const asksForData = (gated: GatedPage): boolean => {
  const fields = fieldsOf(gated);
  const isOfVisitor = fields.some(({ attribs }) =>
    /mail|name|phone|tel|subject|message/i.test(`${attribs.type} ${attribs.name}`),
  );
  return fields.length > 1 || isOfVisitor || gated.page.document.byTag('textarea').length > 0;
};

export function askedFor(kind: WallKind, gated: GatedPage): boolean {
  const { page, sight, words, redirects } = gated;
  const { document } = page;
  const fields = fieldsOf(gated);
  const hasButton =
    document.byTag('button').length > 0 ||
    document.byTag('input').some(({ attribs }) => /^(?:submit|button|image)$/i.test(attribs.type ?? ''));
  const { headings } = words();
  switch (kind) {
    case 'consent_wall':
      return (hasButton || sight.links > 0) && headings.length <= 1;
    case 'age_wall':
      return hasButton || document.byTag('a').length > 0 || fields.length > 0;
    case 'login_wall': {
      const passwords = fields.filter(({ attribs }) => attribs.type === 'password').length;
      // A form with two passwords or with many fields registers a customer.
      return passwords === 1
        ? asksForPassword(gated)
        : passwords === 0 && (fields.length === 1 || (fields.length === 0 && hasButton));
    }
    case 'challenge':
      return sight.links <= 4 && (sight.chars <= 800 || redirects().length > 0);
    case 'maintenance':
      return sight.links <= 6;
    default:
      return true;
  }
}
