/** Requires two languages to have the same text keys. */
export type Same<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Same<T[Key]> };
