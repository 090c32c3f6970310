/** Defines the shapes that settings share: closed objects, groups and whole numbers. */
import { Type } from 'typebox';

export const closed = { additionalProperties: false };

/** A group that may be left out: then all of it has its defaults. */
export const group = { ...closed, default: {} };

export const wholeNumber = (standard: number, minimum: number, description: string) =>
  Type.Integer({ default: standard, minimum, description });
