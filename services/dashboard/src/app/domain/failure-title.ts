const titles: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  403: 'You cannot open this page',
  404: 'There is no such page',
  405: 'The page does not take this request',
  421: 'This is not the address of Shopscope',
  429: 'Too many requests',
  503: 'This page is not available right now',
};

/** The title and heading of a failed page, by its status. */
export const failureTitle = (status: number): string => titles[status] ?? 'Something failed';

/** The text of a failure that has no message of its own. */
export function failureText(status: number): string {
  if (status === 404) return 'The address may be mistyped, or the page was removed.';
  return status < 500 ? 'This page does not take the request. Nothing was changed.' : 'The page failed.';
}
