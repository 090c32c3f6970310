/** Finds what a setting is for in the page's language. The gateway describes its settings in English. */
import { createContext, useContext } from 'react';

type ByName = Readonly<Record<string, string>>;

/** By the name of a setting. English pages show the gateway's own text. */
export type Descriptions = { readonly settings: ByName };

export const asSent: Descriptions = { settings: {} };

const DescriptionsContext = createContext(asSent);

export const DescriptionsProvider = DescriptionsContext.Provider;

/** A text, and whether it is always in English. */
export type Described = { readonly text: string; readonly isEnglish: boolean };

/** The text in the page's language, or else the English one. */
export const described = (own: string | undefined, sent: string): Described =>
  own === undefined ? { text: sent, isEnglish: true } : { text: own, isEnglish: false };

type Sent = { readonly name: string; readonly description: string };

export const createDescribe =
  ({ settings }: Descriptions) =>
  ({ name, description }: Sent): Described =>
    described(settings[name], description);

export const useDescribe = () => createDescribe(useContext(DescriptionsContext));
