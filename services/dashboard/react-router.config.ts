import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'web',
  buildDirectory: 'gen/web',
  ssr: true,
} satisfies Config;
