import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { Bolts } from './bolts';

/** A way to the server that a test can cut. While it is cut, nothing listens at its address. */
interface Relay extends Bolts {
  cut: () => Promise<void>;
  restore: () => Promise<void>;
}

/** Opens a relay to the server and passes it to `use`. Then closes it. */
export async function withRelay(bolts: Bolts, use: (relay: Relay) => Promise<void>) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('close', () => sockets.delete(near));
    const far = connect(Number(new URL(bolts.origin).port), '127.0.0.1');
    // Closes both sockets when one of them ends or fails.
    pipeline(near, far, near, () => undefined);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
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
