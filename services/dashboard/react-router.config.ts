import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src',
  buildDirectory: 'gen/web',
  ssr: true,
} satisfies Config;
