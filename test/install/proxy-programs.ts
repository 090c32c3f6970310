/** Runs nginx and HAProxy with the examples of ops/, on other ports and with a certificate of their own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateFor } from '../support/certificate.ts';
import { freePort } from '../support/port.ts';
import { root } from '../support/selection.ts';
import { until } from './gateway.ts';
import { start } from './process.ts';

export const name = 'gateway.example.com';
export const certificate = certificateFor(name);

type Rendered = {
  readonly folder: string;
  readonly port: number;
  readonly upstreams: readonly number[];
};

export type Proxy = {
  readonly program: string;
  readonly version: readonly string[];
  /** Whether it checks /health/ready, and so skips a gateway before that refuses anything. */
  readonly probes: boolean;
  /** Writes its configuration; returns the arguments. */
  readonly render: (place: Rendered) => readonly string[];
};

/** The example with the replacements that its first lines name. */
const example = (path: string, { upstreams }: Rendered): string =>
  upstreams.reduce(
    (text, port, index) => text.replaceAll(`10.0.0.1${index + 1}:3000`, `127.0.0.1:${port}`),
    readFileSync(join(root, path), 'utf8'),
  );

const nginx: Proxy = {
  program: 'nginx',
  version: ['-v'],
  probes: false,
  render: (place) => {
    const { folder, port } = place;
    writeFileSync(join(folder, 'tls.crt'), certificate.cert);
    writeFileSync(join(folder, 'tls.key'), certificate.key);
    const site = example('ops/nginx/simgate.conf', place)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/tls.crt;`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/tls.key;`);
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const folders = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off;\nuser root;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${folders}\n${site}\n}\n`,
    );
    return ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  },
};

const haproxy: Proxy = {
  program: 'haproxy',
  version: ['-v'],
  probes: true,
  render: (place) => {
    const { folder, port } = place;
    writeFileSync(join(folder, 'tls.pem'), certificate.cert + certificate.key);
    const text = example('ops/haproxy/haproxy.cfg', place)
      .replace('bind :443', `bind 127.0.0.1:${port}`)
      .replace(/ crt \S+/, ` crt ${folder}/tls.pem`);
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    return ['-db', '-f', join(folder, 'haproxy.cfg')];
  },
};

export const proxies: readonly Proxy[] = [nginx, haproxy];

export type RunningProxy = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts it before servers on these ports; resolves when it answers. */
export const startProxy = async (
  { program, render }: Proxy,
  parent: string,
  upstreams: readonly number[],
  isUp: (url: string) => Promise<boolean>,
): Promise<RunningProxy> => {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${program}-`));
  const port = await freePort();
  const args = render({ folder, port, upstreams });
  const { child, ended, printed } = start(program, args, { cwd: folder });
  let hasEnded = false;
  ended.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  );
  const url = `https://${name}:${port}`;
  await until(`${program} answers`, () => {
    if (hasEnded) throw new Error(`${program} ended:\n${printed()}`);
    return isUp(url);
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
