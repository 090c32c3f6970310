/** Finds what a setting is for in the page's language. The gateway describes its settings in English. */
import { createContext, useContext } from 'react';

type ByPath = Readonly<Record<string, string>>;

/** By the path of a setting; a connector's begin with its name. */
export type Descriptions = {
  readonly settings: ByPath;
  readonly connectors: Readonly<Record<string, ByPath>>;
};

/** English pages show the gateway's own text. */
export const asSent: Descriptions = { settings: {}, connectors: {} };

const DescriptionsContext = createContext(asSent);

export const DescriptionsProvider = DescriptionsContext.Provider;

/** A text, and whether it is always in English. */
export type Described = { readonly text: string; readonly isEnglish: boolean };

const described = (own: string | undefined, sent: string): Described =>
  own === undefined ? { text: sent, isEnglish: true } : { text: own, isEnglish: false };

type Sent = { readonly description: string };

export const createDescribe = ({ settings, connectors }: Descriptions) => ({
  setting: ({ name, description }: Sent & { readonly name: string }): Described =>
    described(settings[name], description),
  /** An unknown connector describes its settings in its own words. */
  connectorSetting: (
    connector: string,
    { path, description }: Sent & { readonly path: string },
  ): Described => described(connectors[connector]?.[path], description),
});

export const useDescribe = () => createDescribe(useContext(DescriptionsContext));
