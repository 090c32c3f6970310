/** Defines the error table: every code with its status, its sentence in both languages, and advice. */

export type ErrorRow = {
  readonly status: number;
  /** What happened, and what to do about it. */
  readonly message: string;
  /** The same in Persian, for answers that are never recorded. */
  readonly fa: string;
  /** Whether this request took money. */
  readonly charged: 'no' | 'unknown';
  /** `same_key`: send the same again, later. `new_key`: a new purchase may succeed. `no`: neither. */
  readonly retry: 'same_key' | 'new_key' | 'no';
};

const final = { charged: 'no', retry: 'no' } as const;
const newKey = { charged: 'no', retry: 'new_key' } as const;
const passing = { charged: 'no', retry: 'same_key' } as const;

export const errorTable = {
  IDEMPOTENCY_KEY_MISSING: {
    status: 400,
    message:
      'The Idempotency-Key header is missing. Nothing was bought. Send a new unique key with each purchase.',
    fa: 'سرآیند Idempotency-Key ارسال نشده و خریدی انجام نشده است. برای هر خرید یک کلید یکتای جدید بفرستید.',
    ...final,
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message:
      'The Idempotency-Key header must be sent once, with 1 to 255 visible ASCII characters.',
    fa: 'سرآیند Idempotency-Key باید یک بار و با ۱ تا ۲۵۵ نویسهٔ قابل چاپ ASCII ارسال شود.',
    ...final,
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request could not be parsed. Correct it before you send it again.',
    fa: 'درخواست قابل خواندن نیست. پیش از ارسال دوباره آن را اصلاح کنید.',
    ...final,
  },
  TOKEN_MISSING: {
    status: 401,
    message: 'The access token is missing. Send the header "Authorization: Bearer <ACCESS_TOKEN>".',
    fa: 'توکن دسترسی ارسال نشده است. سرآیند «Authorization: Bearer <ACCESS_TOKEN>» را بفرستید.',
    ...final,
  },
  TOKEN_INVALID: {
    status: 401,
    message:
      'The access token is unknown, mistyped or revoked. Use a token that was issued to you.',
    fa: 'توکن دسترسی ناشناخته، نادرست یا باطل‌شده است. از توکنی که برای شما صادر شده استفاده کنید.',
    ...final,
  },
  TOKEN_EXPIRED: {
    status: 401,
    message: 'The access token has expired. Ask the provider of this gateway for a new one.',
    fa: 'اعتبار توکن دسترسی به پایان رسیده است. از ارائه‌دهندهٔ درگاه توکن جدید بگیرید.',
    ...final,
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    message: 'Your balance does not cover the price. Add funds, then buy again with a new key.',
    fa: 'موجودی شما برای این خرید کافی نیست. موجودی را افزایش دهید و با کلید جدید دوباره خرید کنید.',
    ...newKey,
  },
  CLIENT_SUSPENDED: {
    status: 403,
    message: 'Your account is suspended. Contact the provider of this gateway.',
    fa: 'حساب شما معلق است. با ارائه‌دهندهٔ درگاه تماس بگیرید.',
    ...final,
  },
  IP_NOT_ALLOWED: {
    status: 403,
    message: 'This access token cannot be used from your network address.',
    fa: 'استفاده از این توکن از نشانی شبکهٔ شما مجاز نیست.',
    ...final,
  },
  SCOPE_MISSING: {
    status: 403,
    message: 'The access token lacks the scope that this route needs.',
    fa: 'توکن دسترسی مجوز لازم برای این مسیر را ندارد.',
    ...final,
  },
  PRODUCT_NOT_ALLOWED: {
    status: 403,
    message:
      'You are not allowed to buy this product or products of its operator. GET /api/account lists your rules.',
    fa: 'شما مجاز به خرید این محصول یا محصولات این اپراتور نیستید. قواعد شما در GET /api/account آمده است.',
    ...final,
  },
  DAILY_LIMIT_REACHED: {
    status: 403,
    message:
      'This purchase would exceed your daily limit. Nothing was charged. The next day starts after the time in the Retry-After header.',
    fa: 'این خرید از سقف روزانهٔ شما بیشتر است. مبلغی کسر نشد. روز بعد پس از مدت اعلام‌شده در سرآیند Retry-After آغاز می‌شود.',
    ...passing,
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is nothing at this address. The routes are listed at /docs.',
    fa: 'این نشانی وجود ندارد. فهرست مسیرها در ‎/docs آمده است.',
    ...final,
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    message: 'The catalogue has no such product.',
    fa: 'چنین محصولی در کاتالوگ نیست.',
    ...final,
  },
  PURCHASE_NOT_FOUND: {
    status: 404,
    message: 'You have no such purchase.',
    fa: 'شما چنین خریدی ندارید.',
    ...final,
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    message: 'You have no such webhook endpoint or message.',
    fa: 'شما چنین نشانی یا پیام وب‌هوکی ندارید.',
    ...final,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message:
      'This address does not accept this method. The Allow header lists the accepted methods.',
    fa: 'این نشانی این متد را نمی‌پذیرد. متدهای مجاز در سرآیند Allow آمده است.',
    ...final,
  },
  OFFER_EXPIRED: {
    status: 409,
    message:
      'The operator has withdrawn this offer. Choose one of "offers" and buy with a new key.',
    fa: 'اپراتور این پیشنهاد را دیگر ارائه نمی‌کند. یکی از موارد offers را انتخاب کنید و با کلید جدید بخرید.',
    ...newKey,
  },
  PRICE_CHANGED: {
    status: 409,
    message: 'The operator has changed the price. Choose one of "offers" and buy with a new key.',
    fa: 'اپراتور قیمت را تغییر داده است. یکی از موارد offers را انتخاب کنید و با کلید جدید بخرید.',
    ...newKey,
  },
  LIKELY_DUPLICATE: {
    status: 409,
    message:
      'You have just bought the same for this number with another key. To buy it again, send allow_repeat=1 with a new key.',
    fa: 'به‌تازگی همین خرید را برای این شماره با کلید دیگری انجام داده‌اید. برای خرید دوباره، allow_repeat=1 را با کلید جدید بفرستید.',
    ...newKey,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request is too large. Send a smaller one.',
    fa: 'حجم درخواست بیش از حد مجاز است. درخواست کوچک‌تری بفرستید.',
    ...final,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'This route does not accept this content type. Send "application/json".',
    fa: 'این مسیر این نوع محتوا را نمی‌پذیرد. محتوا را با application/json بفرستید.',
    ...final,
  },
  VALIDATION_FAILED: {
    status: 422,
    message:
      'Some fields are not valid. Correct the fields listed in "errors" and send the request again.',
    fa: 'برخی فیلدها معتبر نیستند. فیلدهای فهرست‌شده در errors را اصلاح کنید و دوباره بفرستید.',
    ...final,
  },
  INVALID_MOBILE: {
    status: 422,
    message: 'The mobile number does not have the format that this gateway accepts.',
    fa: 'قالب شمارهٔ موبایل برای این درگاه معتبر نیست.',
    ...final,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message:
      'This Idempotency-Key was already used with other fields. Nothing was done. Use a new key for a new purchase.',
    fa: 'این Idempotency-Key پیش‌تر با فیلدهای دیگری استفاده شده است. کاری انجام نشد؛ برای خرید جدید از کلید جدید استفاده کنید.',
    ...newKey,
  },
  PRICE_MISMATCH: {
    status: 422,
    message: 'The price is wrong. Send the price in "expected_price" with a new key.',
    fa: 'قیمت درست نیست. قیمت اعلام‌شده در expected_price را با کلید جدید بفرستید.',
    ...newKey,
  },
  AMOUNT_OUT_OF_RANGE: {
    status: 422,
    message:
      'The price is outside the range of this product. Choose another amount and buy with a new key.',
    fa: 'مبلغ خارج از بازهٔ مجاز این محصول است. مبلغ دیگری انتخاب کنید و با کلید جدید بخرید.',
    ...newKey,
  },
  PRODUCT_INACTIVE: {
    status: 422,
    message: 'This product is disabled and cannot be bought now.',
    fa: 'این محصول غیرفعال است و اکنون قابل خرید نیست.',
    ...newKey,
  },
  OPERATOR_MISMATCH: {
    status: 422,
    message: "The number is not a subscriber of this product's operator.",
    fa: 'این شماره مشترک اپراتور این محصول نیست.',
    ...final,
  },
  SIM_TYPE_MISMATCH: {
    status: 422,
    message: 'The product is for the other kind of SIM card, prepaid or postpaid.',
    fa: 'این محصول برای نوع دیگر سیم‌کارت (اعتباری یا دائمی) است.',
    ...final,
  },
  OFFER_NOT_FOUND: {
    status: 422,
    message:
      'The subscriber has no such offer. Choose one of "offers" by code and type, and buy with a new key.',
    fa: 'مشترک چنین پیشنهادی ندارد. یکی از موارد offers را با کد و نوع آن انتخاب کنید و با کلید جدید بخرید.',
    ...newKey,
  },
  OPERATOR_DECLINED: {
    status: 422,
    message: 'The mobile operator declined the purchase. Nothing was charged.',
    fa: 'اپراتور خرید را نپذیرفت. مبلغی کسر نشد.',
    ...newKey,
  },
  ORDER_NOT_RECEIVED: {
    status: 422,
    message:
      'The mobile operator has no record of the order. Nothing was delivered or charged. You can buy again with a new key.',
    fa: 'این سفارش نزد اپراتور ثبت نشده است. چیزی تحویل نشد و مبلغی کسر نشد. می‌توانید با کلید جدید دوباره بخرید.',
    ...newKey,
  },
  NOT_DELIVERED: {
    status: 422,
    message:
      'The purchase was reviewed and was not delivered. Nothing was charged. You can buy again with a new key.',
    fa: 'خرید بررسی شد و تحویل نشده بود. مبلغی کسر نشد. می‌توانید با کلید جدید دوباره بخرید.',
    ...newKey,
  },
  RATE_LIMITED: {
    status: 429,
    message:
      'Too many requests. Wait for the time in the Retry-After header, then send the request again.',
    fa: 'تعداد درخواست‌ها بیش از حد مجاز است. به مدت اعلام‌شده در سرآیند Retry-After صبر کنید و دوباره بفرستید.',
    ...passing,
  },
  TRANSACTION_PENDING: {
    status: 202,
    message:
      'The purchase is not finished, and its outcome is not known yet. Hand nothing out yet; send the same request with the same key again later.',
    fa: 'خرید هنوز پایان نیافته و نتیجهٔ آن معلوم نیست. فعلاً چیزی تحویل ندهید و بعداً همین درخواست را با همین کلید دوباره بفرستید.',
    charged: 'unknown',
    retry: 'same_key',
  },
  INTERNAL_ERROR: {
    status: 500,
    message:
      'Something went wrong on our side. Send the request again later. If it keeps failing, report the request_id.',
    fa: 'در سامانهٔ ما مشکلی پیش آمد. بعداً دوباره بفرستید و اگر مشکل ادامه داشت، request_id را گزارش کنید.',
    ...passing,
  },
  OPERATOR_UNAVAILABLE: {
    status: 503,
    message:
      'The mobile operator did not give a usable answer in time. Send the request again later.',
    fa: 'اپراتور به‌موقع پاسخ قابل استفاده‌ای نداد. بعداً دوباره بفرستید.',
    ...passing,
  },
  OVERLOADED: {
    status: 503,
    message: 'The gateway is overloaded. Nothing was done. Send the request again in a moment.',
    fa: 'درگاه پرترافیک است و کاری انجام نشد. کمی بعد دوباره بفرستید.',
    ...passing,
  },
  DRAINING: {
    status: 503,
    message: 'This server is shutting down. Send the request again in a moment.',
    fa: 'این سرور در حال توقف است. کمی بعد دوباره بفرستید.',
    ...passing,
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    message:
      'The gateway cannot reach its database. Nothing was done. Send the request again later.',
    fa: 'درگاه به پایگاه دادهٔ خود دسترسی ندارد و کاری انجام نشد. بعداً دوباره بفرستید.',
    ...passing,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
