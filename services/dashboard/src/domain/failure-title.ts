const titles: Readonly<Record<number, string>> = {
  403: 'You cannot open this page',
  404: 'There is no such page',
  429: 'Too many requests',
  503: 'This page is not available right now',
};

/** The state of a page that is not shown, by its status: its title and its heading. */
export const failureTitle = (status: number): string => titles[status] ?? 'Something failed';
