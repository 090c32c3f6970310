/** Tests that the colours of the console have enough contrast in both modes: WCAG 2.2 AA. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Colours, colours, tones } from '../../console/src/design/theme/tokens.ts';

/** The relative luminance of a colour `#rrggbb`, as WCAG defines it. */
const luminance = (colour: string): number => {
  assert.match(colour, /^#[\da-f]{6}$/);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

type Pair = readonly [what: string, front: string, behind: string];

const grounds = (colour: Colours): readonly (readonly [name: string, ground: string])[] => [
  ['canvas', colour.canvas],
  ['surface', colour.surface],
  ['sunken', colour.sunken],
  ['sidebar', colour.sidebar],
];

const texts = (colour: Colours): readonly Pair[] => [
  ...grounds(colour).flatMap(([name, ground]): readonly Pair[] => [
    [`text on ${name}`, colour.text, ground],
    [`muted text on ${name}`, colour.muted, ground],
    [`links on ${name}`, colour.accent, ground],
    ...tones.map((tone): Pair => [`${tone} on ${name}`, colour.tones[tone].text, ground]),
  ]),
  ...tones.flatMap((tone): readonly Pair[] => [
    [`${tone} on its own`, colour.tones[tone].text, colour.tones[tone].soft],
    [`text on ${tone}`, colour.text, colour.tones[tone].soft],
    [`muted text on ${tone}`, colour.muted, colour.tones[tone].soft],
  ]),
  ['the main action', colour.onSolid, colour.solid],
  ['the main action, hovered', colour.onSolid, colour.solidHover],
  ['a dangerous action', colour.onSolid, colour.danger],
  ['a dangerous action, hovered', colour.onSolid, colour.dangerHover],
  ['a selected entry', colour.text, colour.selected],
  ['a selected icon', colour.accent, colour.selected],
];

const parts = (colour: Colours): readonly Pair[] => [
  ['the edge of a field', colour.edge, colour.surface],
  ['the edge of a field on the canvas', colour.edge, colour.canvas],
  ['a dot of the timeline', colour.edge, colour.surface],
  ['focus on the surface', colour.accent, colour.surface],
  ['the main action on the surface', colour.solid, colour.surface],
  ['the main action on the canvas', colour.solid, colour.canvas],
  ['a dangerous action on the surface', colour.danger, colour.surface],
  ['a series of a chart', colour.violet, colour.surface],
];

const tooWeak = (pairs: readonly Pair[], least: number): readonly string[] =>
  pairs
    .map(([what, front, behind]) => ({ what, ratio: contrast(front, behind) }))
    .filter(({ ratio }) => ratio < least)
    .map(({ what, ratio }) => `${what}: ${ratio.toFixed(2)}`);

test('contrast is computed as WCAG defines it', () => {
  assert.equal(contrast('#ffffff', '#000000'), 21);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
});

for (const mode of ['light', 'dark'] as const) {
  describe(`the ${mode} colours`, () => {
    test('have texts of 4.5 to 1 on every ground', () => {
      assert.deepEqual(tooWeak(texts(colours[mode]), 4.5), []);
    });

    test('have fields, focus and other parts of 3 to 1', () => {
      assert.deepEqual(tooWeak(parts(colours[mode]), 3), []);
    });
  });
}
