/** Builds the load generators' requests as raw bytes. */

export type Buy = {
  readonly token: string;
  readonly key: string;
  readonly product: number | string;
  readonly price: number | string;
  readonly mobile: string;
  readonly code: string;
};

/** A purchase of a package. All values are plain: nothing is escaped. */
export const buyRequest = ({ token, key, product, price, mobile, code }: Buy): string => {
  const fields = `product_id=${product}&price=${price}&mobile=${mobile}&webservice_code=${code}`;
  return `POST /api/top-up/package/ HTTP/1.1\r
Host: bench\r
Authorization: Bearer ${token}\r
Idempotency-Key: ${key}\r
Content-Type: application/x-www-form-urlencoded\r
Content-Length: ${fields.length}\r
\r
${fields}`;
};

export const listRequest = (token: string, page: number): string =>
  `GET /api/clients/products?page=${page} HTTP/1.1\r
Host: bench\r
Authorization: Bearer ${token}\r
\r
`;
