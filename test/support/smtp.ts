/** Provides mail servers for tests: a real one that keeps what it gets, and one that never answers. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailSettings } from '../../src/admin/alarms/settings/settings.ts';
import { certificateFor } from './certificate.ts';
import { cleanUpAfterTest } from './cleanup.ts';

export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** The user that signed in. */
  readonly user: string | undefined;
  readonly secure: boolean;
  readonly source: string;
};

export const user = 'simgate';
export const password = 'a password of the mail server';

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

// Its own default is a published key.
const ownCertificate = certificateFor('localhost');

/** Accepts mails, by default without TLS and only from the user. */
export const startMailServer = async (options: SMTPServerOptions = {}) => {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...ownCertificate,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: (auth, _session, callback) =>
      auth.username === user && auth.password === password
        ? callback(null, { user })
        : callback(new Error('Wrong user name or password')),
    onData: (stream, session, callback) => {
      let source = '';
      stream.on('data', (chunk: Buffer) => {
        source += chunk.toString('utf8');
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : undefined,
          secure: session.secure,
          source,
        });
        callback();
      });
    },
    ...options,
  });
  // A connection that a client breaks off is no fault of the test.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  cleanUpAfterTest(stop);
  return { port: portOf(listening.address()), received, stop };
};

/** Accepts connections and says nothing. */
export const startSilentServer = async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const stop = async (): Promise<void> => {
    server.close();
  };
  cleanUpAfterTest(stop);
  return { port: portOf(server.address()), connected, stop };
};

export const mailTo = (port: number, more: Partial<MailSettings> = {}): MailSettings => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  user,
  from: 'simgate@shop.example',
  to: ['operations@shop.example'],
  language: 'en',
  ...more,
});

/** The decoded parts of a mail by their type, and its subject. */
export const readMail = (source: string) => {
  const subject = /^Subject: ((?:.+\r\n[ \t])*.*)\r\n/m.exec(source)?.[1] ?? '';
  const words = subject
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, way: string, text: string) =>
      way.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('latin1')
        : quoted(text.replaceAll('_', ' ')),
    );
  const parts = new Map(
    [...source.matchAll(/Content-Type: (text\/\w+).*?\r\n([^]*?)\r\n\r\n([^]*?)\r\n--/g)].map(
      ([, type = '', headers = '', body = '']) => [type, decoded(headers, body)],
    ),
  );
  return {
    subject: Buffer.from(words, 'latin1').toString('utf8'),
    text: parts.get('text/plain') ?? '',
    html: parts.get('text/html') ?? '',
  };
};

const quoted = (text: string): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );

const decoded = (headers: string, body: string): string => {
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString('utf8');
  if (/quoted-printable/i.test(headers))
    return Buffer.from(quoted(body), 'latin1').toString('utf8');
  return body;
};
