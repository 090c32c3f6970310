/** Takes pictures of pages as WebP: a third of the bytes of a PNG. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';

type Part = { readonly width: number; readonly height: number };

const take = async (page: Page, file: string, part?: Part): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 50,
    ...(part && { captureBeyondViewport: true, clip: { x: 0, y: 0, ...part, scale: 1 } }),
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(data, 'base64'));
};

/** Writes a picture of the screen to a file. */
export const takePicture = (page: Page, file: string): Promise<void> => take(page, file);

// Of the format.
const mostHeight = 16_383;

/** Writes a picture of a whole page to a file, with what is below the screen. */
export const takeWholePicture = async (page: Page, file: string): Promise<void> => {
  // The compiler does not know the browser's types here.
  const [width, height]: [number, number] = await page.evaluate(
    '[document.documentElement.clientWidth, document.documentElement.scrollHeight]',
  );
  if (height > mostHeight)
    throw new Error(`${page.url()} is ${height} high, too much for a picture.`);
  await take(page, file, { width, height });
};
