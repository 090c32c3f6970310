/** Sends one mail by SMTP: to a checked address, within a time limit, by the TLS that is set. */
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../../lib/clock.ts';
import { type AddressPolicy } from '../../../webhooks/delivery/address.ts';
import { type Failure, failureOf } from '../../../webhooks/delivery/failure.ts';
import {
  createNames,
  permittedAddresses,
  type Resolve,
} from '../../../webhooks/delivery/resolve.ts';
import { failureCodeOf, type Sent } from '../../../webhooks/delivery/send.ts';
import type { MailSettings } from '../settings/settings.ts';
import type { Mail } from './digest.ts';

export type MailSenderDeps = {
  readonly clock: Clock;
  readonly permits: AddressPolicy;
  /** Asks the name servers by default. */
  readonly resolve?: Resolve;
};

export type Letter = Mail & {
  /** The same at every attempt, so that mail programs recognize a repeated one. */
  readonly id: string;
  readonly server: MailSettings;
  readonly password: string | undefined;
};

export type MailSender = {
  /** Never throws, and never exceeds its timeout. The status is that of SMTP. */
  readonly send: (letter: Letter) => Promise<Sent>;
  /** Aborts what is in flight. */
  readonly close: () => void;
};

/** From the connection to the last answer: servers may check a mail while the sender waits. */
export const mailTimeoutMs = 30_000;

/** Connects to one address after another, until one accepts. */
const dial = async (
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> => {
  let last: unknown;
  for (const host of addresses) {
    const socket = connect({ host, port, signal });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve).once('error', reject);
      });
      return socket;
    } catch (error) {
      last = error;
      socket.destroy();
    }
  }
  throw last;
};

const codeIn = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'responseCode' in error
    ? Number(error.responseCode) || undefined
    : undefined;

/** The library's codes. It names every fault of a socket alike, so the certificate's reason is in the text. */
const failureFrom = (error: unknown): Failure => {
  if (!(error instanceof Error)) return failureOf('request_failed');
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ETLS' || /certificate|altnames/i.test(error.message))
    return failureOf('not_secure');
  if (code === 'ESOCKET' || code === 'ECONNECTION') return failureOf('connection_broken');
  return failureOf(failureCodeOf(error));
};

const sentBy = (error: unknown): Sent => {
  const status = codeIn(error);
  return status === undefined
    ? { kind: 'failed', failure: failureFrom(error) }
    : { kind: 'answered', status };
};

const exchange = async (letter: Letter, socket: Socket): Promise<Sent> => {
  const { server, password, id } = letter;
  // On first use: most gateways never send a mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    ...(server.user === '' ? {} : { auth: { user: server.user, pass: password ?? '' } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_, callback) => callback(null, { connection: socket }),
  });
  const { response } = await transport.sendMail({
    from: server.from,
    to: [...server.to],
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    messageId: `<${id}@${server.from.slice(server.from.lastIndexOf('@') + 1)}>`,
    // No automatic answers, such as of people who are absent.
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  return { kind: 'answered', status: Number(response.slice(0, 3)) };
};

export const createMailSender = ({ clock, permits, ...deps }: MailSenderDeps): MailSender => {
  const names = createNames(undefined);
  const { resolve = names.resolve } = deps;
  const open = new Set<(failure: Failure) => void>();
  return {
    send: async (letter) => {
      const { host, port, security } = letter.server;
      const abort = new AbortController();
      const brokenOff = Promise.withResolvers<Sent>();
      let socket: Socket | undefined;
      const breakOff = (failure: Failure): void => {
        brokenOff.resolve({ kind: 'failed', failure });
        abort.abort();
        socket?.destroy();
      };
      open.add(breakOff);
      const cancel = clock.after(mailTimeoutMs, () =>
        breakOff({ code: 'no_answer_within', values: { ms: mailTimeoutMs } }),
      );
      const deliver = async (): Promise<Sent> => {
        const secure = security !== 'none';
        const addresses = await permittedAddresses(host, { resolve, permits, secure });
        socket = await dial(addresses, port, abort.signal);
        return exchange(letter, socket);
      };
      try {
        return await Promise.race([deliver().catch(sentBy), brokenOff.promise]);
      } finally {
        cancel();
        open.delete(breakOff);
        socket?.destroy();
      }
    },
    close: () => {
      for (const breakOff of open) breakOff(failureOf('gateway_stopped'));
      names.cancel();
    },
  };
};
