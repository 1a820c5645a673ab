import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Bolts } from './bolts';

/** A way to the server that a test can cut. While it is cut, nothing listens at its address. */
export interface Relay extends Bolts {
  cut: () => Promise<void>;
  restore: () => Promise<void>;
}

/** Opens a relay to the server and passes it to `use`. Then closes it. */
export async function withRelay(bolts: Bolts, use: (relay: Relay) => Promise<void>) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(bolts.origin).port), '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  try {
    await use({ ...bolts, origin: `http://127.0.0.1:${port}`, cut, restore: () => listen(port) });
  } finally {
    if (server.listening) await cut();
  }
}
