/** Owns what two languages must have in common: the very same keys. */
export type Same<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Same<T[Key]> };
