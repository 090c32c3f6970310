// Makes the request of an operation from what a reader typed.

/** A new key for one purchase. Browsers have randomUUID over https only. */
export const keyFor = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

export const requestOf = (operation, { base, values, body, token, key }) => {
  const given = (place) =>
    operation.fields.filter((field) => field.place === place && values[field.name] !== '');
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(values[name]),
  );
  const query = new URLSearchParams(given('query').map(({ name }) => [name, values[name]]));
  const headers = Object.fromEntries(given('header').map(({ name }) => [name, values[name]]));
  if (operation.needsToken) headers.authorization = `Bearer ${token.trim()}`;
  if (operation.spends) headers['idempotency-key'] = key;
  if (operation.body !== null) headers['content-type'] = 'application/json';
  return {
    url: `${base}${path}${query.size === 0 ? '' : `?${query}`}`,
    options: {
      method: operation.method,
      headers,
      body: operation.body === null ? undefined : body,
      // The session of the console must not act for a token.
      credentials: 'omit',
    },
  };
};
