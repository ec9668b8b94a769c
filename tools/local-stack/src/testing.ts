import { startTcpProxy } from '@shopscope/testing';

export { type TcpProxy, type TestNamespace, testNamespace } from '@shopscope/testing';
export const proxyTo = (target: URL, port = 0) => startTcpProxy(target, { port });
