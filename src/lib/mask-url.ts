/** Masks the parts of a URL that may be secret. Pure. */

export type Shown = {
  /** Whether the name of its user is shown; its password never is. */
  readonly user?: boolean;
  /** The parameters of its query whose values are shown. */
  readonly parameters?: ReadonlySet<string>;
};

const mask = '***';
const none: ReadonlySet<string> = new Set();

const userOf = ({ username, password }: URL, isShown: boolean): string => {
  if (username === '' && password === '') return '';
  return `${isShown ? username : mask}${password === '' ? '' : `:${mask}`}@`;
};

const parameterOf = (parameter: string, shown: ReadonlySet<string>): string => {
  const [name = '', value] = parameter.split('=', 2);
  if (shown.has(name)) return parameter;
  // Without a value the name may be the secret itself.
  return value === undefined ? mask : `${name}=${mask}`;
};

const queryOf = ({ search }: URL, shown: ReadonlySet<string>): string => {
  const parameters = search.slice(1).split('&');
  return search === '' ? '' : `?${parameters.map((one) => parameterOf(one, shown)).join('&')}`;
};

/** An address for a screen. Of an unreadable one only the beginning is shown. */
export const maskUrl = (url: string, { user = false, parameters = none }: Shown = {}): string => {
  const read = URL.parse(url);
  // An @ after the host means a password with a slash in it.
  if (read === null || read.pathname.includes('@')) {
    return `${/^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0] ?? ''}${mask}`;
  }
  const { protocol, username, password, host, pathname, search, hash } = read;
  if (username + password + search + hash === '') return url;
  const hidden = hash === '' ? '' : `#${mask}`;
  return `${protocol}//${userOf(read, user)}${host}${pathname}${queryOf(read, parameters)}${hidden}`;
};
