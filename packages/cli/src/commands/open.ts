import type { Command } from '../command.ts';

export default {
  summary: 'Opens the public page of a store in the browser. Free.',
  usage: 'DOMAIN',
  examples: ['open northwind-tea.example'],
  positionals: '<DOMAIN>',
  async run({ terminal, positionals: [domain = ''], client, print, json }) {
    const { documentation_url } = await (await client()).getHost({ signal: terminal.interrupted });
    const url = new URL(`/stores/${encodeURIComponent(domain)}`, documentation_url).href;
    await print({ url }, () => `${url}\n`);
    if (!json) await terminal.openUrl(url);
  },
} satisfies Command;
