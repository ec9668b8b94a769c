import { connect } from 'node:net';
import { askTimeoutMs } from './server-node.ts';

const describeQuorum = 55;
const correlationId = 1;
const topic = '__cluster_metadata';
/** Up to the id of the leader: the correlation id, the error codes, and the names of one topic with one partition. */
const noError = 0;

/**
 * Resolves to the node id of the active controller. A client of kafkajs cannot learn it: with KRaft, the metadata name any broker as the
 * controller. The leader of the metadata log is the active controller.
 */
export const activeController = (port: number): Promise<number> =>
  new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requestOf()));
    let received = Buffer.alloc(0);
    socket.setTimeout(askTimeoutMs, () => socket.destroy(new Error('the broker did not answer')));
    socket.once('error', failed);
    socket.once('close', () => failed(new Error('the broker closed the connection')));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 4 || received.length < 4 + received.readInt32BE()) return;
      try {
        done(leaderIn(received.subarray(4)));
      } catch (error) {
        failed(error);
      }
      socket.destroy();
    });
  });

/** The request in version 0, which has compact arrays and strings: their lengths are one more than they are. */
function requestOf(): Buffer {
  const name = Buffer.from(topic);
  const header = Buffer.alloc(11);
  header.writeInt16BE(describeQuorum, 0);
  header.writeInt16BE(0, 2);
  header.writeInt32BE(correlationId, 4);
  // There is no client id, and there are no tagged fields.
  header.writeInt16BE(-1, 8);
  const partition = Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]);
  const body = Buffer.concat([Buffer.from([2, name.length + 1]), name, partition]);
  const size = Buffer.alloc(4);
  size.writeInt32BE(header.length + body.length);
  return Buffer.concat([size, header, body]);
}

/** Reads the id of the leader from a response. */
function leaderIn(response: Buffer): number {
  // The correlation id and the tagged fields of the header precede the body.
  const requestError = response.readInt16BE(5);
  if (requestError !== noError) throw new Error(`the quorum was not described: error ${requestError}`);
  // The arrays of topics and of partitions have one element. The name of the topic is between them.
  const partitionAt = 8 + 1 + topic.length + 1;
  const partitionError = response.readInt16BE(partitionAt + 4);
  if (partitionError !== noError) throw new Error(`the metadata log has the error ${partitionError}`);
  const leader = response.readInt32BE(partitionAt + 6);
  if (leader < 0) throw new Error('there is no active controller');
  return leader;
}
