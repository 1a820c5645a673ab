import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from './bolts';
import { freePort } from './free-port';

/** A mail as maildev's API shows it. */
interface Mail {
  id: string;
  subject: string;
  html: string;
  to: { address: string }[];
  headers: Record<string, string>;
}

/** A mail server that keeps every mail. */
export interface Mailbox {
  /** The port of the SMTP server. */
  port: number;
  /** The latest mail with this subject to this address, once it has arrived. */
  mail: (to: string, subject: string) => Promise<Mail>;
  /** The number of mails to this address. */
  count: (to: string) => Promise<number>;
}

/** Starts maildev, passes it to `use`, and stops it. */
export async function withMailbox(use: (mailbox: Mailbox) => Promise<void>) {
  const [port, web] = [await freePort(), await freePort()];
  const options = [
    '--smtp',
    `${port}`,
    '--ip',
    '127.0.0.1',
    '--web',
    `${web}`,
    '--web-ip',
    '127.0.0.1',
    '--silent',
  ];
  const maildev: ChildProcess = spawn('node_modules/.bin/maildev', options, { stdio: 'ignore' });
  const mails = async () => (await (await fetch(`http://127.0.0.1:${web}/api/email`)).json()) as Mail[];
  const to = (address: string) => (mail: Mail) => mail.to.some((recipient) => recipient.address === address);
  try {
    // On a busy machine maildev takes half a minute to start.
    await expect.poll(() => mails().then(Array.isArray, () => false), { timeout: 60_000 }).toBe(true);
    await use({
      port,
      mail: async (address, subject) => {
        let found: Mail | undefined;
        const find = async () => {
          found = (await mails()).filter(to(address)).findLast((mail) => mail.subject === subject);
          return found !== undefined;
        };
        await expect.poll(find, { message: `the mail '${subject}' to ${address}` }).toBe(true);
        return found as Mail;
      },
      count: async (address) => (await mails()).filter(to(address)).length,
    });
  } finally {
    const ended = new Promise((resolve) => maildev.once('exit', resolve));
    maildev.kill('SIGTERM');
    await ended;
  }
}

/** The address of the mail's button. */
export function linkOf(mail: Mail): string {
  const [, link = ''] = /<a href="([^"]+)" style="display/.exec(mail.html) ?? [];
  return link.replaceAll('&amp;', '&');
}
