/** Names a browser and its system by what it sends as `User-Agent`. Pure. */

type Names = readonly (readonly [pattern: RegExp, name: string])[];

// Most say that they are another one besides: the first that fits is right.
const browsers: Names = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const systems: Names = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const find = (names: Names, agent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** Such as "Chrome · Windows"; what was sent if neither is known. */
export const browserName = (agent: string): string => {
  const known = [find(browsers, agent), find(systems, agent)].filter((name) => name !== undefined);
  return known.length === 0 ? agent : known.join(' · ');
};
